import Foundation
import RecorderAPI

/// What the user has set of the exposure: the camera's, or the next film's while no camera is open.
struct ExposureWish: Hashable {
  let mode: String
  /// In EV.
  let bias: Double
  let isLocked: Bool

  /// `nil` if camrec does not control the exposure.
  init?(_ state: RecorderState?) {
    if let now = state?.exposure {
      (mode, bias, isLocked) = (now.mode, now.bias, now.isLocked)
    } else if let next = state?.nextExposure {
      (mode, bias, isLocked) = (next.mode, next.bias, next.isLocked)
    } else {
      return nil
    }
  }

  /// The thirds of an EV nearest to the bias.
  var thirds: Int { Int((min(max(bias.isFinite ? bias : 0, -100), 100) * 3).rounded()) }

  /// `+1/3 EV`, `-1 2/3 EV`, `0 EV`.
  static func text(_ bias: Double) -> String {
    let third = (bias * 3).rounded()
    guard bias.isFinite, abs(bias * 3 - third) < 0.01, abs(third) < 1000 else {
      return String(format: "%+.2f EV", bias)
    }
    let whole = abs(Int(third)) / 3, rest = abs(Int(third)) % 3
    guard third != 0 else { return "0 EV" }
    let parts = [whole > 0 ? "\(whole)" : nil, rest > 0 ? "\(rest)/3" : nil].compactMap(\.self)
    return "\(third > 0 ? "+" : "-")\(parts.joined(separator: " ")) EV"
  }

  /// `+1/3`, `-4/3`, as a command takes it.
  static func value(thirds: Int) -> String { "\(thirds < 0 ? "-" : "+")\(abs(thirds))/3" }
}

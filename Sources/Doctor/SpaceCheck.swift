import Foundation
import Frames

/// How long the disk has room for recording.
public struct SpaceCheck: DoctorCheck {
  /// Warns below this: a day of unattended recording.
  static let fewHours = 24.0
  /// Fails below either of these: a recording would warn at once, and end soon.
  static let lastHours = 0.5
  static let lastBytes = 500e6

  private let folder: String
  private let bytesPerSecond: Double
  private let freeBytes: Double?
  private let rotates: Bool

  /// - Parameters:
  ///   - bytesPerSecond: of all films that go there.
  ///   - freeBytes: for users other than root; `nil` if unknown.
  ///   - rotates: the oldest films are deleted when the disk gets full.
  public init(folder: String, bytesPerSecond: Double, freeBytes: Double?, rotates: Bool = false) {
    self.folder = folder
    self.bytesPerSecond = bytesPerSecond
    self.freeBytes = freeBytes
    self.rotates = rotates
  }

  public func findings() -> [DoctorFinding] {
    guard let free = freeBytes else {
      return [
        DoctorFinding(
          "space", .failure, "cannot tell how much space '\(folder)' has",
          remedy: "check that the folder exists and its disk is mounted")
      ]
    }
    let hours = free / bytesPerSecond / 3600
    let figures = ["freeBytes": free, "bytesPerSecond": bytesPerSecond, "hours": hours]
    let sentence =
      "'\(folder)' has \(DoctorText.bytes(free)) left: \(DoctorText.time(hours: hours)) at "
      + "\(DoctorText.bytes(bytesPerSecond * 3600)) an hour"
    if hours < SpaceCheck.lastHours || free < SpaceCheck.lastBytes {
      return [
        DoctorFinding(
          "space", .failure, sentence,
          remedy: "delete files that you do not need, or record to another disk (\(setting: .output))",
          figures: figures)
      ]
    }
    if hours < SpaceCheck.fewHours {
      let rotate: Sentence = rotates ? "" : ", or let camrec delete the oldest films (\(setting: .onFull) rotate)"
      let remedy: Sentence = "make room for a day, or record to another disk\(sentence: rotate)"
      return [DoctorFinding("space", .warning, sentence, remedy: remedy, figures: figures)]
    }
    return [DoctorFinding("space", .ok, sentence, figures: figures)]
  }
}

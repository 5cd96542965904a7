import Foundation
import Frames

/// Formats numbers for messages.
enum ExposureText {
  /// At most `decimals` decimals, without trailing zeros: `179.71`, `172.8`, `180`.
  static func trimmed(_ value: Double, decimals: Int = 2) -> String {
    var text = String(format: "%.\(decimals)f", value)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// `20 ms`, `8.33 ms`; `100 µs` below a millisecond.
  static func time(_ seconds: Rational) -> String {
    let value = seconds.doubleValue
    return value < 1e-3 ? "\(trimmed(value * 1e6)) µs" : "\(trimmed(value * 1e3)) ms"
  }

  /// With its sign: `−0.06 EV`, `+0.26 EV`, `0 EV`.
  static func ev(_ value: Double) -> String {
    let size = String(format: "%.2f", abs(value))
    return size == "0.00" ? "0 EV" : (value < 0 ? "−" : "+") + size + " EV"
  }
}

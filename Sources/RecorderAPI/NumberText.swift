import Foundation

/// Numbers as people read them.
package enum NumberText {
  /// At most two decimals, without trailing zeros. A number that rounds to 0 has no sign.
  package static func short(_ value: Double) -> String {
    var text = String(format: "%.2f", value)
    if text.hasSuffix(".00") { text.removeLast(3) } else if text.hasSuffix("0") { text.removeLast() }
    return text == "-0" ? "0" : text
  }
}

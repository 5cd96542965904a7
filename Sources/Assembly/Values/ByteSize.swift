package import Frames

/// A size as the command line gives it: `500MB`, `2GB`, `1.5TB`, `4GiB`. Whole numbers without a unit are bytes.
package struct ByteSize: Hashable, Sendable {
  package let bytes: Int64

  private static let units: [String: Double] = [
    "": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KIB": 0x1p10, "MIB": 0x1p20, "GIB": 0x1p30,
    "TIB": 0x1p40,
  ]
  /// Far beyond any disk, and still inside 64 bits.
  private static let limit = 1e18

  /// `nil` unless the text is a size greater than 0.
  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let value = Double(digits), let unit = ByteSize.units[text[digits.endIndex...].uppercased()] else {
      return nil
    }
    let bytes = (value * unit).rounded()
    guard (1...ByteSize.limit).contains(bytes) else { return nil }
    self.bytes = Int64(bytes)
  }

  package init(parsing text: String) throws(CamrecError) {
    guard let size = ByteSize(text) else {
      throw CamrecError(.usage, "a size is a number and its unit (MB, GB, TB; MiB, GiB, TiB), as in 500MB or 2GB")
    }
    self = size
  }
}

/// Writes records: flat JSON objects, one to a line, in memory that is used again and again.
///
/// Allocates nothing once it has held its longest content.
struct SidecarLine {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  /// The most digits after the decimal point: nanoseconds.
  private static let mostDecimals = 9
  /// Up to here a double is exact, and nothing here is larger.
  private static let limit = 9e15

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  mutating func begin() {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
  }

  mutating func end() {
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func put(_ key: SidecarKey, _ value: Int64) {
    name(key)
    number(value)
  }

  /// Rounded to `decimals` digits after the point, without trailing zeros. Left out if it is not a number.
  mutating func put(_ key: SidecarKey, _ value: Double, decimals: Int) {
    var scale = 1.0
    for _ in 0..<min(decimals, SidecarLine.mostDecimals) { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard scaled.isFinite, scaled.magnitude < SidecarLine.limit else { return }
    name(key)
    var whole = Int64(scaled), places = Int64(scale)
    if whole < 0 { bytes.append(UInt8(ascii: "-")) }
    whole = abs(whole)
    while places > 1, whole % 10 == 0 { (whole, places) = (whole / 10, places / 10) }
    digits(whole / places, from: nil)
    guard places > 1 else { return }
    bytes.append(UInt8(ascii: "."))
    digits(whole % places, from: places / 10)
  }

  mutating func putNull(_ key: SidecarKey) {
    name(key)
    bytes.append(contentsOf: "null".utf8)
  }

  /// With escapes as in JSON (RFC 8259, section 7).
  mutating func put(_ key: SidecarKey, _ text: String) {
    name(key)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(SidecarLine.hexadecimal[Int(byte >> 4)])
        bytes.append(SidecarLine.hexadecimal[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  private mutating func name(_ key: SidecarKey) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: key.rawValue.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func number(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    digits(Int64(clamping: value.magnitude), from: nil)
  }

  /// - Parameter place: the power of ten of the first digit; `nil` for the first that is not 0.
  private mutating func digits(_ value: Int64, from place: Int64?) {
    var power = place ?? 1
    if place == nil { while value / power >= 10 { power *= 10 } }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / power % 10))
      power /= 10
    }
  }
}

/// The machine-readable marks of a simulated frame: the frame's number, and whether it is a flash.
///
/// The marks are a row of 48 cells, each all black or all white in code values. From the first to the last: white,
/// black (references) · 32 bits of the number, most significant first · 8 bits of CRC-8 (polynomial x⁸+x²+x+1, start
/// 0xFF) over the number · 4 cells for the flash · black, white (references). A reader takes its threshold and its
/// polarity from the references, so that the marks stay readable with any LUT that keeps the two levels apart.
public struct SimulatedMark: Hashable, Sendable {
  /// The low 32 bits of the frame's sequence number.
  public let number: UInt32
  /// True on the frame whose exposure starts with the tone burst on the simulated microphone.
  public let flash: Bool

  public static let cellCount = 48
  /// Cells that are white in every frame.
  public static let whiteReferences = [0, 47]
  /// Cells that are black in every frame.
  public static let blackReferences = [1, 46]
  /// Cells that are white on a flash.
  public static let flashCells = 42..<46

  /// The levels of the cells as parts of the nominal range: inside the range of every log curve, far from both ends.
  public static let blackLevel = 0.1
  public static let whiteLevel = 0.9

  public init(number: UInt32, flash: Bool) {
    self.number = number
    self.flash = flash
  }

  /// The cells as bits: bit i is 1 where cell i is white.
  public var cells: UInt64 {
    var cells: UInt64 = 1 | 1 << 47
    let word = UInt64(number) << 8 | UInt64(SimulatedMark.checksum(number))
    for position in 0..<40 where word >> UInt64(39 - position) & 1 == 1 { cells |= 1 << UInt64(2 + position) }
    if flash { for cell in SimulatedMark.flashCells { cells |= 1 << UInt64(cell) } }
    return cells
  }

  /// Reads cells; `nil` if a reference or the checksum is wrong, or the flash cells differ from each other.
  public init?(cells: UInt64) {
    var word: UInt64 = 0
    for position in 0..<40 { word = word << 1 | cells >> UInt64(2 + position) & 1 }
    let number = UInt32(word >> 8)
    self.init(number: number, flash: cells >> UInt64(SimulatedMark.flashCells.lowerBound) & 1 == 1)
    guard self.cells == cells else { return nil }
  }

  private static func checksum(_ number: UInt32) -> UInt8 {
    var crc: UInt8 = 0xFF
    for byte in 0..<4 {
      crc ^= UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * byte))
      for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
    }
    return crc
  }
}

/// Reads the symbols that FFV1 codes with its range coder (RFC 9043, 3.8.1).
struct FFV1Symbols {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 2
  private var range: UInt32 = 0xFF00
  private var low: UInt32

  /// The states that a row of symbols begins with.
  static let fresh = [UInt8](repeating: 128, count: 32)

  /// - Parameter bytes: at least two; what lies behind them reads as zeros.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    low = UInt32(bytes[0]) << 8 | UInt32(bytes[1])
    if low >= range { (low, place) = (range, bytes.count) }
  }

  /// Whether a packet has a key frame, by its first bit.
  static func beginsKeyFrame(_ packet: UnsafeBufferPointer<UInt8>) -> Bool {
    guard packet.count >= 2 else { return false }
    var symbols = FFV1Symbols(packet)
    var state: UInt8 = 128
    return symbols.bit(&state)
  }

  /// - Parameter state: how likely a 1 is, in 256ths; it learns from the bit.
  mutating func bit(_ state: inout UInt8) -> Bool {
    let part = (range * UInt32(state)) >> 8
    let isSet = low >= range - part
    if isSet {
      low -= range - part
      range = part
      state = FFV1Symbols.transitions[Int(state)]
    } else {
      range -= part
      state = UInt8(truncatingIfNeeded: 256 - Int(FFV1Symbols.transitions[256 - Int(state)]))
    }
    if range < 0x100 {
      range <<= 8
      low <<= 8
      if place < bytes.count {
        low += UInt32(bytes[place])
        place += 1
      }
    }
    return isSet
  }

  /// - Parameter states: those of the number's bits; they learn from it.
  mutating func number(_ states: inout [UInt8], isSigned: Bool = false) -> Int {
    if bit(&states[0]) { return 0 }
    var length = 0
    while length < 32, bit(&states[1 + min(length, 9)]) { length += 1 }
    var number = 1
    for place in (0..<length).reversed() { number = number << 1 | (bit(&states[22 + min(place, 9)]) ? 1 : 0) }
    return isSigned && bit(&states[11 + min(length, 10)]) ? -number : number
  }

  /// The state behind a 1, for each state; behind a 0 it is the mirror image.
  private static let transitions: [UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50,
    51, 52, 53, 54, 55, 56, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69,
    70, 71, 72, 73, 74, 75, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88,
    89, 90, 91, 92, 93, 94, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107,
    108, 109, 110, 111, 112, 113, 114, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126,
    127, 128, 129, 130, 131, 132, 133, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145,
    146, 147, 148, 149, 150, 151, 152, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164,
    165, 166, 167, 168, 169, 170, 171, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183,
    184, 185, 186, 187, 188, 189, 190, 190, 191, 192, 194, 194, 195, 196, 197, 198, 199, 200, 201, 202,
    202, 204, 205, 206, 207, 208, 209, 209, 210, 211, 212, 213, 215, 215, 216, 217, 218, 219, 220, 220,
    222, 223, 224, 225, 226, 227, 227, 229, 229, 230, 231, 232, 234, 234, 235, 236, 237, 238, 239, 240,
    241, 242, 243, 244, 245, 246, 247, 248, 248, 0, 0, 0, 0, 0, 0, 0,
  ]
}

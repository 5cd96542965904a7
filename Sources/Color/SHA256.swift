/// SHA-256 (FIPS 180-4, sections 5 and 6.2) of bytes that arrive in pieces.
///
/// Written here because a film names its LUT by this one hash: a cryptography package would be the project's
/// largest dependency, for eighty lines. It guards nothing against an attacker who chooses the file.
package struct SHA256 {
  /// Section 5.3.3: the first 32 bits of the fractional parts of the square roots of the first eight primes.
  private var state: [8 of UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// Bytes that do not fill a block yet.
  private var pending: [UInt8] = []
  private var length: UInt64 = 0

  package init() {}

  /// The digest of `bytes`, in lower-case hexadecimal.
  package static func hash(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes.span)
    return hash.finish()
  }

  package mutating func update(_ bytes: Span<UInt8>) {
    length += UInt64(bytes.count)
    var index = 0
    if !pending.isEmpty {
      while index < bytes.count, pending.count < 64 {
        pending.append(bytes[index])
        index += 1
      }
      guard pending.count == 64 else { return }
      let block = pending
      pending = []
      compress(block.span, at: 0)
    }
    while bytes.count - index >= 64 {
      compress(bytes, at: index)
      index += 64
    }
    while index < bytes.count {
      pending.append(bytes[index])
      index += 1
    }
  }

  /// The digest in lower-case hexadecimal.
  package consuming func finish() -> String {
    let bits = length * 8
    pending.append(0x80)
    while pending.count % 64 != 56 { pending.append(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      pending.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    let last = pending
    for block in stride(from: 0, to: last.count, by: 64) { compress(last.span, at: block) }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for index in state.indices {
      for shift in stride(from: 28, through: 0, by: -4) { text.append(digits[Int(state[index] >> UInt32(shift) & 15)]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Section 6.2.2, one block of 64 bytes. Of the message schedule only the last sixteen words are kept, and a round
  /// renames the working variables instead of moving them: sixteen bring each name back to its place, with every
  /// index known to the compiler.
  private mutating func compress(_ bytes: Span<UInt8>, at start: Int) {
    let block = bytes.extracting(start..<start + 64)
    var words = [16 of UInt32](repeating: 0)
    for word in 0..<16 {
      let at = 4 * word
      words[word] =
        UInt32(block[at]) << 24 | UInt32(block[at + 1]) << 16 | UInt32(block[at + 2]) << 8 | UInt32(block[at + 3])
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for turn in stride(from: 0, to: 64, by: 16) {
      Self.round(a, b, c, &d, e, f, g, &h, turn, 0, &words)
      Self.round(h, a, b, &c, d, e, f, &g, turn, 1, &words)
      Self.round(g, h, a, &b, c, d, e, &f, turn, 2, &words)
      Self.round(f, g, h, &a, b, c, d, &e, turn, 3, &words)
      Self.round(e, f, g, &h, a, b, c, &d, turn, 4, &words)
      Self.round(d, e, f, &g, h, a, b, &c, turn, 5, &words)
      Self.round(c, d, e, &f, g, h, a, &b, turn, 6, &words)
      Self.round(b, c, d, &e, f, g, h, &a, turn, 7, &words)
      Self.round(a, b, c, &d, e, f, g, &h, turn, 8, &words)
      Self.round(h, a, b, &c, d, e, f, &g, turn, 9, &words)
      Self.round(g, h, a, &b, c, d, e, &f, turn, 10, &words)
      Self.round(f, g, h, &a, b, c, d, &e, turn, 11, &words)
      Self.round(e, f, g, &h, a, b, c, &d, turn, 12, &words)
      Self.round(d, e, f, &g, h, a, b, &c, turn, 13, &words)
      Self.round(c, d, e, &f, g, h, a, &b, turn, 14, &words)
      Self.round(b, c, d, &e, f, g, h, &a, turn, 15, &words)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  /// The round `turn` + `index`: what becomes the next `a` and `e` goes into `h` and `d`. Then the schedule's word is
  /// replaced by the one of sixteen rounds later.
  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
    _ h: inout UInt32, _ turn: Int, _ index: Int, _ words: inout [16 of UInt32]
  ) {
    let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    let choice = (f ^ g) & e ^ g
    let first = h &+ constants[turn + index] &+ words[index] &+ sum1 &+ choice
    let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    let majority = a & b | (a | b) & c
    d &+= first
    h = first &+ sum0 &+ majority
    let w15 = words[(index + 1) & 15]
    let w2 = words[(index + 14) & 15]
    let sigma0 = rotate(w15, 7) ^ rotate(w15, 18) ^ w15 &>> 3
    let sigma1 = rotate(w2, 17) ^ rotate(w2, 19) ^ w2 &>> 10
    words[index] = words[index] &+ sigma0 &+ words[(index + 9) & 15] &+ sigma1
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 - count) }

  /// Section 4.2.2: the same of the cube roots of the first 64 primes.
  private static let constants: [64 of UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

import CDigest

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
///
/// Written here because a film needs only this one hash, to name its LUT: a cryptography package would be the project's
/// largest dependency. It is no protection against an attacker who chooses the file.
public struct SHA256: Sendable {
  /// How blocks are compressed; both give the same digest.
  public enum Way: Sendable, CaseIterable {
    /// With the processor's SHA instructions, if it has them.
    case fastest
    case plain
  }

  /// Section 5.3.3: the first 32 bits of the fractional parts of the square roots of the first eight primes.
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// Bytes that do not fill a block yet.
  private var pending: [UInt8] = []
  private var length: UInt64 = 0
  private let compress: CDigest_Compress

  public init(_ way: Way = .fastest) {
    compress = way == .fastest ? Self.fastest : CDigest_compressPlain
  }

  /// The digest of `bytes`, in lower-case hexadecimal.
  public static func hash(_ bytes: [UInt8], _ way: Way = .fastest) -> String {
    var hash = SHA256(way)
    hash.update(bytes.span)
    return hash.finish()
  }

  public mutating func update(_ bytes: Span<UInt8>) {
    length += UInt64(bytes.count)
    var rest = bytes
    if !pending.isEmpty {
      let missing = min(64 - pending.count, rest.count)
      pending.append(contentsOf: rest.extracting(first: missing))
      rest = rest.extracting(droppingFirst: missing)
      guard pending.count == 64 else { return }
      let block = pending
      pending = []
      Self.take(block.span, into: &state, by: compress)
    }
    let whole = rest.count / 64 * 64
    Self.take(rest.extracting(first: whole), into: &state, by: compress)
    pending.append(contentsOf: rest.extracting(droppingFirst: whole))
  }

  /// The digest in lower-case hexadecimal.
  public consuming func finish() -> String {
    let bits = length * 8
    pending.append(0x80)
    while pending.count % 64 != 56 { pending.append(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      pending.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    let last = pending
    Self.take(last.span, into: &state, by: compress)
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for word in state {
      for shift in stride(from: 28, through: 0, by: -4) { text.append(digits[Int(word >> UInt32(shift) & 15)]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Compresses whole blocks.
  private static func take(_ blocks: Span<UInt8>, into state: inout [UInt32], by compress: CDigest_Compress) {
    blocks.withUnsafeBufferPointer { bytes in
      state.withUnsafeMutableBufferPointer { compress($0.baseAddress, bytes.baseAddress, bytes.count / 64) }
    }
  }

  private static let fastest = CDigest_fastestCompress()!
}

extension [UInt8] {
  fileprivate mutating func append(contentsOf bytes: Span<UInt8>) {
    for index in bytes.indices { append(bytes[index]) }
  }
}

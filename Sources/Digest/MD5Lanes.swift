import CDigest

/// MD5 (RFC 1321) of several messages of one length at a time: several times as fast as one after another.
///
/// For framemd5 files, which hash every frame. It is no protection against forgery.
public enum MD5Lanes {
  /// Messages at a time.
  public static let count = CDIGEST_MD5_LANES

  /// The instruction set to use; all give the same hashes.
  public enum Level: UInt32, Sendable {
    case plain, avx2, avx512

    /// Those that this processor has, the fastest one last.
    public static let available = (0...CDigest_md5HighestLevel().rawValue).compactMap(Level.init)
  }

  /// - Parameters:
  ///   - messages: at most `count`, one after another, of `size` bytes each.
  ///   - level: one of those that are available; by default the fastest.
  /// - Returns: their hashes in lower-case hexadecimal. Any thread.
  public static func hashes(_ messages: UnsafeRawBufferPointer, size: Int, level: Level? = nil) -> [String] {
    let level = level ?? Level.available.last ?? .plain
    let used = size == 0 ? 0 : messages.count / size
    precondition(Level.available.contains(level), "a level that the processor has")
    precondition(used > 0 && used <= count && used * size == messages.count, "whole messages, at most eight")
    return withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: count) { lanes in
      withUnsafeTemporaryAllocation(byteCount: 16 * count, alignment: 16) { digests in
        for lane in 0..<count {
          // Lanes that are left over hash the first message once more.
          let start = lane < used ? lane * size : 0
          lanes.initializeElement(
            at: lane, to: messages.baseAddress?.advanced(by: start).assumingMemoryBound(to: UInt8.self))
        }
        typealias Digest = (
          UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
        )
        CDigest_md5Lanes(
          CDigest_MD5Level(level.rawValue), lanes.baseAddress, size,
          digests.baseAddress?.assumingMemoryBound(to: Digest.self))
        let digits = Array("0123456789abcdef".utf8)
        return (0..<used).map { lane in
          String(
            decoding: digests[(16 * lane)..<(16 * lane + 16)].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
        }
      }
    }
  }
}

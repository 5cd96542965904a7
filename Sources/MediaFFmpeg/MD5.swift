import CFFmpeg

/// The hash of framemd5 files, by libavutil.
public enum MD5 {
  /// The hash in lower-case hexadecimal. Any thread.
  public static func hash(_ bytes: RawSpan) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { sum in
      bytes.withUnsafeBytes {
        av_md5_sum(sum.baseAddress, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
      }
      let digits = Array("0123456789abcdef".utf8)
      return String(decoding: sum.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
  }
}

/// What a live .mov holds from the creation of its file, seconds before it is needed, until its header overwrites it: a
/// box of free space (ISO/IEC 14496-12, 8.1.2) that says so. It tells a file whose recorder was killed before the film
/// began from one that has lost something, with or without a sidecar and on any file system.
///
/// A value; any thread.
public enum PreparedMark {
  private static let words = "camrec has no frame here yet"

  /// Shorter than any movie's header.
  public static let bytes: [UInt8] = {
    let size = UInt32(8 + words.utf8.count)
    return [UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)] + Array("free".utf8)
      + Array(words.utf8)
  }()
}

import MovieBoxes

/// How far the beginning of a live .mov got before it was cut off: its type, then its header, then its fragments.
enum FilmBeginning {
  /// Bytes at a film's start that tell; a header is a few thousand.
  static let headBytes = 1 << 16

  /// Why a film that was cut off in its first second has no frame, or a copy that has only the film's beginning; `nil`
  /// for any other file.
  ///
  /// - Parameters:
  ///   - head: the file's first `headBytes`, or all that it has.
  ///   - size: of the file, in bytes.
  static func lack(_ head: [UInt8], size: Int64) -> String? {
    guard size > 0 else { return "it is empty" }
    guard head != PreparedMark.bytes else { return "it was cut off in its first second, before its header was written" }
    let reason = "it has no whole header, because it was cut off in its first second, or copied only in part"
    // Some file systems keep a length whose bytes did not reach the disk, which are then zeros.
    let isAll = Int64(head.count) == size
    let end = isAll ? (head.lastIndex { $0 != 0 } ?? -1) + 1 : head.count
    guard head.starts(with: typeBox.prefix(end)) else { return nil }
    guard end >= typeBox.count + 8 else {
      return isAll && "moov".utf8.starts(with: head[..<end].dropFirst(typeBox.count + 4)) ? reason : nil
    }
    guard head[typeBox.count + 4..<typeBox.count + 8].elementsEqual("moov".utf8) else { return nil }
    let length = head[typeBox.count..<typeBox.count + 4].reduce(0) { $0 << 8 | Int($1) }
    return isAll && length < headBytes && end < typeBox.count + length ? reason : nil
  }

  /// The box with which libavformat begins a .mov (ISO/IEC 14496-12, 4.3).
  private static let typeBox: [UInt8] = [0, 0, 0, 20] + Array("ftypqt  ".utf8) + [0, 0, 2, 0] + Array("qt  ".utf8)
}

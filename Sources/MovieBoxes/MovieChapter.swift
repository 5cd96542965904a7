/// A named place in a film.
public struct MovieChapter: Hashable, Sendable {
  /// Seconds from the film's beginning.
  public let seconds: Double
  public let title: String

  public init(seconds: Double, title: String) {
    self.seconds = seconds
    self.title = title
  }

  /// How many chapters a list has room for.
  public static let most = 255

  /// As much of the title as a list has room for: up to 255 bytes of whole characters.
  var shortened: [UInt8] {
    var bytes: [UInt8] = []
    for character in title {
      guard bytes.count + character.utf8.count <= 255 else { break }
      bytes += Array(character.utf8)
    }
    return bytes
  }

  /// The box `chpl` in `udta`, as Nero's programs wrote it and FFmpeg, VLC and mpv read it: times in units of 100 ns.
  static func list(_ chapters: [MovieChapter]) -> [UInt8] {
    var out = BoxBytes()
    let listed = chapters.sorted { $0.seconds < $1.seconds }.prefix(most)
    out.fullBox(.chapterList, version: 1) { out in
      out.put(UInt32(0))
      out.put(UInt8(listed.count))
      for chapter in listed {
        out.put(UInt64((max(0, min(chapter.seconds, 1e9)) * 1e7).rounded()))
        out.put(UInt8(chapter.shortened.count))
        out.put(chapter.shortened)
      }
    }
    return out.bytes
  }

  /// Bytes of such a list, including the box around it; 0 without chapters.
  public static func bytes(_ chapters: [MovieChapter]) -> Int { chapters.isEmpty ? 0 : list(chapters).count + 8 }
}

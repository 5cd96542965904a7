import Frames
import MediaFFmpeg
import Movies

/// The chapters that a film gets from its clip.
enum BakedChapters {
  /// The clip's own, otherwise the markers of its sidecar: a recovered film has no chapters for them. In order, by the
  /// film's times; of those before the film's first frame only the last one, from its beginning.
  static func of(_ clip: ClipCamera, _ sidecar: CarriedSidecar?) -> [ClipChapter] {
    let offset = Double(clip.firstTime.nanoseconds) / 1e9
    let found = clip.tags.chapters.isEmpty ? sidecar?.markers ?? [] : clip.tags.chapters
    let places = found.map { ClipChapter(title: $0.title, seconds: $0.seconds - offset) }
      .sorted { $0.seconds < $1.seconds }
    let first = places.last { $0.seconds < 0 }.map { ClipChapter(title: $0.title, seconds: 0) }
    return [first].compactMap(\.self) + places.filter { $0.seconds >= 0 }
  }
}

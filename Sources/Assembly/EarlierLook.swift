import MediaFFmpeg
import Movies
import Platform
import RecorderAPI
import Sidecar

/// The look that a clip has already, from its sidecar, otherwise from the tags that camrec gives a film.
struct EarlierLook {
  private let clip: String
  /// `portra-400, version 1`.
  private let words: String

  /// - Returns: `nil` for a clip without a look.
  init?(_ clip: ClipCamera) {
    func tag(_ key: String) -> String? { clip.tags.entries.first { $0.key.lowercased() == key }?.value }
    let look = (try? SidecarReader(path: SidecarFile.path(ofFilm: clip.path)))?.head.look
    let tagged = tag("software")?.hasPrefix("camrec ") == true ? tag("look") : nil
    guard let words = look.map({ "\($0.name), version \($0.version)" }) ?? tagged else { return nil }
    self.clip = PathText(clip.path).name
    self.words = words
  }

  /// Said when a look is applied to the clip.
  var warning: String {
    "'\(clip)' already has the look \(words), so the film has two looks; for one, use a clip without a look"
  }
}

import Cameras
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Sidecar

extension ColorName {
  /// The colours of one of camrec's films, from its sidecar, if its tags do not say them: no tag names a log curve.
  ///
  /// - Returns: `nil` if the tags name the transfer function, or are not those that camrec gives a film of these
  ///   colours, or if the sidecar does not name it either, or may be another film's.
  init?(ofFilm clip: ClipCamera) {
    guard clip.missingColorTags.contains("transfer"),
      let head = (try? SidecarReader(path: SidecarFile.path(ofFilm: clip.path)))?.head, head.isOf(clip),
      let name = ColorName.named(head.colorOut)
    else { return nil }
    let color = name.description(range: .limited)
    guard color.transfer != .unspecified, clip.isTagged(as: color) else { return nil }
    self = name
  }
}

extension SidecarHead {
  /// Whether the file is a film of this size that camrec made, and that begins when this says. A file does not have its
  /// film's UUID.
  fileprivate func isOf(_ clip: ClipCamera) -> Bool {
    let maker = clip.tags.entries.first { $0.key.lowercased() == "software" }?.value
    guard maker == software, width == clip.format.width, height == clip.format.height,
      let creationTime = clip.tags.creationTime
    else { return false }
    // A film has whole seconds; those of segments are rounded twice.
    return abs(start.timeIntervalSince1970 - Double(creationTime)) < 2
  }
}

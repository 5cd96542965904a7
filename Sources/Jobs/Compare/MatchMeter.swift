import Cameras
import Frames
import Goldens
import MediaFFmpeg
import Reporting

/// Measures matched frames of two clips, whatever their order.
///
/// Thread: one at a time.
final class MatchMeter {
  private let paths: (String, String)
  /// How many frames of each clip may wait for their match.
  private let room: Int
  private let progress: WorkProgress
  private var meter = PictureMeter()
  private var qualities: [FrameMatch: FrameQuality] = [:]
  /// The frames of this pass that were read before their match.
  private var waiting: [FrameMatch: ClipPictures.Picture] = [:]

  /// Bytes for frames that wait.
  private static let memory = 512 << 20
  private static let mostFrames = 256

  private init(_ clips: (ClipPictures, ClipPictures), count: Int) {
    paths = (clips.0.path, clips.1.path)
    room = min(MatchMeter.room(clips.0.clip.format), MatchMeter.room(clips.1.clip.format))
    progress = WorkProgress("comparing", "frames", total: count)
  }

  private static func room(_ format: CameraFormat) -> Int {
    guard case .raw(let layout) = format.image else { return 1 }
    let frame = FrameFormat(width: format.width, height: format.height, layout: layout, color: format.color)
    return max(1, min(mostFrames, memory / frame.byteCount))
  }

  /// - Parameter matches: rising in the first clip; no frame is in two of them.
  /// - Returns: the quality of each match.
  /// - Throws: as `ClipPictures.next` and `PictureMeter.measure`; code `input` if a clip has become shorter.
  static func qualities(
    of matches: [FrameMatch], in clips: (ClipPictures, ClipPictures)
  ) throws(CamrecError) -> [FrameMatch: FrameQuality] {
    let meter = MatchMeter(clips, count: matches.count)
    defer { meter.progress.close() }
    for pass in MatchPass.plan(matches, room: meter.room) { try meter.measure(pass) }
    return meter.qualities
  }

  private func measure(_ pass: MatchPass) throws(CamrecError) {
    let first = try ClipSide(paths.0, room: room), second = try ClipSide(paths.1, room: room)
    let strays = (
      first: Dictionary(uniqueKeysWithValues: pass.strays.map { ($0.first, $0) }),
      second: Dictionary(uniqueKeysWithValues: pass.strays.map { ($0.second, $0) })
    )
    func readFirst(to place: Int) throws(CamrecError) -> ClipPictures.Picture {
      try first.read(to: place) { (place, picture) throws(CamrecError) in
        guard let match = strays.first[place] else { return }
        if let other = waiting.removeValue(forKey: match) {
          try note(match, picture, other)
        } else {
          waiting[match] = picture
        }
      }
    }
    func readSecond(to place: Int) throws(CamrecError) -> ClipPictures.Picture {
      try second.read(to: place) { (place, picture) throws(CamrecError) in
        guard let match = strays.second[place] else { return }
        if let other = waiting.removeValue(forKey: match) {
          try note(match, other, picture)
        } else {
          waiting[match] = picture
        }
      }
    }
    for match in pass.order {
      let picture = try readFirst(to: match.first)
      try note(match, picture, try readSecond(to: match.second))
    }
    if let last = pass.strays.map(\.first).max(), last > first.place { _ = try readFirst(to: last) }
    if let last = pass.strays.map(\.second).max(), last > second.place { _ = try readSecond(to: last) }
  }

  private func note(
    _ match: FrameMatch, _ picture: ClipPictures.Picture, _ other: ClipPictures.Picture
  ) throws(CamrecError) {
    qualities[match] = try meter.measure(picture.picture, other.picture)
    progress.advance()
  }
}

/// One of two clips, and how far it was read.
///
/// Thread: one at a time.
private final class ClipSide {
  private let clip: ClipPictures
  /// The position of the last frame read; −1 before the first.
  private(set) var place = -1

  /// - Parameter room: how many frames the caller keeps while it reads on.
  /// - Throws: as `ClipPictures.init`.
  init(_ path: String, room: Int) throws(CamrecError) { clip = try ClipPictures(path: path, keeping: room) }

  /// - Parameters:
  ///   - wanted: the position of a frame that was not read yet.
  ///   - each: called with each frame that is read, that one included.
  /// - Throws: as `ClipPictures.next`; code `input` if the clip ends before.
  func read(
    to wanted: Int, each: (Int, ClipPictures.Picture) throws(CamrecError) -> Void
  ) throws(CamrecError) -> ClipPictures.Picture {
    while let next = try clip.next() {
      place += 1
      try each(place, next)
      if place == wanted { return next }
    }
    throw CamrecError(.input, "'\(clip.path)' has become shorter while camrec compared it")
  }
}

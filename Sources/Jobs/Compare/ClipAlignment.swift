import Cameras
import Color
package import Frames
package import Goldens
import MediaFFmpeg
import Movies
import Reporting

/// How the frames of two clips are matched.
package enum ClipAlignment: String, CaseIterable, Sendable {
  /// By `number` if both clips have one at the beginning, else by `content`.
  case auto
  /// By the number that the simulated camera writes into its frames.
  case number
  /// By content; where nothing moves, by timecode if both clips have one at the same rate, else by time.
  case content
  case timecode
  /// By time, from each clip's beginning.
  case time
  /// By position.
  case frame
}

/// Gives each frame of a clip a key: frames with the same key match.
///
/// Thread: one at a time.
package struct PictureKeys {
  private let alignment: ClipAlignment
  private let rate: FrameRate
  private let seconds: Double
  private let firstLabel: Int64
  private var start: Int64?
  private var count: Int64 = 0
  /// The last number that could be read, or the one calculated for the clip's first frame, and its position by time.
  private var known: (number: Int64, place: Int64)
  /// The keys of all frames, if they were matched by content.
  private let found: [Int64]

  /// - Parameters:
  ///   - alignment: neither `auto` nor `content`.
  ///   - rate: the frame rate that time is counted in.
  /// - Throws: code `input` for a clip without the timecode or the number that `alignment` needs.
  package init(_ clip: ClipPictures, by alignment: ClipAlignment, rate: FrameRate) throws(CamrecError) {
    self.alignment = alignment
    self.rate = rate
    seconds = clip.seconds
    firstLabel = alignment == .timecode ? try PictureKeys.label(of: clip) : 0
    known = (0, 0)
    found = []
    guard alignment == .number else { return }
    guard let number = try PictureKeys.firstNumber(in: clip.path) else {
      throw CamrecError(
        .input,
        "no frame at the beginning of '\(clip.path)' has a number from the simulated camera; align by time"
          + " (--align time)")
    }
    known.number = number
  }

  /// Two clips matched by content.
  package struct Content {
    package let keys: (first: PictureKeys, second: PictureKeys)
    /// The number of frames in each clip.
    package let pictures: (first: Int, second: Int)
    /// As in `PictureAlignment`.
    package let moved: [FrameMove]
    package let likeness: Double?
  }

  /// Matches two clips by content.
  ///
  /// - Parameter rate: the frame rate that time is counted in.
  /// - Throws: as `ClipPictures.next`.
  package static func content(_ paths: (String, String), rate: FrameRate) throws(CamrecError) -> Content {
    let clips = (try ClipPictures(path: paths.0), try ClipPictures(path: paths.1))
    let counts = (clips.0.clip.expectedFrames, clips.1.clip.expectedFrames)
    let progress = WorkProgress(
      "scanning both clips", "frames", total: counts.0.flatMap { first in counts.1.map { first + $0 } })
    defer { progress.close() }
    (clips.0.progress, clips.1.progress) = (progress, progress)
    let way: ClipAlignment = haveLabels(clips) ? .timecode : .time
    let first = try survey(clips.0, by: way, rate: rate), second = try survey(clips.1, by: way, rate: rate)
    let found = PictureAlignment(first: first, second: second)
    return Content(
      keys: (PictureKeys(found: found.keys.first, clips.0), PictureKeys(found: found.keys.second, clips.1)),
      pictures: (first.count, second.count), moved: found.moved, likeness: found.likeness)
  }

  private init(found: [Int64], _ clip: ClipPictures) {
    (alignment, self.found) = (.content, found)
    (rate, seconds, firstLabel, known) = (clip.clip.format.frameRate, clip.seconds, 0, (0, 0))
  }

  /// The content of all frames of a clip.
  private static func survey(_ clip: ClipPictures, by way: ClipAlignment, rate: FrameRate) throws(CamrecError)
    -> [PictureAlignment.Picture]
  {
    var keys = try PictureKeys(clip, by: way, rate: rate)
    var pictures: [PictureAlignment.Picture] = []
    while let next = try clip.next() {
      let key = keys.next(next.picture, at: next.time)
      pictures.append(PictureAlignment.Picture(PictureSignature(next.picture), time: key))
    }
    return pictures
  }

  /// The frame number of the timecode at the clip's beginning.
  private static func label(of clip: ClipPictures) throws(CamrecError) -> Int64 {
    guard let label = timecode(of: clip) else {
      throw CamrecError(
        .input, "'\(clip.path)' has no timecode; align by time or by position (--align time, --align frame)")
    }
    return Int64(label.frameNumber(at: clip.clip.format.frameRate))
  }

  private static func timecode(of clip: ClipPictures) -> Timecode? {
    clip.clip.tags.timecode.flatMap { try? Timecode(parsing: $0, rate: clip.clip.format.frameRate) }
  }

  /// The alignment that `auto` stands for with two clips.
  ///
  /// - Throws: as `ClipPictures.next`.
  package static func choice(_ clips: (ClipPictures, ClipPictures)) throws(CamrecError) -> ClipAlignment {
    let (first, second) = clips
    if try firstNumber(in: first.path) != nil, try firstNumber(in: second.path) != nil { return .number }
    return .content
  }

  /// Whether both clips have timecodes at the same rate.
  private static func haveLabels(_ clips: (ClipPictures, ClipPictures)) -> Bool {
    clips.0.clip.format.frameRate == clips.1.clip.format.frameRate && timecode(of: clips.0) != nil
      && timecode(of: clips.1) != nil
  }

  /// The number of frames searched for a number: one damaged frame does not decide.
  private static let searched = 12

  /// The number of the clip's first frame, calculated from the first number that can be read.
  private static func firstNumber(in path: String) throws(CamrecError) -> Int64? {
    let clip = try ClipPictures(path: path)
    var start: Int64?
    for _ in 0..<searched {
      guard let picture = try clip.next() else { return nil }
      let begin = start ?? picture.time.ticks
      start = begin
      if let number = number(of: picture.picture) {
        let seconds = Double(picture.time.ticks.subtractingSaturated(begin)) * clip.seconds
        let place = Int64(saturating: (seconds * clip.clip.format.frameRate.framesPerSecond).rounded())
        return number.subtractingSaturated(place)
      }
    }
    return nil
  }

  /// The key of the next frame. If its number cannot be read, that is the number that fits its time.
  package mutating func next(_ picture: borrowing Frame, at time: SourceTime) -> Int64 {
    defer { count += 1 }
    let begin = start ?? time.ticks
    start = begin
    let span = Double(time.ticks.subtractingSaturated(begin)) * seconds
    let place = Int64(saturating: (span * rate.framesPerSecond).rounded())
    switch alignment {
    case .frame: return count
    case .timecode: return firstLabel.addingSaturated(place)
    case .content: return Int(count) < found.count ? found[Int(count)] : (found.last ?? 0) + count
    case .time, .auto: return place
    case .number:
      let counted = known.number.addingSaturated(place.subtractingSaturated(known.place))
      let number = PictureKeys.number(of: picture) ?? counted
      known = (number, place)
      return number
    }
  }

  /// The number that the simulated camera has written into the frame.
  package static func number(of picture: borrowing Frame) -> Int64? {
    SimulatedMark(of: picture, luma: picture.packedLuma()).map { Int64($0.number) }
  }
}

extension PictureSignature {
  fileprivate init(_ picture: borrowing Frame) {
    let format = picture.format
    self.init(
      luma: picture.packedLuma(), width: format.width, height: format.height, isFullRange: format.color.range == .full)
  }
}

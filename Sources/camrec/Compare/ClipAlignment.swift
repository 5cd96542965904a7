import ArgumentParser
import Cameras
import Color
import Frames
import Goldens
import MediaFFmpeg
import Movies

/// By what pictures of two clips belong together.
enum ClipAlignment: String, ExpressibleByArgument, CaseIterable {
  /// By `number` where both clips begin with one, else by `content`.
  case auto
  /// By the number that the simulated camera writes into its pictures.
  case number
  /// By what they show; in a still scene by timecode where both have one of one rate, else by time.
  case content
  case timecode
  /// By when they show, from each clip's beginning.
  case time
  /// By their place.
  case frame
}

/// Says of each picture of a clip which one it is: pictures of the same key belong together.
///
/// Thread: one at a time.
struct PictureKeys {
  private let alignment: ClipAlignment
  private let rate: FrameRate
  private let seconds: Double
  private let firstLabel: Int64
  private var start: Int64?
  private var count: Int64 = 0
  /// The last number that could be read, or what is reckoned for the clip's first picture, and its place by time.
  private var known: (number: Int64, place: Int64)
  /// Those of all pictures, where what they show has been looked at.
  private let found: [Int64]

  /// - Parameters:
  ///   - alignment: neither `auto` nor `content`.
  ///   - rate: in whose frames time is counted.
  /// - Throws: code `input` for a clip that has no timecode where that is asked for.
  init(_ clip: ClipPictures, by alignment: ClipAlignment, rate: FrameRate) throws(CamrecError) {
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
        "no picture at the beginning of '\(clip.path)' has a number of the simulated camera's; align by time"
          + " (--align)")
    }
    known.number = number
  }

  /// What two clips show.
  struct Content {
    let keys: (first: PictureKeys, second: PictureKeys)
    /// Of each clip.
    let pictures: (first: Int, second: Int)
    /// As `PictureAlignment.likeness`.
    let likeness: Double?
  }

  /// By what the pictures of two clips show.
  ///
  /// - Parameter rate: in whose frames time is counted.
  /// - Throws: as `ClipPictures.next`.
  static func content(_ paths: (String, String), rate: FrameRate) throws(CamrecError) -> Content {
    let clips = (try ClipPictures(path: paths.0), try ClipPictures(path: paths.1))
    let counts = (clips.0.clip.expectedFrames, clips.1.clip.expectedFrames)
    let progress = WorkProgress(
      "looking through both clips", "frames", total: counts.0.flatMap { first in counts.1.map { first + $0 } })
    defer { progress.close() }
    (clips.0.progress, clips.1.progress) = (progress, progress)
    let way: ClipAlignment = haveLabels(clips) ? .timecode : .time
    let first = try survey(clips.0, by: way, rate: rate), second = try survey(clips.1, by: way, rate: rate)
    let found = PictureAlignment(first: first, second: second)
    return Content(
      keys: (PictureKeys(found: found.keys.first, clips.0), PictureKeys(found: found.keys.second, clips.1)),
      pictures: (first.count, second.count), likeness: found.likeness)
  }

  private init(found: [Int64], _ clip: ClipPictures) {
    (alignment, self.found) = (.content, found)
    (rate, seconds, firstLabel, known) = (clip.clip.format.frameRate, clip.seconds, 0, (0, 0))
  }

  /// What all pictures of a clip show.
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

  /// The frame that the clip's timecode counts at its beginning.
  private static func label(of clip: ClipPictures) throws(CamrecError) -> Int64 {
    guard let label = timecode(of: clip) else {
      throw CamrecError(.input, "'\(clip.path)' has no timecode; align the clips by time or by frame (--align)")
    }
    return Int64(label.frameNumber(at: clip.clip.format.frameRate))
  }

  private static func timecode(of clip: ClipPictures) -> Timecode? {
    clip.clip.tags.timecode.flatMap { try? Timecode(parsing: $0, rate: clip.clip.format.frameRate) }
  }

  /// What `auto` is for two clips.
  ///
  /// - Throws: as `ClipPictures.next`.
  static func choice(_ clips: (ClipPictures, ClipPictures)) throws(CamrecError) -> ClipAlignment {
    let (first, second) = clips
    if try firstNumber(in: first.path) != nil, try firstNumber(in: second.path) != nil { return .number }
    return .content
  }

  /// Whether timecodes put both on one time line.
  private static func haveLabels(_ clips: (ClipPictures, ClipPictures)) -> Bool {
    clips.0.clip.format.frameRate == clips.1.clip.format.frameRate && timecode(of: clips.0) != nil
      && timecode(of: clips.1) != nil
  }

  /// Pictures that are looked at for a number: one that is spoilt does not make a clip one without.
  private static let searched = 12

  /// The number that the clip's first picture has, by the first that can be read.
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

  /// One whose number cannot be read has that which its time makes likely.
  mutating func next(_ picture: borrowing Frame, at time: SourceTime) -> Int64 {
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

  /// The number that the simulated camera has written into it.
  static func number(of picture: borrowing Frame) -> Int64? {
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

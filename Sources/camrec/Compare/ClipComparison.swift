import Cameras
import Frames
import Goldens
import MediaFFmpeg

/// Holds two clips against each other, picture by picture.
struct ClipComparison {
  /// A picture that is in both, by its place in each.
  struct Pair {
    let first: Int
    let second: Int
    /// In each clip, from its first picture on.
    let seconds: (first: Double, second: Double)
    let quality: FrameQuality
  }

  /// From a frame of the first clip on, the second shows its frames so much later, or earlier, than from the first pair
  /// on.
  struct Shift: Encodable {
    let frame: Int
    let seconds: Double
  }

  /// Not `auto`; `nil` where the clips show nothing in common.
  let alignment: ClipAlignment?
  /// How like they are in what they show, 0 to 1, where that was looked at (`ClipLikeness`).
  private(set) var likeness: Double?
  private(set) var pairs: [Pair] = []
  /// Places of pictures of the first clip that the second lacks.
  private(set) var missing: [Int] = []
  /// Places in the second clip of pictures that the first lacks, and of those that are there again.
  private(set) var added: [Int] = []
  private(set) var doubled: [Int] = []
  /// Places in the first clip of pictures that are there again.
  private(set) var doubledInFirst: [Int] = []

  /// - Throws: code `input`: the pictures have two sizes, none belong together, or one does not decode.
  init(_ clips: (ClipPictures, ClipPictures), by wanted: ClipAlignment) throws(CamrecError) {
    let alignment = wanted == .auto ? try PictureKeys.choice(clips) : wanted
    let format = clips.0.clip.format
    let other = clips.1.clip.format
    guard format.width == other.width, format.height == other.height else {
      throw CamrecError(
        .input,
        "'\(clips.1.path)' has pictures of \(other.width)x\(other.height), and '\(clips.0.path)' of"
          + " \(format.width)x\(format.height): only pictures of one size are compared; scale one of them first")
    }
    let first = try ClipSide(clips.0)
    let second = try ClipSide(clips.1)
    guard alignment != .timecode || format.frameRate == other.frameRate else {
      throw CamrecError(
        .input,
        "the clips count \(format.frameRate) and \(other.frameRate) frames a second, so that their timecodes do not"
          + " go together; align by time (--align)")
    }
    if alignment == .content {
      let content = try PictureKeys.content((clips.0.path, clips.1.path), rate: format.frameRate)
      likeness = content.likeness
      if let likeness, likeness < ClipLikeness.least {
        self.alignment = nil
        (missing, added) = (Array(0..<content.pictures.first), Array(0..<content.pictures.second))
        return
      }
      first.begin(content.keys.first)
      second.begin(content.keys.second)
    } else {
      first.begin(try PictureKeys(clips.0, by: alignment, rate: format.frameRate))
      second.begin(try PictureKeys(clips.1, by: alignment, rate: format.frameRate))
    }
    self.alignment = alignment
    let progress = WorkProgress("comparing", "frames", total: clips.0.clip.expectedFrames)
    defer { progress.close() }
    // The first clip's are counted, of which one is held against the other's at a time.
    clips.0.progress = progress
    var meter = PictureMeter()
    var last: Int64?
    while first.isThere || second.isThere {
      if first.isThere, !second.isThere || first.key < second.key {
        if first.key == last { doubledInFirst.append(first.place) } else { missing.append(first.place) }
        try first.advance()
      } else if second.isThere, !first.isThere || second.key < first.key {
        if second.key == last { doubled.append(second.place) } else { added.append(second.place) }
        try second.advance()
      } else {
        pairs.append(
          Pair(
            first: first.place, second: second.place, seconds: (first.time, second.time),
            quality: try first.measure(against: second, with: &meter)))
        last = second.key
        try first.advance()
        try second.advance()
      }
    }
    guard !pairs.isEmpty else {
      throw CamrecError(
        .input,
        "no picture of '\(clips.1.path)' belongs to one of '\(clips.0.path)' by \(alignment.rawValue);"
          + " try another --align")
    }
  }

  /// Seconds that are no shift: Matroska counts in milliseconds, in both clips, and their first frames' are so, too.
  private static let blur = 0.0025

  /// Of frames that belong together by what they are; those that do by time show at their times.
  var shifts: [Shift] {
    guard alignment != .time, alignment != .timecode, let first = pairs.first else { return [] }
    func delay(_ pair: Pair) -> Double { pair.seconds.second - pair.seconds.first }
    var shifts: [Shift] = []
    var last = 0.0
    for pair in pairs {
      let seconds = delay(pair) - delay(first)
      guard abs(seconds - last) > ClipComparison.blur else { continue }
      last = abs(seconds) > ClipComparison.blur ? seconds : 0
      shifts.append(Shift(frame: pair.first, seconds: (last * 1e6).rounded() / 1e6))
    }
    return shifts
  }

  /// By the first clip's places.
  var quality: ClipQuality {
    ClipQuality(
      pairs.map { pair in
        ClipQuality.Picture(
          number: pair.first, seconds: pair.seconds.first, otherSeconds: pair.seconds.second, quality: pair.quality)
      })
  }
}

/// One of two clips, and the picture at which it is.
///
/// Thread: one at a time.
private final class ClipSide {
  private let clip: ClipPictures
  private var keys: PictureKeys?
  private var picture: ClipPictures.Picture?
  var isThere: Bool { picture != nil }
  private(set) var key: Int64 = 0
  private(set) var place = 0
  private var start: Int64?

  /// At its first picture.
  init(_ clip: ClipPictures) throws(CamrecError) {
    self.clip = clip
    try take()
  }

  /// Seconds from the clip's first picture on.
  var time: Double { Double((picture?.time.ticks ?? 0) - (start ?? 0)) * clip.seconds }

  /// Finds the key of the first picture.
  func begin(_ keys: PictureKeys) {
    self.keys = keys
    findKey()
  }

  func advance() throws(CamrecError) {
    try take()
    place += 1
    findKey()
  }

  func measure(against other: ClipSide, with meter: inout PictureMeter) throws(CamrecError) -> FrameQuality {
    guard let picture, let other = other.picture else { throw CamrecError(.defect, "there is no picture to measure") }
    return try meter.measure(picture.picture, other.picture)
  }

  private func take() throws(CamrecError) {
    // The one before is given back first: there are few.
    picture = nil
    picture = try clip.next()
    start = start ?? picture?.time.ticks
  }

  private func findKey() {
    guard let picture else { return }
    key = keys?.next(picture.picture, at: picture.time) ?? 0
  }
}

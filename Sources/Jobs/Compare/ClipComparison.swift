import Cameras
package import Frames
package import Goldens
import MediaFFmpeg
import Reporting

/// Compares two clips frame by frame.
package struct ClipComparison {
  /// A frame that is in both clips, with its position in each.
  package struct Pair {
    package let first: Int
    package let second: Int
    /// Its time in each clip, from the clip's first frame.
    package let seconds: (first: Double, second: Double)
    package let quality: FrameQuality
  }

  /// From this frame of the first clip on, the second clip shows its frames later by `seconds`, or earlier if negative,
  /// than at the first pair.
  package struct Shift: Encodable {
    package let frame: Int
    package let seconds: Double
  }

  /// How frames were matched; not `auto`.
  package let way: ClipAlignment
  /// That way; `nil` if the clips have nothing in common. All frames are then missing or added, and none is measured.
  package private(set) var alignment: ClipAlignment?
  /// How alike the clips' content is, 0 to 1, if it was compared (`ClipLikeness`).
  package private(set) var likeness: Double?
  package private(set) var pairs: [Pair] = []
  /// Positions in the first clip of frames that the second lacks.
  package private(set) var missing: [Int] = []
  /// Positions in the second clip of frames that the first lacks, and of repeated frames.
  package private(set) var added: [Int] = []
  package private(set) var doubled: [Int] = []
  /// Positions in the first clip of repeated frames.
  package private(set) var doubledInFirst: [Int] = []
  /// Frames that both clips have and that are not among the pairs: the rest is in the same order without them.
  package private(set) var moved: [FrameMove] = []

  /// - Throws: code `input` if the frame sizes differ, a clip lacks what its frames are to be matched by, or a frame
  ///   does not decode.
  package init(_ clips: (ClipPictures, ClipPictures), by wanted: ClipAlignment) throws(CamrecError) {
    let alignment = wanted == .auto ? try PictureKeys.choice(clips) : wanted
    way = alignment
    let format = clips.0.clip.format
    let other = clips.1.clip.format
    guard format.width == other.width, format.height == other.height else {
      throw CamrecError(
        .input,
        "'\(clips.1.path)' is \(other.width)x\(other.height), and '\(clips.0.path)' is"
          + " \(format.width)x\(format.height); scale one of them to the size of the other first")
    }
    let first = try ClipSide(clips.0)
    let second = try ClipSide(clips.1)
    guard alignment != .timecode || format.frameRate == other.frameRate else {
      throw CamrecError(
        .input,
        "the clips have \(format.frameRate) and \(other.frameRate) frames a second, so their timecodes do not match;"
          + " align by time (--align time)")
    }
    var moves: [FrameMove] = []
    if alignment == .content {
      let content = try PictureKeys.content((clips.0.path, clips.1.path), rate: format.frameRate)
      (likeness, moves) = (content.likeness, content.moved)
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
    // Counts the frames of the first clip.
    clips.0.progress = progress
    var meter = PictureMeter()
    var last: Int64?
    var keys: (missing: [Int64], added: [Int64]) = ([], [])
    while first.isThere || second.isThere {
      if first.isThere, !second.isThere || first.key < second.key {
        if first.key == last {
          doubledInFirst.append(first.place)
        } else {
          missing.append(first.place)
          keys.missing.append(first.key)
        }
        try first.advance()
      } else if second.isThere, !first.isThere || second.key < first.key {
        if second.key == last {
          doubled.append(second.place)
        } else {
          added.append(second.place)
          keys.added.append(second.key)
        }
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
      self.alignment = nil
      return
    }
    if alignment == .number {
      moves = FrameMove.find(
        first: zip(missing, keys.missing).map { (place: $0, key: $1) },
        second: zip(added, keys.added).map { (place: $0, key: $1) })
    }
    note(moves)
  }

  /// What has moved is neither missing nor added.
  private mutating func note(_ moves: [FrameMove]) {
    guard !moves.isEmpty else { return }
    let lacking = Set(missing), surplus = Set(added)
    moved = moves.filter { lacking.contains($0.first) && surplus.contains($0.second) }
    let places = (first: Set(moved.map(\.first)), second: Set(moved.map(\.second)))
    missing.removeAll { places.first.contains($0) }
    added.removeAll { places.second.contains($0) }
  }

  /// Positions in the first clip of frames that the second has in another order: those that have moved, and of two
  /// neighbours that have changed places the other one as well.
  package var reordered: [Int] {
    guard !moved.isEmpty else { return [] }
    let partners = Dictionary(uniqueKeysWithValues: pairs.map { ($0.first, $0.second) })
    var places: Set<Int> = []
    for move in moved {
      places.insert(move.first)
      for step in [-1, 1] where partners[move.first + step] == move.second - step { places.insert(move.first + step) }
    }
    return places.sorted()
  }

  /// Seconds that do not count as a shift: Matroska rounds times to milliseconds, in both clips and also for their
  /// first frames.
  private static let blur = 0.0025

  /// Empty if frames are matched by time or timecode: those show at their times.
  package var shifts: [Shift] {
    guard alignment != .time, alignment != .timecode, let first = pairs.first else { return [] }
    func delay(_ pair: Pair) -> Double { pair.seconds.second - pair.seconds.first }
    var shifts: [Shift] = []
    var last = 0.0
    let reordered = Set(self.reordered)
    for pair in pairs where !reordered.contains(pair.first) {
      let seconds = delay(pair) - delay(first)
      guard abs(seconds - last) > ClipComparison.blur else { continue }
      last = abs(seconds) > ClipComparison.blur ? seconds : 0
      shifts.append(Shift(frame: pair.first, seconds: (last * 1e6).rounded() / 1e6))
    }
    return shifts
  }

  /// The quality of all pairs, by position in the first clip.
  package var quality: ClipQuality {
    ClipQuality(
      pairs.map { pair in
        ClipQuality.Picture(
          number: pair.first, seconds: pair.seconds.first, otherSeconds: pair.seconds.second, quality: pair.quality)
      })
  }
}

/// One of two clips, and its current frame.
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

  /// Starts at the first frame.
  init(_ clip: ClipPictures) throws(CamrecError) {
    self.clip = clip
    try take()
  }

  /// Seconds from the clip's first frame.
  var time: Double { Double((picture?.time.ticks ?? 0) - (start ?? 0)) * clip.seconds }

  /// Finds the key of the first frame.
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
    guard let picture, let other = other.picture else { throw CamrecError(.defect, "there is no frame to measure") }
    return try meter.measure(picture.picture, other.picture)
  }

  private func take() throws(CamrecError) {
    // Gives the previous frame back first: there are few.
    picture = nil
    picture = try clip.next()
    start = start ?? picture?.time.ticks
  }

  private func findKey() {
    guard let picture else { return }
    key = keys?.next(picture.picture, at: picture.time) ?? 0
  }
}

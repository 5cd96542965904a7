import Cameras
package import Frames
package import Goldens
import MediaFFmpeg

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

  /// From this frame of the first clip on, the second clip shows its frames later by `seconds`, or earlier if negative.
  /// Both clips' times count from their first frames.
  package struct Shift: Encodable {
    package let frame: Int
    package let seconds: Double
  }

  /// How frames were matched; not `auto`.
  package let way: ClipAlignment
  /// That way; `nil` if the clips have nothing in common. All frames are then missing or added, and none is measured.
  package private(set) var alignment: ClipAlignment?
  /// How alike the clips' content is, 0 to 1, if it was compared (`ClipLikeness`).
  package let likeness: Double?
  /// The frames that both clips have, by position in the first.
  package private(set) var pairs: [Pair] = []
  /// Positions in the first clip of those that are in another order, as `FrameMatches` says.
  package private(set) var reordered: [Int] = []
  /// Positions in the first clip of frames that the second lacks.
  package private(set) var missing: [Int] = []
  /// Positions in the second clip of frames that the first lacks, and of repeated frames.
  package private(set) var added: [Int] = []
  package private(set) var doubled: [Int] = []
  /// Positions in the first clip of repeated frames.
  package private(set) var doubledInFirst: [Int] = []

  /// - Throws: code `input` if the frame sizes differ, a clip lacks what its frames are to be matched by, or a frame
  ///   does not decode.
  package init(_ clips: (ClipPictures, ClipPictures), by wanted: ClipAlignment) throws(CamrecError) {
    let paths = (clips.0.path, clips.1.path)
    way = wanted == .auto ? try ClipAlignment.choice(paths) : wanted
    let format = clips.0.clip.format
    let other = clips.1.clip.format
    guard format.width == other.width, format.height == other.height else {
      throw CamrecError(
        .input,
        "'\(paths.1)' is \(other.width)x\(other.height), and '\(paths.0)' is"
          + " \(format.width)x\(format.height); scale one of them to the size of the other first")
    }
    let rates = (clips.0.clip.frameRate, clips.1.clip.frameRate)
    guard way != .timecode || rates.0 == rates.1 else {
      throw CamrecError(
        .input, about: .align,
        "the clips have \(rates.0) and \(rates.1) frames a second, so their timecodes do not match;"
          + " align by time (\(setting: .align) time)")
    }
    let found = try ClipMatches(clips, by: way)
    likeness = found.likeness
    guard likeness.map({ $0 >= ClipLikeness.least }) != false, !found.frames.matches.isEmpty else {
      (missing, added) = (Array(found.seconds.first.indices), Array(found.seconds.second.indices))
      return
    }
    alignment = way
    missing = found.frames.missing
    added = found.frames.added
    doubled = found.frames.doubled
    doubledInFirst = found.frames.doubledInFirst
    reordered = found.frames.reordered.map(\.first)
    let qualities = try MatchMeter.qualities(of: found.frames.matches, in: clips)
    for match in found.frames.matches {
      guard let quality = qualities[match] else { throw CamrecError(.defect, "a frame in both clips was not measured") }
      pairs.append(
        Pair(
          first: match.first, second: match.second,
          seconds: (found.seconds.first[match.first], found.seconds.second[match.second]), quality: quality))
    }
  }

  /// Seconds that do not count as a shift: Matroska rounds times to milliseconds, in both clips and also for their
  /// first frames.
  private static let blur = 0.0025

  /// Seconds from one frame of the second clip to the next, as most of them have it; 0 for fewer than two frames. It is
  /// a mean: times are rounded, and a frame may have passed many others.
  private var spacing: Double {
    let times = pairs.map(\.seconds.second).sorted()
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    guard !steps.isEmpty else { return 0 }
    let usual = steps[steps.count / 2]
    let alike = steps.filter { abs($0 - usual) <= ClipComparison.blur }
    return alike.reduce(0, +) / Double(alike.count)
  }

  /// Empty if frames are matched by time or timecode: those show at their times. What moves past a frame shifts it by a
  /// place, which does not count.
  package var shifts: [Shift] {
    let reordered = Set(self.reordered)
    let moved = self.pairs.filter { reordered.contains($0.first) }
    let pairs = self.pairs.filter { !reordered.contains($0.first) }
    guard alignment != .time, alignment != .timecode else { return [] }
    let spacing = moved.isEmpty ? 0 : spacing
    let (left, arrived) = (moved.map(\.first), moved.map(\.second).sorted())
    var (gone, come) = (0, 0)
    var shifts: [Shift] = []
    var last = 0.0
    for pair in pairs {
      while gone < left.count, left[gone] < pair.first { gone += 1 }
      while come < arrived.count, arrived[come] < pair.second { come += 1 }
      let seconds = pair.seconds.second - pair.seconds.first - Double(come - gone) * spacing
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

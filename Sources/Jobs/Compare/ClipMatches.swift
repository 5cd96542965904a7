import Cameras
import Frames
import Goldens
import MediaFFmpeg
import Movies
import Reporting

/// Which frames of two clips belong together, and when they show.
struct ClipMatches {
  let frames: FrameMatches
  /// Each frame's time in seconds, from its clip's first frame.
  let seconds: (first: [Double], second: [Double])
  /// How alike the clips' content is, 0 to 1, if it was compared (`ClipLikeness`).
  let likeness: Double?

  /// Reads both clips to their ends.
  ///
  /// - Parameter way: not `auto`.
  /// - Throws: as `ClipPictures.next`; code `input` for a clip without the timecode or the numbers that `way` needs.
  init(_ clips: (ClipPictures, ClipPictures), by way: ClipAlignment) throws(CamrecError) {
    let rate = clips.0.clip.frameRate
    let labels = (ClipMatches.label(of: clips.0), ClipMatches.label(of: clips.1))
    for (clip, label) in [(clips.0, labels.0), (clips.1, labels.1)] {
      if way == .timecode, label == nil {
        let fault =
          clip.clip.tags.timecode.map { "has timecode '\($0)', which does not exist at \(clip.clip.frameRate) fps" }
          ?? "has no timecode"
        throw CamrecError(
          .input, about: .align,
          "'\(clip.path)' \(fault); align by time or by position (\(setting: .align) time, \(setting: .align) "
            + "frame)")
      }
      if way == .number, try !ClipAlignment.hasNumbers(clip.path) {
        throw CamrecError(
          .input, about: .align,
          "no frame at the beginning of '\(clip.path)' has a number from the simulated camera; align by time"
            + " (\(setting: .align) time)")
      }
    }
    let counts = (clips.0.expectedFrames, clips.1.expectedFrames)
    let progress = WorkProgress(
      "scanning both clips", "frames", total: counts.0.flatMap { first in counts.1.map { first + $0 } })
    defer { progress.close() }
    (clips.0.progress, clips.1.progress) = (progress, progress)
    let first = try ClipSurvey(clips.0, for: way)
    // A .mkv does not list its frames, so its gaps were expected as frames.
    if let count = counts.1 { progress.measure(first.seconds.count, of: first.seconds.count + count) }
    let second = try ClipSurvey(clips.1, for: way)
    let scanned = first.seconds.count + second.seconds.count
    progress.measure(scanned, of: scanned)
    seconds = (first.seconds, second.seconds)
    let places = (first: first.places(at: rate), second: second.places(at: rate))
    func labelled() -> (first: [Int64], second: [Int64])? {
      guard let one = labels.0, let other = labels.1, rate == clips.1.clip.frameRate else { return nil }
      return (
        ClipMatches.labels(from: one, places.first, rate), ClipMatches.labels(from: other, places.second, rate)
      )
    }
    switch way {
    case .content:
      let shared = labelled()
      let times = (
        first: shared?.first.map { Double($0) } ?? first.times(at: rate),
        second: shared?.second.map { Double($0) } ?? second.times(at: rate)
      )
      let found = PictureAlignment(
        first: zip(first.signatures, times.first).map { PictureAlignment.Picture($0, time: $1) },
        second: zip(second.signatures, times.second).map { PictureAlignment.Picture($0, time: $1) })
      (frames, likeness) = (found.matches, found.likeness)
    case .number:
      let numbers = (
        first: FrameNumbers.complete(first.numbers, places: places.first),
        second: FrameNumbers.complete(second.numbers, places: places.second)
      )
      frames = FrameMatches(first: numbers.first, second: numbers.second).onTime(keys: numbers, seconds: seconds)
      likeness = nil
    case .timecode:
      let keys = labelled() ?? places
      (frames, likeness) = (FrameMatches(first: keys.first, second: keys.second), nil)
    case .time, .auto:
      // At a higher rate, several frames have one place; the one that shows nearest to its time belongs to it.
      let last = places.first.max() ?? -1
      let keys = (first: places.first, second: second.places(at: rate, beside: last, own: clips.1.clip.frameRate))
      let found = FrameMatches(first: keys.first, second: keys.second)
      (frames, likeness) = (found.onTime(keys: keys, seconds: seconds, delay: 0), nil)
    case .frame:
      frames = FrameMatches(first: Array(first.seconds.indices), second: Array(second.seconds.indices))
      likeness = nil
    }
  }

  /// The timecode of the clip's first frame.
  private static func label(of clip: ClipPictures) -> Timecode? {
    let camera = clip.clip, rate = camera.frameRate
    return camera.tags.timecode.flatMap { try? Timecode(parsing: $0, rate: rate) }
      .map { $0.advanced(by: camera.framesBehindTimecode, at: rate) }
  }

  /// The frame number of each frame's timecode, which starts again after a day.
  ///
  /// - Parameter places: the frames' times, in frames from the first one's.
  private static func labels(from label: Timecode, _ places: [Int64], _ rate: FrameRate) -> [Int64] {
    let perDay = Int64(label.framesPerDay(at: rate))
    return places.map { label.advanced(by: Int($0 % perDay), at: rate).frameNumber(at: rate) }.map { Int64($0) }
  }
}

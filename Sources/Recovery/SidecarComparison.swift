import Frames
import Sidecar

/// Compares a film's frames and audio with what its sidecar says was written.
struct SidecarComparison {
  /// Runs of frames that the sidecar lists and the film lacks.
  private(set) var missing: [(frame: Int64, count: Int64)] = []
  /// Frames of the film that the sidecar does not list, because its own end was lost.
  private(set) var unlisted: Int64 = 0
  /// When the sidecar's markers were set, in seconds of film.
  let markers: [Double]
  /// Frames that the sidecar already counts as lost to the disk, without their places: it lists them as written, too.
  private(set) var counted: Int64 = 0
  /// Frames of the film.
  let frames: Int64
  /// Seconds from the film's beginning to its last frame's end, if that frame lasts as long as the rate says.
  let seconds: Double
  /// Where the recording ended, in the film's ticks; `nil` if it was killed.
  let end: Int64?
  /// Frames that waited to be written when the recording was cut off: they have no record, and are not in the film.
  let unwritten: Int64
  /// Samples of each channel that the film lacks at its end; `nil` without audio.
  let missingSamples: Int64?
  /// Samples of each channel that are silence, without those that the sidecar already counts as lost.
  let silentSamples: Int64
  let head: SidecarHead

  var missingFrames: Int64 { missing.reduce(0) { $0 + $1.count } }

  /// - Throws: code `input` if the sidecar cannot be read.
  init(_ film: FilmExtent, sidecar: String) throws(CamrecError) {
    let reader = try SidecarReader(path: sidecar)
    head = reader.head
    let scale = reader.head.timeBase * Rational(film.timescale)
    func filmTicks(_ ticks: Int64) -> Int64 { scale.scaling(ticks) }
    var times = film.pictures, frames: Int64 = 0, lastTime: Int64?
    func take() {
      lastTime = times.next()
      frames += 1
    }
    // The last frame that both have.
    var found: (time: Int64, ticks: Int64)?
    var ranges: [(frame: Int64, count: Int64)] = [], unlisted: Int64 = 0, counted: Int64 = 0
    var markers: [Double] = [], recordingEnd: Int64?
    let frameTicks = (reader.head.frameRate.frameDuration * reader.head.timeBase.inverse).scaling(1)
    // Less than half a frame, so that neighbours are not mistaken for each other.
    let tolerance = min(film.tolerance, max(0, filmTicks(frameTicks).subtractingSaturated(1) / 2))
    // Repeated frames have no records of their own: they lie between the frame before them and the next one.
    var repeats: Int64 = 0, repeatsEnd: Int64 = 0, last: SidecarFrame?, pace = frameTicks
    func pass(before time: Int64) {
      while let picture = times.peek(), picture < time {
        if repeats > 0 { repeats -= 1 } else { unlisted += 1 }
        take()
      }
      repeats = 0
    }
    var audio = AudioComparison(film, reader.head, frameTicks: frameTicks)
    var waiting = UnwrittenFrames()
    _ = try reader.records { record in
      audio?.add(record)
      waiting.add(record)
      if case .repeated(let first, let count) = record {
        repeats = repeats.addingSaturated(count)
        // If the next frame's record is lost, they go as far as the camera's pace says.
        let distance = first.subtractingSaturated(last?.index ?? 0).addingSaturated(count)
        repeatsEnd = (last?.ticks ?? 0).addingSaturated(distance.multipliedSaturated(by: pace))
          .subtractingSaturated(pace / 2)
      }
      if case .marker(_, let seconds) = record { markers.append(seconds) }
      if case .end(let end) = record { recordingEnd = filmTicks(end.ticks) }
      if case .frameLoss(.disk, nil, let count) = record { counted = counted.addingSaturated(count) }
      guard case .frame(let frame) = record else { return }
      let time = filmTicks(frame.ticks)
      pass(before: time.subtractingSaturated(tolerance))
      if let last, frame.index > last.index {
        let distance = frame.index.subtractingSaturated(last.index)
        pace = max(frameTicks, frame.ticks.subtractingSaturated(last.ticks) / distance)
      }
      last = frame
      if let picture = times.peek(), picture <= time.addingSaturated(tolerance) {
        found = (picture, frame.ticks)
        take()
      } else if let last = ranges.last, last.frame + last.count == frame.index {
        ranges[ranges.count - 1].count += 1
      } else {
        ranges.append((frame.index, 1))
      }
    }
    let listed = unlisted
    if repeats > 0 { pass(before: filmTicks(repeatsEnd)) }
    while times.peek() != nil {
      take()
      unlisted += 1
    }
    missing = ranges
    self.unlisted = unlisted
    unwritten = waiting.count(unlisted: unlisted - listed)
    end = recordingEnd
    self.frames = frames
    self.markers = markers
    self.counted = counted
    var pictureEnd: Int64 = 0
    if unlisted > 0, let lastTime {
      pictureEnd = scale.inverse.scaling(lastTime).addingSaturated(frameTicks)
      if tolerance > 0, frameTicks > 0 {
        // A rounded time: whole frames behind the last one that is listed.
        let listed = last?.ticks ?? 0, frames = (pictureEnd.subtractingSaturated(listed) + frameTicks / 2) / frameTicks
        pictureEnd = listed.addingSaturated(frames.multipliedSaturated(by: frameTicks))
      }
    }
    missingSamples = audio?.missing(behind: pictureEnd)
    silentSamples = audio?.silent ?? film.silence.reduce(0) { $0.addingSaturated($1.upperBound - $1.lowerBound) }
    guard let lastTime else {
      seconds = 0
      return
    }
    // The sidecar has the exact time.
    let begin =
      if let found, found.time == lastTime {
        Double(found.ticks) * reader.head.timeBase.doubleValue
      } else {
        Double(lastTime) / Double(film.timescale)
      }
    seconds = begin + reader.head.frameRate.frameDuration.doubleValue
  }

  /// Markers behind the end of a film of that length. A marker has its frame's time.
  func markersBehind(_ seconds: Double) -> Int {
    let last = seconds - head.frameRate.frameDuration.doubleValue / 2
    return markers.count { $0 > last }
  }
}

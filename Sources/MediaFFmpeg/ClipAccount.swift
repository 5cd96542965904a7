import Frames

/// Counts what became of a clip's frames, and words the messages about it.
struct ClipAccount {
  private let path: String
  private let secondsPerTick: Double
  /// The first frame's time, and the stream's end according to the file; in ticks.
  let start: Int64
  private let promisedEnd: Int64?
  /// Set for a film that has no end.
  private let unfinished: UnfinishedFilm?
  private(set) var pictures = 0
  private var damaged = 0
  private var firstDamage: Int64?
  /// The end of what has been read, in ticks.
  private(set) var end: Int64
  /// The end of what the file has frames for, damaged ones included, in ticks.
  private var reached: Int64

  /// - Parameter start: the first frame's time in the stream's ticks.
  init(of reader: ClipReader, start: Int64) {
    path = reader.container.path
    secondsPerTick = reader.timeBase.doubleValue
    self.start = start
    promisedEnd = reader.promisedEnd
    unfinished = reader.unfinished
    end = start
    reached = start
  }

  mutating func read(ticks: Int64, duration: Int64) {
    pictures += 1
    end = max(end, ticks.addingSaturated(duration))
    reached = max(reached, end)
  }

  /// - Parameters:
  ///   - ticks: its time; `nil`: right after what has been read.
  ///   - duration: how long it lasts, in ticks.
  mutating func readDamaged(at ticks: Int64?, duration: Int64) {
    damaged += 1
    firstDamage = firstDamage ?? ticks ?? end
    if let ticks { reached = max(reached, ticks.addingSaturated(duration)) }
  }

  /// Whether the film is unfinished and may have frames behind those that were read.
  var mayHaveMore: Bool { unfinished?.mayHaveMore(behind: pictures + damaged) == true }

  /// How long the last frame, which begins at `ticks`, lasts: until the promised end if the clip is whole or that end
  /// is at most `duration` · 2 away, otherwise `duration`.
  func lastDuration(ticks: Int64, duration: Int64, isWhole: Bool) -> Int64 {
    guard let promisedEnd, promisedEnd > ticks else { return duration }
    let rest = promisedEnd.subtractingSaturated(ticks)
    return isWhole || rest <= duration.multipliedSaturated(by: 2) ? rest : duration
  }

  /// `nil` if all frames can be decoded.
  var damage: ClipDamage? {
    firstDamage.map { ClipDamage(path: path, frames: damaged, first: seconds($0)) }
  }

  /// Says why reading ended too early: the film is not finished, the file promised more, or reading failed. `nil` if
  /// nothing is missing.
  ///
  /// - Parameters:
  ///   - frameDuration: ticks.
  ///   - isWhole: the file has all its packets, and its last frame lasts as long as it promises.
  func cutSentence(frameDuration: Int64, failure: LibavError?, isWhole: Bool) -> String? {
    if let unfinished { return unfinished.cutSentence(pictures, end: seconds(end)) }
    if isWhole { return nil }
    let read = pictures == 1 ? "the 1 frame up to there was read" : "the \(pictures) frames up to there were read"
    if let promisedEnd, promisedEnd.subtractingSaturated(reached) > frameDuration.addingSaturated(frameDuration / 2) {
      let place = "\(path) ends at \(seconds(end)) s, but its header promises \(seconds(promisedEnd)) s"
      return "\(place): it was cut off; \(read)"
    }
    return failure.map { "\(path) cannot be read beyond \(seconds(end)) s (\($0.cause)); \(read)" }
  }

  /// The error for a frame of another shape than those before it. A film of those may be kept or not.
  func change(from shape: ClipPictureShape, to other: ClipPictureShape) -> CamrecError {
    CamrecError(
      .input,
      "the frames of \(path) change from \(shape.words) to \(other.words) at \(seconds(end)) s, "
        + "after \(pictures) frame\(pictures == 1 ? "" : "s"); cut the clip there, and use each part by itself")
  }

  private func seconds(_ ticks: Int64) -> String {
    let hundredths = Int64(saturating: (Double(ticks.subtractingSaturated(start)) * secondsPerTick * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

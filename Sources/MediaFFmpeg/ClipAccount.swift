import Frames

/// What became of a clip's pictures, and the sentences about it.
struct ClipAccount {
  private let path: String
  private let secondsPerTick: Double
  /// The first picture's time, and where the file says that the stream ends; ticks.
  let start: Int64
  private let promisedEnd: Int64?
  private(set) var pictures = 0
  private var damaged = 0
  private var firstDamage: Int64?
  /// Where what has been read ends.
  private(set) var end: Int64

  /// - Parameter start: the first picture's time in the stream's ticks.
  init(of reader: ClipReader, start: Int64) {
    path = reader.container.path
    secondsPerTick = reader.timeBase.doubleValue
    self.start = start
    promisedEnd = reader.promisedEnd
    end = start
  }

  mutating func read(ticks: Int64, duration: Int64) {
    pictures += 1
    end = max(end, ticks.addingSaturated(duration))
  }

  /// - Parameter ticks: its time; `nil`: behind what has been read.
  mutating func readDamaged(at ticks: Int64?) {
    damaged += 1
    firstDamage = firstDamage ?? ticks ?? end
  }

  /// How long the last picture lasts that begins at `ticks`: until the promised end where that lies within
  /// `duration` · 2, else `duration`.
  func lastDuration(ticks: Int64, duration: Int64) -> Int64 {
    guard let promisedEnd, promisedEnd > ticks else { return duration }
    let rest = promisedEnd.subtractingSaturated(ticks)
    return rest <= duration.multipliedSaturated(by: 2) ? rest : duration
  }

  var damageSentences: [String] {
    guard let firstDamage else { return [] }
    let what = damaged == 1 ? "1 picture does" : "\(damaged) pictures do"
    return [
      "\(path): \(what) not decode and \(damaged == 1 ? "is" : "are") missing, the first at \(seconds(firstDamage)) s"
    ]
  }

  /// What there is to say when no more can be read and there should be: the file promised more, or reading failed.
  ///
  /// - Parameter frameDuration: ticks.
  func cutSentence(frameDuration: Int64, failure: LibavError?) -> String? {
    let read = "the \(pictures) pictures up to there were read"
    if let promisedEnd, promisedEnd.subtractingSaturated(end) > frameDuration.addingSaturated(frameDuration / 2) {
      let place = "\(path) ends at \(seconds(end)) s of the \(seconds(promisedEnd)) s that its header promises"
      return "\(place): it was cut off; \(read)"
    }
    return failure.map { "\(path) cannot be read beyond \(seconds(end)) s (\($0.cause)); \(read)" }
  }

  /// A later picture has another shape than those before it.
  func change(from shape: ClipPictureShape, to other: ClipPictureShape) -> CamrecError {
    CamrecError(
      .input,
      "\(path) changes its picture at \(seconds(end)) s from \(shape.words) to \(other.words); "
        + "the \(pictures) pictures up to there are kept: cut the clip there to bake the rest")
  }

  private func seconds(_ ticks: Int64) -> String {
    let hundredths = Int64(saturating: (Double(ticks.subtractingSaturated(start)) * secondsPerTick * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}

/// The cost of pairing two frames, and of leaving one out, in units of the usual difference between consecutive frames.
struct AlignmentCosts {
  /// The usual difference between consecutive frames (the median), in 8-bit code values.
  private let step: Float
  /// Whether consecutive frames differ.
  let isMoving: Bool

  /// Less than two frames that differ cost as a pair. Two gaps cost more than that, so that a damaged frame does not
  /// count as one missing and one added.
  static let gap: Float = 0.75
  /// Decides if the frames do not: frames that are one apart in time, or more.
  private static let otherTime: Float = 0.01
  /// How much an encoder may change a frame in which nothing moves, in code values.
  private static let least: Float = 0.05
  /// The most that a pair further apart than a step costs on top. Coarse encoders change frames by more than a step:
  /// then this tells the right pairs from those that are further apart. With it, a pair still costs less than two gaps.
  private static let further: Float = 0.2

  init(_ pictures: [PictureAlignment.Picture]) {
    let steps = zip(pictures, pictures.dropFirst()).map { $0.signature.distance(to: $1.signature) }.sorted()
    let median = steps.isEmpty ? 0 : steps[steps.count / 2]
    isMoving = median > AlignmentCosts.least
    step = max(median, AlignmentCosts.least)
  }

  /// 0 to 1.21; in a still scene, where the times decide, to 1.01.
  func pair(_ first: PictureAlignment.Picture, _ second: PictureAlignment.Picture) -> Float {
    let distance = first.signature.distance(to: second.signature) / step
    let further = isMoving ? (1 - 1 / max(1, distance)) * AlignmentCosts.further : 0
    let time = Float(min(1, abs(first.time - second.time))) * AlignmentCosts.otherTime
    return min(1, distance) + further + time
  }

  /// Whether the second of two consecutive frames repeats the first. In a still scene nobody can tell by what
  /// it shows.
  func isDouble(_ first: PictureAlignment.Picture, _ second: PictureAlignment.Picture) -> Bool {
    isMoving && isSame(first.signature.distance(to: second.signature))
  }

  /// Whether frames at this distance show the same moment, if an encoder changes frames less than that.
  func isSame(_ distance: Float) -> Bool { distance < step / 4 }

  /// Whether frames at this distance show different moments.
  func isOther(_ distance: Float) -> Bool { distance > step / 2 }

  /// Whether frames at this distance differ by more than an encoder's doing.
  func isVisible(_ distance: Float) -> Bool { distance > AlignmentCosts.least }
}

import Frames

/// Gives the frames of a clip with a constant rate their exact times, which its container has rounded to ticks.
///
/// Rounding explains times that lie within a tick of multiples of the frame duration, gaps included. The first frame
/// with another time shows that the rate is variable: it and those behind it keep their times.
struct ClipGrid {
  /// Parts of a tick, in which all times are given.
  let parts: Int64
  /// How long a frame lasts.
  private let step: Int64
  /// The time of the clip's first frame, in ticks.
  private let start: Int64
  private var isConstant: Bool
  /// How far the times so far lie behind those of the constant rate.
  private var spread: ClosedRange<Int64> = 0...0
  /// The place of the last frame.
  private var last: Int64?

  /// - Parameters:
  ///   - start: the time of the clip's first frame, in ticks.
  ///   - keepsTimes: only divides the ticks.
  init(of reader: ClipReader, start: Int64, keepsTimes: Bool) {
    let rate = reader.frameRate, timeBase = reader.timeBase
    let ticks = rate.frameDuration * timeBase.inverse
    // A timecode track needs frames of whole ticks: Matroska's milliseconds are too coarse for 24 fps. A file counts in
    // 31 bits.
    parts = ticks.denominator <= Int64(Int32.max) / timeBase.denominator ? ticks.denominator : 1
    step = max(1, ticks.scaling(parts))
    self.start = start
    // Below two ticks, nothing tells the places apart.
    isConstant = !keepsTimes && parts > 1 && rate.isStandard && step > 2 * parts && rate.isGrid(of: reader.stream)
  }

  /// The time of the next frame.
  mutating func time(of ticks: Int64) -> Int64 {
    let own = ticks.multipliedSaturated(by: parts)
    guard isConstant else { return own }
    let span = ticks.subtractingSaturated(start).multipliedSaturated(by: parts)
    let place = frames(in: span)
    let late = span.subtractingSaturated(place.multipliedSaturated(by: step))
    let wider = min(spread.lowerBound, late)...max(spread.upperBound, late)
    guard wider.upperBound - wider.lowerBound <= parts, last.map({ $0 < place }) ?? true else {
      isConstant = false
      return own
    }
    (spread, last) = (wider, place)
    return start.multipliedSaturated(by: parts).addingSaturated(place.multipliedSaturated(by: step))
  }

  /// How long a frame lasts that lasts `ticks` by its container.
  func duration(of ticks: Int64) -> Int64 {
    let own = ticks.multipliedSaturated(by: parts)
    guard isConstant else { return own }
    let whole = max(1, frames(in: own)).multipliedSaturated(by: step)
    return (-parts...parts).contains(own.subtractingSaturated(whole)) ? whole : own
  }

  /// The nearest whole number of frames.
  private func frames(in span: Int64) -> Int64 {
    span.addingSaturated(span < 0 ? -(step / 2) : step / 2) / step
  }
}

import Frames

/// Measures how fast frames are baked.
struct BakeTrial {
  private let pool: FramePool

  /// - Parameter frames: the number of frames underway at once.
  init(input: FrameFormat, frames: Int) {
    pool = FramePool(format: input, capacity: frames)
    fill(frames)
  }

  /// Fills frames with noise, so that no part of a table stays in a cache as it would with a flat frame.
  private func fill(_ frames: Int) {
    guard frames > 0, var frame = pool.take() else { return }
    for plane in 0..<frame.format.planeCount {
      unsafe frame.withMutablePlane(plane) { bytes in
        var state = UInt32(frames + plane)
        for index in bytes.indices {
          state = state &* 1_664_525 &+ 1_013_904_223
          unsafe bytes[index] = UInt8(truncatingIfNeeded: state >> 24)
        }
      }
    }
    // While this frame is lent, the pool gives out another one next.
    fill(frames - 1)
  }

  /// The rate after the first few frames, over a tenth of a second and at least eight frames; 0 if the bake fails.
  func framesPerSecond(_ baker: Baker) -> Double {
    let clock = ContinuousClock()
    do throws(CamrecError) {
      for _ in 0..<2 * baker.depth { try step(baker) }
      let start = clock.now
      var frames = 0
      while frames < 8 || clock.now - start < .milliseconds(100) {
        try step(baker)
        frames += 1
      }
      let elapsed = clock.now - start
      while baker.underway > 0 { _ = try baker.finish() }
      return Double(frames) / (elapsed / .seconds(1))
    } catch {
      return 0
    }
  }

  /// Begins one more frame; first finishes one if the most possible are underway.
  private func step(_ baker: Baker) throws(CamrecError) {
    if baker.underway == baker.depth { _ = try baker.finish() }
    guard let frame = pool.take() else { throw CamrecError(.defect, "a frame of the measurement is still lent") }
    try baker.begin(frame)
    if baker.depth == 1 { _ = try baker.finish() }
  }
}

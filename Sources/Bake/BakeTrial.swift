import Frames

/// Measures how fast frames are baked.
struct BakeTrial {
  private let pool: FramePool

  /// - Parameter frames: that are underway at once.
  init(input: FrameFormat, frames: Int) {
    pool = FramePool(format: input, capacity: frames)
    fill(frames)
  }

  /// Noise: no part of a table stays in a cache as it would with a flat picture.
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
    // While this one is out, the next one is another.
    fill(frames - 1)
  }

  /// The rate over a tenth of a second, and at least eight frames, after the first few; 0 where the bake fails.
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

  /// One more begun; one finished, once as many are underway as may be.
  private func step(_ baker: Baker) throws(CamrecError) {
    if baker.underway == baker.depth { _ = try baker.finish() }
    guard let frame = pool.take() else { throw CamrecError(.defect, "a frame of the measurement is still out") }
    try baker.begin(frame)
    if baker.depth == 1 { _ = try baker.finish() }
  }
}

package import Assembly
import Bake
package import Color
package import Frames
package import Kernels
import Platform

/// The time that a bake from one frame layout to another takes, with a look's grain.
package struct BakeMeasurement: Encodable {
  package let from: String
  package let to: String
  package let workers: Int
  /// The instruction set.
  package let level: String
  /// Wall-clock nanoseconds per pixel, the median.
  package let nanosecondsPerPixel: Double

  /// The most common pairs of a camera's layout and an encoder's.
  package static let pairs: [(PixelLayout, PixelLayout)] = [
    (.nv12, .yuv420p), (.yuyv, .yuv422p), (.yuyv, .yuv420p), (.yuv422p, .yuv420p), (.p010, .yuv420p10),
    (.p010, .yuv422p10),
  ]

  /// Bakes frames of `reel` one after the other for about `duration`.
  package init(
    _ reel: FrameReel, to layout: PixelLayout, grade: Grade, interpolation: Interpolation, workers: Int,
    level: KernelLevel, duration: Duration
  ) throws(CamrecError) {
    let input = reel.picture
    let baker = try Baker(
      input: input, outputLayout: layout, outputColor: .rec709, lut: try grade.table(from: input.color, to: .rec709),
      interpolation: interpolation, grain: grade.grain, level: level, workers: workers, frames: 1)
    _ = try baker.bake(reel.take())
    var times: [Int64] = []
    let end = MonotonicTime.now().advanced(by: Int64(duration / .nanoseconds(1)))
    while times.count < 5 || MonotonicTime.now() < end {
      let begin = MonotonicTime.now()
      _ = try baker.bake(reel.take())
      times.append(MonotonicTime.now() - begin)
    }
    times.sort()
    from = input.layout.rawValue
    to = layout.rawValue
    self.workers = workers
    self.level = level.rawValue
    nanosecondsPerPixel = Double(times[times.count / 2]) / Double(input.width * input.height)
  }
}

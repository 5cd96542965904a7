import Audio
import Frames
import Movies
import Testing

struct NullSinkTests {
  @Test func takesFramesBackAtOnceAndCountsThem() throws {
    let pool = FramePool(format: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), capacity: 1)
    let sink = NullSink()
    for time in 0..<3 {
      guard let frame = pool.take() else {
        Issue.record("the frame before \(time) is not back")
        return
      }
      try sink.write(frame, at: Int64(time))
    }
    try sink.write(AudioBuffer(format: .standard, capacity: 16))
    let report = try sink.finish(at: 3)
    #expect(report.frames == 3)
    #expect(report.bytes == 0)
    #expect(sink.bytesWritten == 0)
    #expect(pool.available == 1)
  }
}

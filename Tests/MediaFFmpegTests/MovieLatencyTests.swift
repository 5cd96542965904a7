import Foundation
import Frames
import MediaFFmpeg
import Movies
import Platform
import Testing

/// What a kill may cost: the writer's own figure against what is seen.
struct MovieLatencyTests {
  struct Case: Sendable {
    let preset: String?
    let rate: Rational
    var codec = VideoCodec.hevc
  }

  @Test(arguments: [
    Case(preset: nil, rate: Rational(24)), Case(preset: nil, rate: Rational(24000, 1001)),
    Case(preset: nil, rate: Rational(60)),
    Case(preset: nil, rate: Rational(12)), Case(preset: nil, rate: Rational(8)),
    Case(preset: "superfast", rate: Rational(24)),
    Case(preset: "medium", rate: Rational(24)), Case(preset: "slower", rate: Rational(30)),
    Case(preset: nil, rate: Rational(24), codec: .prores), Case(preset: nil, rate: Rational(24), codec: .ffv1),
  ])
  func picturesReachTheFileWithinTheBound(example: Case) throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(example.rate))
    let encoding = VideoEncoding(codec: example.codec, preset: example.preset)
    let layout = try MovieWriter.acceptedLayout(for: encoding, container: .mov, input: .nv12)
    let settings = MovieTake.settings(
      directory.path("take.mov"), width: 96, height: 64, layout: layout, rate: rate, encoding: encoding)
    let writer = try MovieWriter.open(settings)
    let bound = try #require(writer.lossBoundSeconds)
    #expect(bound <= 1, "an encoder that is set up to fit")
    // A picture has reached the file when the file has grown since it was handed over.
    var sizes: [Int64] = []
    _ = try MovieTake(settings, frames: 100).record(to: writer) { _ in
      writer.settle()
      sizes.append(writer.bytesWritten)
      // As a camera's do, frames leave the encoder's threads the time to take the one before.
      WorkThread.sleep(.milliseconds(10))
    }
    let firstGrowth = try #require(sizes.firstIndex { $0 > 0 })
    let growths = sizes.indices.dropFirst().filter { sizes[$0] > sizes[$0 - 1] }
    let longestFragment = zip(growths, growths.dropFirst()).map { $1 - $0 }.max() ?? 0
    #expect(
      Double(longestFragment) <= max(1, 0.25 * rate.framesPerSecond), "fragments last at most a quarter of a second")
    #expect(Double(firstGrowth + 1) / rate.framesPerSecond <= bound)
  }

  @Test func rateAtWhichNothingFitsSaysItsBound() throws {
    let directory = try MovieDirectory()
    let rate = try #require(FrameRate(Rational(1)))
    let writer = try MovieWriter.open(MovieTake.settings(directory.path("take.mov"), rate: rate))
    // The frame that is held, a fragment of one frame, and its way to the medium.
    #expect(writer.lossBoundSeconds == 2.1)
  }
}

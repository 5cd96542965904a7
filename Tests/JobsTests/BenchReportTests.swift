import Foundation
import Frames
import Jobs
import Testing

/// What measurements of a machine recommend.
struct BenchReportTests {
  private func encoder(
    _ preset: String?, _ framesPerSecond: Double, size: FrameSize = .fullHD, codec: String = "hevc"
  ) -> EncoderMeasurement {
    EncoderMeasurement(
      width: size.width, height: size.height, codec: codec, preset: preset, framesPerSecond: framesPerSecond,
      bytesPerFrame: 1000)
  }

  private var encoders: [EncoderMeasurement] {
    [
      encoder("ultrafast", 200), encoder("superfast", 100), encoder("medium", 32), encoder("slow", 31),
      encoder("slow", 400, size: FrameSize.usual[0]), encoder(nil, 1000, codec: "ffv1"),
    ]
  }

  private func preset(_ rate: String) throws -> String? {
    BenchReport.preset(of: encoders, size: .fullHD, rate: try #require(FrameRate(parsing: rate)))
  }

  /// A quarter of the speed is left for everything else.
  @Test func theSlowestPresetThatKeepsUpIsChosen() throws {
    #expect(try preset("24") == "medium" && preset("24000/1001") == "medium" && preset("25") == "superfast")
    #expect(try preset("150") == "ultrafast" && preset("151") == nil)
  }

  @Test func aRateInRealTimeIsOneOfTheUsualOnes() {
    #expect(encoder("medium", 32).sustainedRate == 24 && encoder("fast", 100).sustainedRate == 60)
    #expect(encoder("slow", 31).sustainedRate == nil)
    #expect(
      BenchReport.encoderLine(encoder("medium", 32))
        == "  1920x1080   hevc medium       32.0 fps    24 fps in real time")
    #expect(BenchReport.encoderLine(encoder("slow", 31)).hasSuffix(" 31.0 fps    not in real time"))
  }

  @Test func aReportHasWhatItWasAskedFor() throws {
    let rate = try #require(FrameRate(parsing: "23.976"))
    let recording = RecordingRate(plain: encoder("ultrafast", 200), withLUT: encoder("ultrafast", 120))
    let report = BenchReport(
      lut: "look.cube", look: nil, bakes: [], gpuBakes: [], encoders: encoders, recordings: [recording],
      size: .fullHD, rate: rate)
    #expect(report.preset == "medium" && report.size == "1920x1080" && report.rate == "24000/1001")
    #expect(recording.framesPerSecond == 200 && recording.framesPerSecondWithLUT == 120)
    #expect(
      BenchReport.choice(report.preset, size: .fullHD, rate: rate).withOptions
        == "for 1920x1080 at 24000/1001 fps choose --preset medium")
    #expect(BenchReport.choice(nil, size: .fullHD, rate: rate).withOptions.contains("choose a smaller --size or"))
  }
}

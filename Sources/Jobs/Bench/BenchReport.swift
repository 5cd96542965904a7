import Foundation
package import Frames
import Reporting

/// The results of `camrec bench`.
package struct BenchReport: Encodable {
  /// What is baked: one of the two.
  package let lut: String?
  package let look: String?
  package let bakes: [BakeMeasurement]
  package let gpuBakes: [GPUMeasurement]
  package let encoders: [EncoderMeasurement]
  package let recordings: [RecordingRate]
  /// The preset for the requested size and rate; `nil` if none is fast enough.
  package let preset: String?
  /// `1920x1080`, and exact: `24`, `24000/1001`.
  package let size: String
  package let rate: String

  /// - Parameters:
  ///   - size, rate: what to choose a preset for.
  package init(
    lut: String?, look: String?, bakes: [BakeMeasurement], gpuBakes: [GPUMeasurement],
    encoders: [EncoderMeasurement], recordings: [RecordingRate], size: FrameSize, rate: FrameRate
  ) {
    self.lut = lut
    self.look = look
    self.bakes = bakes
    self.gpuBakes = gpuBakes
    self.encoders = encoders
    self.recordings = recordings
    preset = BenchReport.preset(of: encoders, size: size, rate: rate)
    self.size = size.description
    self.rate = rate.description
  }

  /// The slowest preset that keeps up: presets are in order from fast to slow, and slower ones make smaller files.
  package static func preset(of encoders: [EncoderMeasurement], size: FrameSize, rate: FrameRate) -> String? {
    encoders.last {
      $0.width == size.width && $0.height == size.height && $0.preset != nil && $0.sustains(rate.framesPerSecond)
    }?.preset
  }

  package static func bakeLine(_ bake: BakeMeasurement) -> String {
    column("  \(bake.from) to \(bake.to)", 26)
      + column(bake.workers == 1 ? "1 worker" : "\(bake.workers) workers", 12) + column(bake.level, 8)
      + "\(HumanText.fixed(bake.nanosecondsPerPixel, 2)) ns per pixel, "
      + "\(HumanText.fixed(1000 / bake.nanosecondsPerPixel, 0)) million pixels a second"
  }

  package static func gpuLine(_ bake: GPUMeasurement) -> String {
    column("  \(bake.from) to \(bake.to)", 26)
      + "\(HumanText.fixed(bake.nanosecondsPerPixel, 3)) ns per pixel, "
      + "\(HumanText.fixed(bake.shaderNanosecondsPerPixel, 3)) without the copies"
  }

  package static func encoderLine(_ encoder: EncoderMeasurement) -> String {
    let real = encoder.sustainedRate.map { "\($0) fps in real time" } ?? "not in real time"
    return column("  \(encoder.width)x\(encoder.height)", 14)
      + column([encoder.codec, encoder.preset].compactMap { $0 }.joined(separator: " "), 18)
      + column("\(HumanText.fixed(encoder.framesPerSecond, 1)) fps", 12) + real
  }

  /// - Parameter grade: `LUT` or `look`.
  package static func recordingLine(_ rate: RecordingRate, _ grade: String) -> String {
    column("  \(rate.width)x\(rate.height)", 14)
      + column("\(HumanText.fixed(rate.framesPerSecond, 0)) fps without a \(grade),", 24)
      + "\(HumanText.fixed(rate.framesPerSecondWithLUT, 0)) fps with one"
  }

  package static func choice(_ preset: String?, size: FrameSize, rate: FrameRate) -> Sentence {
    let what = "\(size.width)x\(size.height) at \(rate) fps"
    if let preset { return "for \(what) choose \(setting: .preset) \(preset)" }
    return "\(what) is more than this machine encodes in real time; choose a smaller \(setting: .size) or a lower "
      + "\(setting: .fps)"
  }

  private static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

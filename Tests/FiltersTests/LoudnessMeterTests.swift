import Audio
import Filters
import Foundation
import Frames
import Testing

/// The first of EBU Tech 3341's test signals, and similar ones: a sine of 1000 Hz in both channels has its peak level
/// in LUFS.
@Suite struct LoudnessMeterTests {
  @Test(arguments: [-23.0, -33.0], [SampleFormat.s16, .s32]) func aSineHasItsLevel(level: Double, sample: SampleFormat)
    throws
  {
    let format = AudioFormat(sampleRate: 48000, channels: 2, sample: sample)
    let meter = try LoudnessMeter(format)
    var samples = [UInt8](repeating: 0, count: 4800 * format.bytesPerFrame)
    for block in 0..<100 {
      samples.withUnsafeMutableBytes { bytes in
        for index in 0..<4800 {
          let value = pow(10, level / 20) * sin(2 * .pi * 1000 * Double(block * 4800 + index) / 48000)
          for channel in 0..<2 {
            let place = (2 * index + channel) * sample.bytes
            switch sample {
            case .s16: bytes.storeBytes(of: Int16((value * 32767).rounded()), toByteOffset: place, as: Int16.self)
            case .s32: bytes.storeBytes(of: Int32(value * 2_147_483_647), toByteOffset: place, as: Int32.self)
            }
          }
        }
      }
      try meter.add(samples.span.bytes)
    }
    let found = try meter.integrated()
    #expect(abs(found - level) <= 0.1, "\(found)")
  }

  @Test(arguments: [1, 2, 3, 4, 6, 8]) func soundOfAnyChannels(channels: Int) throws {
    let format = AudioFormat(sampleRate: 44100, channels: channels)
    let meter = try LoudnessMeter(format)
    let samples = (0..<44100 * channels).map { Int16(8000 * sin(Double($0 / channels) * 0.1)) }
    try meter.add(samples.span.bytes)
    let found = try meter.integrated()
    #expect(found > -30 && found < -5, "\(found)")
  }

  @Test func silenceIsBelowTheGate() throws {
    let meter = try LoudnessMeter(.standard)
    let samples = [UInt8](repeating: 0, count: 48000 * AudioFormat.standard.bytesPerFrame)
    try meter.add(samples.span.bytes)
    #expect(try meter.integrated() <= -70)
  }
}

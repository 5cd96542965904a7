import Audio
import Foundation
import Frames
import MediaFFmpeg
import Testing

struct ResamplerTests {
  /// A sine of `frequency` Hz in every channel, from audio frame `first` on.
  private func fill(_ buffer: inout AudioBuffer, frequency: Double, first: Int, amplitude: Double = 0.5) {
    let format = buffer.format, count = buffer.capacity
    buffer.count = count
    buffer.withMutableBytes { bytes in
      for frame in 0..<count {
        let value = amplitude * sin(2 * .pi * frequency * Double(first + frame) / Double(format.sampleRate))
        for channel in 0..<format.channels {
          let index = frame * format.channels + channel
          switch format.sample {
          case .s16: bytes.storeBytes(of: Int16((value * 32767).rounded()), toByteOffset: 2 * index, as: Int16.self)
          case .s32:
            bytes.storeBytes(of: Int32((value * 2_147_483_647).rounded()), toByteOffset: 4 * index, as: Int32.self)
          }
        }
      }
    }
  }

  /// The samples of one channel, ±1.
  private func append(_ buffer: borrowing AudioBuffer, channel: Int, to samples: inout [Double]) {
    let format = buffer.format
    buffer.withBytes { bytes in
      for frame in 0..<(bytes.count / format.bytesPerFrame) {
        let index = frame * format.channels + channel
        samples.append(
          format.sample == .s16
            ? Double(bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)) / 32768
            : Double(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)) / 2_147_483_648)
      }
    }
  }

  /// Resamples `seconds` of sine in blocks of 20 ms; `stretch` may change with time.
  private func run(
    from input: AudioFormat, to output: AudioFormat, seconds: Double, frequency: Double = 1000, keeps: Bool = true,
    stretch: (Double) -> Double = { _ in 0 }, each: (_ input: Int, _ output: Int) -> Void = { _, _ in }
  ) throws -> [Double] {
    let resampler = try SwresampleResampler(from: input, to: output)
    let block = input.sampleRate / 50
    var source = AudioBuffer(format: input, capacity: block)
    let room = Int(Double(block) * 1.1 * Double(output.sampleRate) / Double(input.sampleRate)) + 64
    var target = AudioBuffer(format: output, capacity: room)
    var samples: [Double] = [], (taken, made) = (0, 0)
    for index in 0..<Int(seconds * 50) {
      if keeps || index == 0 { fill(&source, frequency: frequency, first: taken) }
      try resampler.setStretch(partsPerMillion: stretch(Double(taken) / Double(input.sampleRate)))
      try resampler.resample(source, into: &target)
      taken += source.count
      made += target.count
      each(taken, made)
      if keeps { append(target, channel: output.channels - 1, to: &samples) }
    }
    return samples
  }

  @Test(arguments: [100.0, -100, 0.3, 33.7, 0, 1000])
  func theCountFollowsTheStretchForTenMinutes(partsPerMillion: Double) throws {
    let mono = AudioFormat(sampleRate: 48000, channels: 1)
    var worst = 0.0, early = 0.0
    _ = try run(from: mono, to: mono, seconds: 600, keeps: false, stretch: { _ in partsPerMillion }) { taken, made in
      let error = Double(made) - Double(taken) * (1 + partsPerMillion * 1e-6)
      if taken == 48000 { early = error }
      if taken >= 48000 { worst = max(worst, abs(error - early)) }
    }
    // What the filter holds back is the same at all times.
    #expect((-40...0).contains(early))
    #expect(worst <= 2)
  }

  @Test func aChangingStretchAddsUp() throws {
    let stereo = AudioFormat.standard
    var due = 0.0, last = 0, early: Double?, worst = 0.0
    let stretch = { (seconds: Double) in 300 * sin(seconds / 3) }
    _ = try run(from: stereo, to: stereo, seconds: 60, keeps: false, stretch: stretch) { taken, made in
      due += Double(taken - last) * (1 + stretch(Double(last) / 48000) * 1e-6)
      last = taken
      let error = Double(made) - due
      if taken >= 4800 {
        early = early ?? error
        worst = max(worst, abs(error - (early ?? error)))
      }
    }
    #expect(worst <= 2)
  }

  @Test(arguments: [(48000, 48000), (44100, 48000), (16000, 48000), (96000, 48000), (8000, 44100)])
  func aSineKeepsItsFrequencyAndHasNoClicks(from: Int, to: Int) throws {
    let frequency = 1000.0, ppm = 150.0
    let output = AudioFormat(sampleRate: to, channels: 1)
    let samples = try run(
      from: AudioFormat(sampleRate: from, channels: 1), to: output, seconds: 4,
      stretch: { $0 < 2 ? ppm : -ppm })
    let settled = Array(samples[(to / 5)...])
    // The slope of a sine of amplitude 0.5 is at most π·f/rate per sample.
    let steepest = 0.5 * 2 * sin(.pi * frequency / Double(to))
    let jumps = zip(settled, settled.dropFirst()).map { abs($1 - $0) }
    #expect((jumps.max() ?? 1) <= steepest * 1.003 + 2.0 / 32768)
    // Whole periods by rising zero crossings, interpolated.
    let firstHalf = Array(settled[..<(to * 8 / 5)])
    var crossings: [Double] = []
    for index in 1..<firstHalf.count where firstHalf[index - 1] < 0 && firstHalf[index] >= 0 {
      crossings.append(Double(index - 1) + firstHalf[index - 1] / (firstHalf[index - 1] - firstHalf[index]))
    }
    let first = try #require(crossings.first), last = try #require(crossings.last)
    let measured = Double(crossings.count - 1) * Double(to) / (last - first)
    #expect(abs(measured / frequency * (1 + ppm * 1e-6) - 1) < 2e-6)
    #expect(abs((settled.max() ?? 0) - 0.5) < 0.005)
  }

  @Test func silenceStaysSilent() throws {
    let samples = try run(from: .standard, to: .standard, seconds: 0.5, frequency: 0, stretch: { _ in 200 })
    #expect(samples.count > 20000 && samples.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [SampleFormat.s16, .s32])
  func monoBecomesBothChannelsAtItsLevel(sample: SampleFormat) throws {
    let mono = AudioFormat(sampleRate: 48000, channels: 1, sample: sample)
    let stereo = AudioFormat(sampleRate: 48000, channels: 2, sample: sample)
    let samples = try run(from: mono, to: stereo, seconds: 0.5)
    #expect(abs((samples[4800...].max() ?? 0) - 0.5) < 0.003)
    #expect(abs((samples[4800...].min() ?? 0) + 0.5) < 0.003)
  }

  @Test func equalChannelsBecomeMonoAtTheirLevel() throws {
    let samples = try run(from: .standard, to: AudioFormat(sampleRate: 48000, channels: 1), seconds: 0.5)
    #expect(abs((samples[4800...].max() ?? 0) - 0.5) < 0.003)
  }

  @Test func timeIsThatOfTheInput() throws {
    let resampler = try SwresampleResampler(from: .standard, to: .standard)
    var source = AudioBuffer(format: .standard, capacity: 960), target = AudioBuffer(format: .standard, capacity: 1200)
    fill(&source, frequency: 1000, first: 0)
    source.time = MonotonicTime(nanoseconds: 123_456)
    try resampler.resample(source, into: &target)
    #expect(target.time == source.time)
    #expect(target.count > 0)
  }

  @Test func aStretchBeyondTheLimitIsRefused() throws {
    let resampler = try SwresampleResampler(from: .standard, to: .standard)
    var refused: CamrecError?
    do throws(CamrecError) { try resampler.setStretch(partsPerMillion: 60_000) } catch { refused = error }
    #expect(refused == CamrecError(.defect, "cannot stretch audio by 60000.0 ppm; the limit is 50000"))
  }
}

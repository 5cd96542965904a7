import Audio
import Frames
import Recorder
import TestKit
import Testing

struct SoundTrackTests {
  static let origin = MonotonicTime(nanoseconds: 1_000_000_000_000)
  static let clock = PictureClock.Reading(origin: origin, anchor: origin, movieSeconds: 0, rate: 1, isVariable: false)

  static func block(at seconds: Double, count: Int, value: Int16 = 1, lost: Int = 0) -> AudioBuffer {
    var block = AudioBuffer(format: .standard, capacity: count)
    block.count = count
    block.time = origin.advanced(by: Int64((seconds * 1e9).rounded()))
    block.lostBefore = lost
    block.withMutableBytes { $0.bindMemory(to: Int16.self).update(repeating: value) }
    return block
  }

  /// Lays a block; returns how many audio frames came out, and how many of them are silent.
  static func lay(_ block: consuming AudioBuffer, on track: inout SoundTrack) throws -> (frames: Int, silent: Int) {
    var scratch = AudioBuffer(format: .standard, capacity: 4096), frames = 0, silent = 0
    var laid = block
    try track.lay(&laid, scratch: &scratch, clock: clock) { (sound) throws(CamrecError) in
      frames += sound.count
      silent += sound.withBytes { $0.bindMemory(to: Int16.self).filter { $0 == 0 }.count } / 2
    }
    return (frames, silent)
  }

  @Test func soundBeforeTheFirstFrameIsCutToTheSample() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0)
    let early = Self.block(at: -0.1, count: 960)
    let precedes = track.precedesPicture(early, clock: Self.clock)
    #expect(precedes)
    let crossing = try Self.lay(Self.block(at: -0.005, count: 960), on: &track)
    #expect(crossing.frames == 720 && crossing.silent == 0)
    #expect(track.account.silence == 0)
  }

  @Test func soundThatBeginsLateIsPrecededByCountedSilence() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0)
    let first = try Self.lay(Self.block(at: 0.25, count: 480), on: &track)
    #expect(first.frames == 12_000 + 480 && first.silent == 12_000)
    #expect(track.account.silence == 12_000 && track.account.lost == 0 && track.account.written == 12_480)
  }

  @Test func soundThatBeginsLateBecauseItsMicrophoneWasAwayIsLost() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0)
    track.interrupt()
    let first = try Self.lay(Self.block(at: 0.25, count: 480), on: &track)
    #expect(first.frames == 12_000 + 480 && first.silent == 12_000)
    let account = track.account
    #expect(account.lost == 12_000 && account.lostAt == 0 && account.overruns == 1 && account.silence == 12_000)
  }

  @Test func soundThatStopsBecauseItsMicrophoneWasAwayIsOneLoss() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0)
    _ = try Self.lay(Self.block(at: 0, count: 480), on: &track)
    track.interrupt()
    let after = try Self.lay(Self.block(at: 0.26, count: 480), on: &track)
    #expect(after.silent == 12_000 && track.account.overruns == 1 && track.account.lost == 12_000)
    #expect(track.account.lostAt == 480)
  }

  @Test func anOffsetMovesTheSoundLater() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 20_000_000)
    #expect(try Self.lay(Self.block(at: 0, count: 480), on: &track).silent == 960)
  }

  @Test func lostSoundIsReplacedBySilenceAndCounted() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0)
    _ = try Self.lay(Self.block(at: 0, count: 480), on: &track)
    let after = try Self.lay(Self.block(at: 0.11, count: 480, lost: 4800), on: &track)
    #expect(after.frames == 5280 && after.silent == 4800)
    #expect(track.account.overruns == 1 && track.account.lost == 4800 && track.account.silence == 4800)
  }

  /// It began 0.15 s behind the picture, and its first 0.1 s are lost.
  @Test func soundThatIsLostFromItsBeginningIsCounted() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0)
    let first = try Self.lay(Self.block(at: 0.25, count: 480, lost: 4800), on: &track)
    #expect(first.frames == 12_480 && first.silent == 12_000)
    let account = track.account
    #expect(account.lost == 4800 && account.lostAt == 7200 && account.overruns == 1 && account.silence == 12_000)
  }

  @Test func soundThatIsLostInFrontOfThePictureIsNoLoss() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0)
    let first = try Self.lay(Self.block(at: 0.05, count: 480, lost: 48_000), on: &track)
    #expect(first.silent == 2400 && track.account.lost == 2400 && track.account.lostAt == 0)
  }

  @Test func soundThatIsLostAtTheEndIsSilence() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0)
    _ = try Self.lay(Self.block(at: 0, count: 480), on: &track)
    var end = Self.block(at: 0.11, count: 1, lost: 4800)
    end.count = 0
    let silence = try Self.lay(end, on: &track)
    #expect(silence.frames == 4800 && silence.silent == 4800)
    #expect(track.account.lost == 4800 && track.account.lostAt == 480 && track.account.written == 5280)
  }

  @Test func silenceIsFilledBitByBitAndIsOneLoss() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0), filled = 0
    var scratch = AudioBuffer(format: .standard, capacity: 4096)
    _ = try Self.lay(Self.block(at: 0, count: 4800), on: &track)
    for end in [2.0, 2.5, 2.5, 3] {
      try track.fill(to: end, scratch: &scratch) { (sound) throws(CamrecError) in filled += sound.count }
    }
    #expect(filled == 144_000 - 4800 && track.account.overruns == 1 && track.account.lost == 139_200)
    // Sound is back: what lies under the silence is left out, what is still missing is lost as well.
    #expect(try Self.lay(Self.block(at: 2.98, count: 480, lost: 138_240), on: &track).frames == 0)
    let after = try Self.lay(Self.block(at: 3.1, count: 480, lost: 5280), on: &track)
    #expect(after.frames == 5280 && after.silent == 4800)
    #expect(track.account.overruns == 1 && track.account.lost == 144_000 && track.account.silence == 144_000)
  }

  @Test func whatIsLostBehindThePicturesEndIsNoLoss() throws {
    var track = SoundTrack(input: .standard, resampler: nil, offset: 0)
    _ = try Self.lay(Self.block(at: 0, count: 48_000), on: &track)
    track.pictureEnd = 1.5
    let after = try Self.lay(Self.block(at: 9, count: 480, lost: 384_000), on: &track)
    #expect(after.silent == 24_000 && track.account.lost == 24_000 && track.account.overruns == 1)
  }

  @Test func soundThatRanAheadOfItsStampsIsCutAndSoundThatFellBehindIsFilled() throws {
    var track = SoundTrack(input: .standard, resampler: CountingResampler(), offset: 0)
    var position = 0.0
    for index in 0..<400 {
      if index == 100 { position += 0.5 }
      if index == 250 { position -= 0.25 }
      _ = try Self.lay(Self.block(at: position, count: 960), on: &track)
      position += 0.02
    }
    #expect(abs(Double(track.account.written) / 48000 - position) < 0.02)
    #expect(abs(track.account.lost - 24_000) < 1000 && track.account.overruns == 1)
    #expect(abs(track.account.cut - 12_000) < 1000)
  }

  /// Camera and microphone clocks on either side of true time, eight hours: sound ends where the picture ends.
  @Test(arguments: [(100.0, -100.0), (-100.0, 100.0)])
  func clocksApartEndWithinHalfAFrameAfterEightHours(cameraPPM: Double, microphonePPM: Double) throws {
    let hours = 8.0, frames = Int(hours * 3600 * 24)
    var timeline = Timeline(rate: FrameRate(parsing: "24").unsafelyUnwrapped, timeBase: Rational(1, 24000))
    let resampler = CountingResampler()
    var track = SoundTrack(input: .standard, resampler: resampler, offset: 0)
    var scratch = AudioBuffer(format: .standard, capacity: 4096), random = SplitMix(seed: 11)
    var block = Self.block(at: 0, count: 960)
    var sampled = 0, worst = 0.0
    for frame in 0..<frames {
      let instant = Double(frame) / 24 / (1 + cameraPPM * 1e-6)
      let jitter = (random.unit() - 0.5) * 1e6
      _ = timeline.place(sequence: UInt64(frame), captureTime: Self.origin.advanced(by: Int64(instant * 1e9 + jitter)))
      let clock = try #require(timeline.clock)
      while Double(sampled + 960) / 48000 / (1 + microphonePPM * 1e-6) <= instant {
        let noise = (random.unit() - 0.5) * 0.2e6
        block.count = 960
        block.time = Self.origin.advanced(by: Int64(Double(sampled) / 48000 / (1 + microphonePPM * 1e-6) * 1e9 + noise))
        sampled += 960
        try track.lay(&block, scratch: &scratch, clock: clock) { (_) throws(CamrecError) in }
        // Movie time of this sound's end, if picture and sound both ran true.
        let truth = Double(sampled) / 48000 / (1 + microphonePPM * 1e-6) * (1 + cameraPPM * 1e-6)
        worst = max(worst, abs(Double(track.account.written) / 48000 - truth))
      }
    }
    #expect(!timeline.isVariable)
    #expect(worst < 0.5 / 24)
    #expect(abs(track.stretch - (cameraPPM - microphonePPM)) < 25)
    #expect(abs(track.clockDifference - (cameraPPM - microphonePPM)) < 25)
    #expect(track.account.lost == 0 && sampled > 48000 * 28_700)
  }
}

/// Counts what a resampler would give, exactly; the samples do not matter here.
final class CountingResampler: AudioResampler, @unchecked Sendable {
  // @unchecked Sendable: used on the test's thread alone.
  let inputFormat = AudioFormat.standard
  let outputFormat = AudioFormat.standard
  private var stretch = 0.0
  private var owed = 0.0
  private let held: Double
  var heldFrames: Double { owed }

  /// - Parameter held: output frames that stay inside until more input comes.
  init(held: Double = 0) { self.held = held }

  func setStretch(partsPerMillion: Double) { stretch = partsPerMillion }

  func resample(_ input: borrowing AudioBuffer, into output: inout AudioBuffer) {
    owed += Double(input.count) * (1 + stretch * 1e-6)
    output.count = Int(max(0, owed - held))
    owed -= Double(output.count)
  }
}

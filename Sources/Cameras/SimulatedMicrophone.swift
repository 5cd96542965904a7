public import Audio
import Foundation
public import Frames

/// A microphone in the simulated camera's room: quiet noise, and an 80 ms burst of 1 kHz that begins exactly when the
/// exposure of each flash begins.
///
/// In real time it behaves as a device does: audio arrives after it was recorded, in blocks of up to 10 ms, and is lost
/// if it is not read within half a second. When pulled, it has audio up to the last frame taken from the camera, and
/// ends with the frames. Without a simulated camera on its clock there is only the noise.
///
/// `@unchecked Sendable`: by the protocol, only one thread at a time uses it; the shared clock is `Sendable`.
public final class SimulatedMicrophone: Microphone, @unchecked Sendable {
  public let name = "simulated microphone"
  public let format: AudioFormat
  public let isPulled: Bool

  /// Hz.
  public static let toneFrequency = 1000.0
  /// Seconds.
  public static let toneDuration = 0.08
  /// Of full scale.
  public static let toneAmplitude = 0.25
  /// Standard deviation of the noise, of full scale: −70 dB.
  public static let noiseLevel = 0.000316
  /// Seconds of audio that the buffer holds before some is lost.
  static let bufferedSeconds = 0.5

  private let options: SimulatedCamera.Options
  private let flash: SimulatedFlash
  private let clock: SimulatedClock
  /// Samples per second of a perfect clock.
  private let trueRate: Double
  private var began: MonotonicTime?
  private var next: UInt64 = 0
  private var nextOverrun = 0
  /// Samples lost right before `next`.
  private var lost = 0
  /// The microphone was reopened after it was unplugged, and is not unplugged again.
  private var wasReopened = false

  /// - Parameters:
  ///   - options: the camera's options, with seed, clock errors and faults.
  ///   - frameRate: the camera's, which determines the flashes.
  ///   - clock: the camera's.
  public init(
    _ options: SimulatedCamera.Options = .init(), frameRate: FrameRate, clock: SimulatedClock,
    format: AudioFormat = .standard
  ) {
    self.options = options
    self.clock = clock
    self.format = format
    flash = SimulatedFlash(frameRate: frameRate)
    isPulled = clock.pace == .pulled
    trueRate = Double(format.sampleRate) * (1 + options.microphonePartsPerMillion * 1e-6)
  }

  /// When pulled, it has audio from the first frame on, whenever it is started.
  public func start() throws(CamrecError) { began = (isPulled ? clock.pictureStart : nil) ?? clock.now }

  public func stop() { began = nil }

  public func reopen() throws(CamrecError) {
    try SimulatedAbsence.microphone.check(options.faults, name)
    wasReopened = true
    let now = clock.now
    (began, next, lost) = (now, 0, 0)
    // Losses that the script plans for the time without a microphone are skipped.
    guard let zero = clock.pictureStart else { return }
    let seconds = Double(now - zero) / 1e9
    nextOverrun = options.faults.overruns.firstIndex { $0.start >= seconds } ?? options.faults.overruns.count
  }

  public func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    guard let start = began else {
      throw CamrecError(.defect, "the simulated microphone was read before it was started")
    }
    precondition(buffer.format == format, "a buffer has the microphone's format")
    buffer.count = 0
    buffer.lostBefore = 0
    skipOverruns(start)
    var block = min(buffer.capacity, max(1, format.sampleRate / 100))
    if let upcoming = upcomingOverrun(start) { block = min(block, max(1, Int(clamping: upcoming &- next))) }
    if let unplugging = options.faults.unplugging, !wasReopened, let zero = clock.pictureStart,
      Double(time(of: next, start) - zero) / 1e9 >= unplugging.start
    {
      SimulatedAbsence.microphone.begins(options.faults, seconds: unplugging.seconds)
      throw CamrecError(.device, "\(name) was unplugged", reason: .unplugged)
    }
    // A pulled camera waits for the audio: a loss is reported as soon as it begins, or the two would wait for each
    // other.
    let due = next + UInt64(block) - (isPulled ? UInt64(lost) : 0)
    if !clock.follow(time(of: due, start)) {
      guard isPulled, clock.pictureEnded else { return !clock.pictureEnded }
      // The last block is as long as what is left up to the end of the frames.
      block = min(block, samples(until: clock.now, start))
      guard block > 0 else { return false }
    }
    skipUnread(start)
    fill(&buffer, block, start)
    buffer.lostBefore = lost
    next += UInt64(block)
    lost = 0
    return true
  }

  /// When sample `index` is taken.
  private func time(of index: UInt64, _ start: MonotonicTime) -> MonotonicTime {
    start.advanced(by: Int64((Double(index) / trueRate * 1e9).rounded()))
  }

  /// Samples from the next one on that are taken up to `instant`.
  private func samples(until instant: MonotonicTime, _ start: MonotonicTime) -> Int {
    var end = UInt64(max(0, (Double(instant - start) / 1e9 * trueRate).rounded()))
    if end > next, time(of: end, start) > instant { end -= 1 }
    return end > next ? Int(clamping: end - next) : 0
  }

  // MARK: Losses

  /// The first sample that the script's next fault loses; scripts count from the first frame.
  private func upcomingOverrun(_ start: MonotonicTime) -> UInt64? {
    guard nextOverrun < options.faults.overruns.count else { return nil }
    let zero = clock.pictureStart ?? start
    let seconds = options.faults.overruns[nextOverrun].start + Double(zero - start) / 1e9
    return UInt64(max(0, (seconds * trueRate).rounded()))
  }

  private func skipOverruns(_ start: MonotonicTime) {
    while let upcoming = upcomingOverrun(start), upcoming <= next {
      lose(Int((options.faults.overruns[nextOverrun].seconds * trueRate).rounded()))
      nextOverrun += 1
    }
  }

  /// Loses samples that left the device's buffer unread.
  private func skipUnread(_ start: MonotonicTime) {
    guard clock.pace == .realTime else { return }
    let waiting = Double(clock.now - time(of: next, start)) / 1e9
    if waiting > SimulatedMicrophone.bufferedSeconds {
      lose(Int((waiting - SimulatedMicrophone.bufferedSeconds / 2) * trueRate))
    }
  }

  private func lose(_ samples: Int) {
    lost += samples
    next += UInt64(samples)
  }

  // MARK: Sound

  private func fill(_ buffer: inout AudioBuffer, _ block: Int, _ start: MonotonicTime) {
    let tone = toneStart(before: next + UInt64(block), start)
    let (channels, first) = (format.channels, next)
    buffer.count = block
    buffer.time = time(of: first, start)
    unsafe buffer.withMutableBytes { bytes in
      for frame in 0..<block {
        let index = first + UInt64(frame)
        let sound = tone.map { self.tone(Double(index) - $0) } ?? 0
        for channel in 0..<channels {
          let value = sound + noise(index &* UInt64(channels) &+ UInt64(channel))
          let place = frame * channels + channel
          switch format.sample {
          case .s16:
            unsafe bytes.storeBytes(of: Int16((value * 32767).rounded()), toByteOffset: 2 * place, as: Int16.self)
          case .s32:
            unsafe bytes.storeBytes(
              of: Int32((value * 8_388_607).rounded()) << 8, toByteOffset: 4 * place, as: Int32.self)
          }
        }
      }
    }
  }

  /// The start, in fractional samples, of the last burst that begins before sample `end`; `nil` before the first.
  private func toneStart(before end: UInt64, _ start: MonotonicTime) -> Double? {
    guard let pictureStart = clock.pictureStart else { return nil }
    let offset = Double(pictureStart - start) / 1e9
    let frameSeconds = 1 / flash.frameRate.framesPerSecond / (1 + options.partsPerMillion * 1e-6)
    let seconds = Double(end) / trueRate - offset
    guard seconds >= 0, let index = flash.lastFlash(at: UInt64(seconds / frameSeconds)) else { return nil }
    let flashSeconds = options.seconds(ofFrame: flash.frame(ofFlash: index), frameRate: flash.frameRate)
    return (flashSeconds + offset) * trueRate
  }

  /// The burst's value `sample` samples after its start: a sine from phase zero whose last eighth fades out.
  private func tone(_ sample: Double) -> Double {
    let seconds = sample / trueRate
    guard seconds >= 0, seconds < SimulatedMicrophone.toneDuration else { return 0 }
    let fade = min(1, (1 - seconds / SimulatedMicrophone.toneDuration) * 8)
    return SimulatedMicrophone.toneAmplitude * fade * sin(2 * .pi * SimulatedMicrophone.toneFrequency * seconds)
  }

  /// The sum of four uniform variables, close enough to a normal distribution for a noise floor.
  private func noise(_ index: UInt64) -> Double {
    let bits = SeededNoise.hash(options.seed &* 0x9E37_79B9 &+ 1, index)
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
    return (Double(sum) / 65535 - 2) * 3.0.squareRoot() * SimulatedMicrophone.noiseLevel
  }
}

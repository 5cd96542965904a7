package import Audio
package import Frames

/// Lays a microphone's blocks on the film's time line: begins at the first frame's instant, follows the picture's clock
/// by stretching the sound continuously, and fills what the device lost or never delivered with counted silence.
///
/// A proportional-integral loop sets the stretch. Its error is the distance between where the sound should be, by its
/// timestamps and the picture's clock, and where the film's sound is. With its time constant of 8 s, a crystal's error
/// of 100 ppm causes an offset of less than 1 ms, which then decays to zero.
///
/// Thread: one at a time. Allocates nothing once made.
package struct SoundTrack {
  /// The account of the sound.
  package struct Account: Hashable {
    /// Audio frames in the film.
    package var written: Int64 = 0
    /// How often the device lost sound.
    package var overruns = 0
    /// Audio frames of the film that were lost.
    package var lost: Int64 = 0
    /// Where the latest silence for lost sound begins.
    package var lostAt: Int64 = 0
    /// Audio frames of silence in place of lost sound, and before sound that began after the picture.
    package var silence: Int64 = 0
    /// Audio frames left out because the sound had run ahead of its timestamps.
    package var cut: Int64 = 0
  }

  private let input: AudioFormat
  private let output: AudioFormat
  private let resampler: (any AudioResampler)?
  private let offset: Int64
  /// Movie time in seconds at which the picture ended; `nil` before. Later losses of the device do not count.
  package var pictureEnd: Double?
  package private(set) var account = Account()
  /// The stretch that the loop has settled on, in parts per million.
  package private(set) var stretch = 0.0
  /// The part of the stretch due to the difference between the clocks, in parts per million; the rest catches up.
  package var clockDifference: Double { integral }
  private var integral = 0.0
  /// A block was laid, and the next one follows it directly. False again after a filled silence.
  private var started = false
  /// Silence was filled, and no block has been laid since.
  private var isFilling = false
  /// The microphone was away: sound that begins after the picture is lost.
  private var wasInterrupted = false
  private var nextCorrection: Int64 = 0
  /// Output audio frames still to be left out.
  private var surplus: Int64 = 0

  /// The loop's time constant in seconds.
  private static let timeConstant = 8.0
  /// An offset in seconds that no crystal explains: it is filled with silence at once.
  private static let jump = 0.1
  private static let largestStretch = 1500.0

  /// - Parameters:
  ///   - resampler: `nil` leaves the sound as it is (a clip's): the output format is then `input`.
  ///   - offset: nanoseconds by which the sound is delayed.
  package init(input: AudioFormat, resampler: (any AudioResampler)?, offset: Int64) {
    self.input = input
    self.output = resampler?.outputFormat ?? input
    self.resampler = resampler
    self.offset = offset
  }

  /// Whether a block ends before the first frame.
  package func precedesPicture(_ block: borrowing AudioBuffer, clock: PictureClock.Reading) -> Bool {
    account.written == 0 && !started && seconds(ofEnd: block, clock) <= 0
  }

  /// Lays silence up to movie time `end`, in seconds, for sound that did not arrive. The next block's own time decides
  /// its place.
  package mutating func fill(
    to end: Double, scratch: inout AudioBuffer, emit: (borrowing AudioBuffer) throws(CamrecError) -> Void
  ) throws(CamrecError) {
    let lost = account.lost
    try lose(Int64((end * Double(output.sampleRate)).rounded()) - account.written, through: &scratch, emit)
    isFilling = isFilling || account.lost > lost
    started = false
    surplus = 0
  }

  /// The microphone was away, perhaps from the start: the next block's own time decides its place, and what is missing
  /// is lost.
  package mutating func interrupt() {
    wasInterrupted = true
    started = false
    surplus = 0
  }

  /// Prepares one block: `emit` receives, in order, what goes into the film.
  ///
  /// - Parameters:
  ///   - block: consumed; may be trimmed at its front.
  ///   - scratch: room for a resampled block.
  package mutating func lay(
    _ block: inout AudioBuffer, scratch: inout AudioBuffer, clock: PictureClock.Reading,
    emit: (borrowing AudioBuffer) throws(CamrecError) -> Void
  ) throws(CamrecError) {
    if !started {
      let gap = seconds(ofStart: block, clock) - Double(account.written) / Double(output.sampleRate)
      if gap < 0 { block.dropFirst(Int((-gap * Double(input.sampleRate)).rounded())) }
      guard block.count > 0 else { return }
      let silence = Int64((max(gap, 0) * Double(output.sampleRate)).rounded())
      if account.written == 0, !wasInterrupted {
        // The sound may have begun before what is lost of it.
        let lost = min(silence, outputFrames(block.lostBefore))
        try emitSilence(silence - lost, through: &scratch, emit)
        try lose(lost, through: &scratch, emit)
      } else {
        try lose(silence, through: &scratch, emit)
      }
      started = true
      isFilling = false
    } else if block.lostBefore > 0 {
      try lose(outputFrames(block.lostBefore), through: &scratch, emit)
    }
    guard let resampler else {
      account.written += Int64(block.count)
      return try emit(block)
    }
    try resampler.resample(block, into: &scratch)
    let dropped = min(Int(surplus), scratch.count)
    scratch.dropFirst(dropped)
    surplus -= Int64(dropped)
    account.written += Int64(scratch.count)
    if scratch.count > 0 { try emit(scratch) }
    try correct(end: seconds(ofEnd: block, clock), clock: clock, scratch: &scratch, emit)
  }

  /// Every tenth of a second: compares where the sound should be with where it is, and sets the stretch.
  private mutating func correct(
    end: Double, clock: PictureClock.Reading, scratch: inout AudioBuffer,
    _ emit: (borrowing AudioBuffer) throws(CamrecError) -> Void
  ) throws(CamrecError) {
    guard account.written >= nextCorrection, surplus == 0, let resampler else { return }
    let period = 0.1
    nextCorrection = account.written + Int64(period * Double(output.sampleRate))
    let error = end - (Double(account.written) + resampler.heldFrames) / Double(output.sampleRate)
    if error > SoundTrack.jump {
      return try lose(Int64(error * Double(output.sampleRate)), through: &scratch, emit)
    }
    if error < -SoundTrack.jump {
      surplus = Int64(-error * Double(output.sampleRate))
      account.cut += surplus
      return
    }
    guard !clock.isVariable else {
      // The loop had settled on a clock that no longer leads.
      stretch = 0
      return try resampler.setStretch(partsPerMillion: 0)
    }
    let gain = 1e6 / SoundTrack.timeConstant
    integral += error * gain / (4 * SoundTrack.timeConstant) * period
    let limit = SoundTrack.largestStretch
    integral = min(max(integral, -limit), limit)
    stretch = min(max(integral + error * gain, -limit), limit)
    try resampler.setStretch(partsPerMillion: stretch)
  }

  /// Inserts counted silence for `frames` that the device lost, up to the end of the picture.
  private mutating func lose(
    _ frames: Int64, through scratch: inout AudioBuffer, _ emit: (borrowing AudioBuffer) throws(CamrecError) -> Void
  ) throws(CamrecError) {
    let room = pictureEnd.map { Int64(($0 * Double(output.sampleRate)).rounded()) - account.written } ?? .max
    let frames = min(frames, room)
    guard frames > 0 else { return }
    // A silence filled bit by bit is one loss.
    if !isFilling { account.overruns += 1 }
    account.lost += frames
    account.lostAt = account.written
    try emitSilence(frames, through: &scratch, emit)
  }

  private mutating func emitSilence(
    _ frames: Int64, through scratch: inout AudioBuffer,
    _ emit: (borrowing AudioBuffer) throws(CamrecError) -> Void
  ) throws(CamrecError) {
    var left = frames
    account.written += frames
    account.silence += frames
    scratch.clear()
    while left > 0 {
      scratch.count = Int(min(left, Int64(scratch.capacity)))
      left -= Int64(scratch.count)
      try emit(scratch)
    }
  }

  private func outputFrames(_ inputFrames: Int) -> Int64 {
    Int64(Double(inputFrames) * Double(output.sampleRate) / Double(input.sampleRate))
  }

  private func seconds(ofStart block: borrowing AudioBuffer, _ clock: PictureClock.Reading) -> Double {
    clock.movieSeconds(at: block.time.advanced(by: offset))
  }

  private func seconds(ofEnd block: borrowing AudioBuffer, _ clock: PictureClock.Reading) -> Double {
    clock.movieSeconds(at: block.endTime.advanced(by: offset))
  }
}

import Audio
import Cameras
import Frames

extension RecordingSession {
  /// The sound thread: reads the microphone, lays its blocks onto the picture's time line, hands them to the writer.
  func runSound() {
    defer { writeQueue.endSound() }
    guard let microphone = parts.microphone else { return }
    do throws(CamrecError) {
      try microphone.start()
      defer { microphone.stop() }
      try recordSound(microphone)
    } catch {
      // Picture goes on without sound: a rig's film is worth more than its end.
      state.warn("sound ended: \(error.description)")
      state.soundFailed(error)
    }
  }

  private func recordSound(_ microphone: any Microphone) throws(CamrecError) {
    let input = microphone.format, output = parts.resampler?.outputFormat ?? input
    for _ in 0..<RecordingSession.soundBlocks {
      _ = freeSound.offer(AudioBuffer(format: output, capacity: RecordingSession.soundBlock))
    }
    // Shorter than a frame: what is written before the last frame does not reach behind it.
    let frameSeconds = parts.camera.format.frameRate.frameDuration.doubleValue
    let blockFrames = max(64, Int(Double(input.sampleRate) * min(0.02, frameSeconds / 2)))
    let scratchFrames = Int(Double(blockFrames) * 1.1 * Double(output.sampleRate) / Double(input.sampleRate)) + 64
    var scratch = AudioBuffer(format: output, capacity: scratchFrames)
    var block = AudioBuffer(format: input, capacity: blockFrames)
    var waiting = WaitingSound(format: input, blockFrames: blockFrames)
    var track = SoundTrack(input: input, resampler: parts.resampler, offset: options.audioOffset)
    defer { state.laid(track) }
    var hasWarned = false
    var goesOn = true
    while goesOn {
      // What can wait is not read before there is a picture to lay it onto: `waiting` would forget it.
      if microphone.isPulled, clock.reading == nil, state.endSeconds == nil {
        WorkThread.sleep(.milliseconds(1))
        continue
      }
      goesOn = try microphone.read(into: &block)
      if goesOn, block.count > 0 {
        state.heard(peak: block.peak)
        waiting.append(block)
      }
      let hasEnded = state.endSeconds != nil
      // A microphone that has nothing to say does not hold up the end.
      if hasEnded, block.count == 0 { goesOn = false }
      guard let reading = clock.reading else {
        if hasEnded { return }
        continue
      }
      while var next = waiting.next(endingBy: hasEnded || !goesOn || microphone.isPulled ? nil : pictureEnd, reading) {
        try lay(&next, &track, &scratch, reading)
        if hasEnded, isPastEnd(next, reading) { goesOn = false }
        waiting.giveBack(next)
      }
      if !hasWarned, abs(track.clockDifference) > 200 {
        hasWarned = true
        state.warn(
          "\(microphone.name) and the camera run more than 200 ppm apart; sound is stretched to the picture's clock")
      }
    }
  }

  /// Where the picture has come to, in seconds of movie time before the sound is moved by its offset: sound of a live
  /// source goes no further, so that a stop ends both at once.
  private var pictureEnd: Double {
    state.lastSeconds + parts.camera.format.frameRate.frameDuration.doubleValue - Double(options.audioOffset) * 1e-9
  }

  private func lay(
    _ block: inout AudioBuffer, _ track: inout SoundTrack, _ scratch: inout AudioBuffer, _ reading: PictureClock.Reading
  ) throws(CamrecError) {
    guard block.count > 0, !track.precedesPicture(block, clock: reading) else { return }
    let rate = Double(parts.resampler?.outputFormat.sampleRate ?? block.format.sampleRate)
    var position = Double(track.account.written) / rate
    try track.lay(&block, scratch: &scratch, clock: reading) { (sound) throws(CamrecError) in
      self.handOver(sound, at: &position, rate: rate)
    }
  }

  /// Cuts `sound` into the queue's blocks. Waits where the writer has all of them.
  private func handOver(_ sound: borrowing AudioBuffer, at position: inout Double, rate: Double) {
    var first = 0
    while first < sound.count, var buffer = freeSound.pop() {
      let count = min(sound.count - first, RecordingSession.soundBlock)
      buffer.copy(sound, from: first, count: count)
      writeQueue.push(WriteQueue.TimedSound(buffer: buffer, seconds: position))
      first += count
      position += Double(count) / rate
    }
  }

  private func isPastEnd(_ block: borrowing AudioBuffer, _ reading: PictureClock.Reading) -> Bool {
    guard !keepsWholeSound, let end = state.endSeconds else { return false }
    return reading.movieSeconds(at: block.endTime.advanced(by: options.audioOffset)) >= end
  }

  /// A clip that is baked whole keeps its sound to the end, also where it outlasts the picture.
  var keepsWholeSound: Bool {
    parts.microphone?.isPulled == true && options.limit == nil && !state.isStopping
  }
}

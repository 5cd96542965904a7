import Audio
import Cameras
import Frames
import Platform

extension RecordingSession {
  /// The sound thread: reads the microphone, lays its blocks on the film's time line and hands them to the writer.
  func runSound() {
    defer { writeQueue.endSound() }
    guard let microphone = parts.microphone else { return }
    do throws(CamrecError) {
      var line = MicrophoneLine(microphone, state)
      try line.start()
      defer { microphone.stop() }
      try recordSound(&line)
    } catch {
      // The picture continues without sound: in a rig, a film without sound is better than none.
      state.warn("the audio ended early: \(error.description)")
      state.soundFailed(error)
    }
  }

  private func recordSound(_ line: inout MicrophoneLine) throws(CamrecError) {
    let microphone = line.microphone
    let input = microphone.format, output = parts.resampler?.outputFormat ?? input
    for _ in 0..<RecordingSession.soundBlocks {
      _ = freeSound.offer(AudioBuffer(format: output, capacity: RecordingSession.soundBlock))
    }
    let blockFrames = MicrophoneSession.blockFrames(input, frameRate)
    let scratchFrames = Int(Double(blockFrames) * 1.1 * Double(output.sampleRate) / Double(input.sampleRate)) + 64
    var scratch = AudioBuffer(format: output, capacity: scratchFrames)
    var block = AudioBuffer(format: input, capacity: blockFrames)
    var waiting = WaitingSound(format: input, blockFrames: blockFrames)
    var track = SoundTrack(input: input, resampler: parts.resampler, offset: options.audioOffset)
    defer { state.laid(track) }
    if line.hasReturned { track.interrupt() }
    var sender = SoundSender(queue: writeQueue, free: freeSound, sendsAtOnce: microphone.isPulled)
    defer { sender.flush() }
    // Live sound lasts as long as the picture: where none arrives, it is missing.
    let isLive = parts.resampler != nil && !microphone.isPulled
    var silence = MicrophoneSilence(), losses = SoundLossMeter(sampleRate: output.sampleRate)
    defer { note(track.account, &losses, isEnd: true) }
    var meter = LevelMeter()
    var hasWarned = false, reachedEnd = false, goesOn = true
    while goesOn {
      // Read a pulled microphone only once there is a frame to lay its sound on: `waiting` would forget it.
      if microphone.isPulled, clock.reading == nil, state.endSeconds == nil {
        WorkThread.sleep(.milliseconds(1))
        continue
      }
      let wasAway = line.isAway
      goesOn = try line.read(into: &block)
      if wasAway, !line.isAway {
        silence.ended()
        // Sound from before may still wait for its picture.
        waiting.interrupt()
      }
      let isHeard = goesOn && block.count > 0
      if isHeard {
        silence.ended()
        let peak = block.peak, now = MonotonicTime.now()
        state.heard(peak: peak)
        meter.hear(peak, at: now)
        state.level.publish(meter, at: now)
        waiting.append(block)
      } else if goesOn, block.lostBefore > 0 {
        // At the end of a clip's sound, only silence is still missing.
        waiting.append(block)
      }
      if isLive, !goesOn {
        WorkThread.sleep(.milliseconds(1))
        goesOn = true
      }
      let hasEnded = state.endSeconds != nil
      // A silent microphone does not delay the end.
      if hasEnded, !isHeard, !isLive || silence.outlastsEnd { goesOn = false }
      guard let reading = clock.reading else {
        if hasEnded { return }
        continue
      }
      track.pictureEnd = soundEnd
      while var next = waiting.next(endingBy: hasEnded || !goesOn || microphone.isPulled ? nil : soundLimit, reading) {
        if next.followsBreak { track.interrupt() }
        if !track.precedesPicture(next.sound, clock: reading) {
          try track.lay(&next.sound, scratch: &scratch, clock: reading) { (sound) throws(CamrecError) in
            sender.send(sound)
          }
        }
        // The resampler holds some of a block until the next one comes.
        if hasEnded, isPastEnd(next.sound, reading), !isLive || isWhole(track.account.written, output) {
          reachedEnd = true
        }
        waiting.giveBack(next.sound)
      }
      if reachedEnd { goesOn = false }
      if isLive, !line.isAway, silence.isLasting { silence.warn(microphone.name, state) }
      // Without a microphone, nothing of what is missing can come late: a kill finds it laid and accounted for.
      if isLive, let missing = line.isAway ? line.missingTo : silence.isLasting ? state.lastSeconds : nil {
        if waiting.isEmpty {
          // Where the offset brings sound forward, the next block may lie in front of the latest picture.
          let end = missing + min(0, Double(options.audioOffset) * 1e-9)
          try track.fill(to: end, scratch: &scratch) { (sound) throws(CamrecError) in sender.send(sound) }
        } else {
          waiting.interrupt()
        }
      }
      note(track.account, &losses)
      state.laid(track)
      if !hasWarned, abs(track.clockDifference) > 200 {
        hasWarned = true
        state.warn(
          "\(microphone.name) and the camera run more than 200 ppm apart; the audio is stretched to match the camera")
      }
    }
    if isLive, !reachedEnd, let end = state.endSeconds {
      try track.fill(to: end, scratch: &scratch) { (sound) throws(CamrecError) in sender.send(sound) }
    }
  }

  private func note(_ account: SoundTrack.Account, _ losses: inout SoundLossMeter, isEnd: Bool = false) {
    if let loss = losses.read(written: account.written, lost: account.lost, at: account.lostAt, isEnd: isEnd) {
      notes.add(loss)
    }
    state.settledSound(to: losses.settled(written: account.written))
  }

  /// How far the picture has got, in seconds of movie time before the audio offset. Sound of a live source goes no
  /// further, so that a stop ends both at once.
  private var soundLimit: Double {
    state.lastSeconds + frameRate.frameDuration.doubleValue - Double(options.audioOffset) * 1e-9
  }

  private func isPastEnd(_ block: borrowing AudioBuffer, _ reading: PictureClock.Reading) -> Bool {
    guard let end = soundEnd else { return false }
    return reading.movieSeconds(at: block.endTime.advanced(by: options.audioOffset)) >= end
  }

  /// - Parameter written: samples of each channel that were laid.
  private func isWhole(_ written: Int64, _ format: AudioFormat) -> Bool {
    state.endSeconds.map { written >= Int64(($0 * Double(format.sampleRate)).rounded()) } ?? false
  }

  /// Where the audio ends at the latest, in seconds of the recording; `nil` while that is not known. A clip that is
  /// baked whole keeps its audio to the end, or to the limit, even if it outlasts the picture.
  var soundEnd: Double? {
    guard let end = state.endSeconds, parts.microphone?.isPulled == true, state.hasCameraFinished else {
      return state.endSeconds
    }
    guard case .seconds(let limit) = state.limit else { return nil }
    return max(end, limit.doubleValue)
  }
}

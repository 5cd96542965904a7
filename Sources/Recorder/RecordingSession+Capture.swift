import Cameras
import Frames
import Sidecar

extension RecordingSession {
  /// The capture thread: reads the camera, enters each frame in the ledger and hands it on.
  func runCapture(_ controls: ControlAccount?) {
    var placer = FramePlacer(format: parts.camera.format, timeBase: timeBase, limit: nil)
    do throws(CamrecError) {
      try parts.camera.start()
      parts.exposure?.calibrate(parts.camera, parts.converter, isStopped: { self.state.isStopping }, warn: state.warn)
      try waitForRelease()
      placer = FramePlacer(
        format: parts.camera.format, timeBase: timeBase, limit: parts.standing == nil ? state.limit : nil)
      try capture(&placer, controls)
    } catch {
      if error.code == .device { state.losesCamera(.failed) }
      state.fail(error)
    }
    parts.camera.stop()
    state.ended(atTicks: placer.endTicks, seconds: Double(placer.endTicks) * timeBase.doubleValue)
    bakeQueue.close()
  }

  /// Runs the camera and keeps it exposed until recording begins.
  private func waitForRelease() throws(CamrecError) {
    var silence = CameraSilence(rate: parts.camera.format.frameRate)
    while state.isHeld, !state.isStopping {
      switch try parts.camera.next() {
      case .frame(var frame):
        if isMeetingLight, let converter = parts.converter {
          try meetLight(frame, converter)
        } else {
          expose(&frame)
        }
        silence.ended()
        if !isMeetingLight { state.isReadyNow() }
      case .damaged: try silence.goesOn(parts.camera, state)
      case .nothing: try silence.goesOn(parts.camera, state)
      case .ended: throw CamrecError(.device, "\(parts.camera.name) ended before anything was recorded")
      }
    }
  }

  private func capture(_ placer: inout FramePlacer, _ controls: ControlAccount?) throws(CamrecError) {
    var silence = CameraSilence(rate: parts.camera.format.frameRate)
    var isLimited = parts.standing == nil
    defer { if silence.isWarned { closeInSilence(&placer) } }
    while !state.isStopping {
      if !isLimited, let start = standing.start {
        isLimited = true
        placer.ends(state.limit, behind: start)
      }
      switch try parts.camera.next() {
      case .frame(var frame):
        if isMeetingLight, let converter = parts.converter {
          try meetLight(frame, converter)
          silence.ended()
          continue
        }
        expose(&frame)
        guard !isMeetingLight else {
          silence.ended()
          continue
        }
        controls?.complete(&frame)
        guard let place = placer.place(frame), take(place, &placer) else { return }
        let before = ledger.entered(missing: place.missing)
        note(missing: place.missing, before: place.index)
        handOver(CapturedJob(frame: frame, place: place, before: before))
        silence.ended()
      case .damaged where !placer.hasBegun:
        // The movie begins with an intact frame; its instant is time 0.
        ledger.enteredDamaged(missing: 0)
        noteLoss(.deviceError, frame: nil, count: 1)
        placer.skipDamaged()
        try goOn(&silence, placer)
      case .damaged(let sequence, let captureTime):
        guard let place = placer.placeDamaged(sequence: sequence, captureTime: captureTime), take(place, &placer) else {
          return
        }
        ledger.enteredDamaged(missing: place.missing)
        note(missing: place.missing, before: place.index)
        noteLoss(.deviceError, frame: place.index, count: 1)
        try goOn(&silence, placer)
      case .nothing:
        try goOn(&silence, placer)
        if silence.isWarned, placer.isPastLimit(at: .now()) { return }
      case .ended(.finished):
        return
      case .ended(.sourceChanged):
        throw lost(
          .changedFormat, "\(parts.camera.name) changed its picture format", placer,
          silentSince: silence.isWarned ? silence.since : nil)
      case .ended(.unplugged):
        throw lost(.unplugged, "\(parts.camera.name) was unplugged", placer)
      }
      if placer.isAtLimit { return }
    }
  }

  /// Before the film begins: frames are metered, but neither recorded nor counted.
  private var isMeetingLight: Bool { parts.exposure?.isMeetingLight == true }

  /// Meters an encoded frame. The bake has no frame yet, so the converter can be used here.
  private func meetLight(_ frame: consuming CapturedFrame, _ converter: any ImageConverter) throws(CamrecError) {
    let sequence = frame.sequence, told = frame.exposure
    guard case .encoded(let image) = frame.takeImage() else { return }
    do throws(CamrecError) {
      let picture = try converter.convert(image)
      _ = parts.exposure?.see(picture, sequence: sequence, told: told, warn: state.warn)
    } catch {
      // An image that does not decode shows no light; the next one may be fine.
      if error.code != .device { throw error }
      parts.exposure?.missedLight()
    }
  }

  /// Meters raw frames as they arrive, so that the new exposure is set before the next one; encoded frames are metered
  /// once they are converted.
  private func expose(_ captured: inout CapturedFrame) {
    guard let exposure = parts.exposure else { return }
    guard parts.converter == nil else { return exposure.captured(sequence: captured.sequence) }
    let sequence = captured.sequence, told = captured.exposure
    let taken = captured.image.withFrame { frame in
      exposure.see(frame, sequence: sequence, told: told, warn: state.warn)
    }
    captured.exposure = taken ?? told
  }

  /// Nothing arrived that can be recorded. A source that waits for the recorder is silent while the recorder is busy.
  private func goOn(_ silence: inout CameraSilence, _ placer: FramePlacer) throws(CamrecError) {
    guard options.overload != .wait else { return }
    do throws(CamrecError) {
      try silence.goesOn(parts.camera, state)
    } catch {
      guard error.code == .device else { throw error }
      throw lost(
        silence.isOver ? .silent : .failed, error.message, placer, silentSince: silence.since, cause: error.cause)
    }
  }

  /// The film has lost its camera.
  ///
  /// - Parameters:
  ///   - what: what has happened.
  ///   - since: when its last intact frame arrived, if it was silent before that.
  /// - Returns: the failure: what has happened, what is left of the recording, and what to do if nobody else does it.
  private func lost(
    _ loss: CameraLoss, _ what: String, _ placer: FramePlacer, silentSince since: MonotonicTime? = nil,
    cause: String? = nil
  ) -> CamrecError {
    state.losesCamera(loss, silentSince: since)
    guard !isStanding else { return CamrecError(.device, what, cause: cause) }
    let kept = placer.hasBegun ? "; what was recorded until then is kept" : ""
    let isContinued = state.awaitsCamera && placer.hasBegun
    let remedy = isContinued ? nil : loss.remedy
    return CamrecError(.device, what + kept + (remedy.map { "; \($0)" } ?? ""), cause: cause)
  }

  /// Tells the other threads about a frame's place. False if it lies beyond the limit.
  private func take(_ place: Timeline.Place, _ placer: inout FramePlacer) -> Bool {
    guard !placer.isBehindLimit(place) else {
      let next = placer.nextIndex, missing = placer.closeAtLimit()
      ledger.missed(missing)
      note(missing: missing, before: next + Int64(missing))
      return false
    }
    placer.keep(place)
    if let reading = placer.clock { clock.set(reading) }
    state.arrived(
      seconds: Double(place.ticks) * timeBase.doubleValue, end: Double(placer.endTicks) * timeBase.doubleValue)
    placer.reportRate(to: state, cameraName: parts.camera.name)
    return true
  }

  /// The recording ends while the camera is silent: what was due since its last frame is lost, and the picture lasts as
  /// long as the sound.
  private func closeInSilence(_ placer: inout FramePlacer) {
    guard !isStanding else { return }
    let next = placer.nextIndex, missing = placer.closeInSilence(at: .now())
    ledger.missed(missing)
    note(missing: missing, before: next + Int64(missing))
  }

  /// Notes frames that were due before `index` and never arrived.
  private func note(missing: Int, before index: Int64) {
    guard missing > 0 else { return }
    noteLoss(.deviceGap, frame: index - Int64(missing), count: Int64(missing))
  }

  private func handOver(_ job: consuming CapturedJob) {
    let index = job.place.index
    if options.overload == .wait {
      if bakeQueue.push(job) != nil { lose(.overload, index, at: .capture) }
      return
    }
    guard bakeQueue.offer(job) != nil else { return }
    let isDisk = isHeldUpByDisk
    lose(isDisk ? .disk : .overload, index, at: .capture)
    guard options.overload == .stop, !isStanding else { return }
    let preset: Sentence = parts.hasFasterPreset ? "faster \(setting: .preset), a " : ""
    let sentence: Sentence =
      isDisk
      ? "the recording stopped because the disk could not keep up (\(setting: .onOverload) stop); use a faster disk or "
        + "a lower \(setting: .bitrate)"
      : "the recording stopped because the bake or the encoder could not keep up (\(setting: .onOverload) stop); use a "
        + "\(sentence: preset)smaller \(setting: .size) or a lower \(setting: .fps)"
    state.fail(CamrecError(.overload, about: nil, sentence))
  }
}

import Cameras
import Frames
import Sidecar

extension RecordingSession {
  /// The capture thread: takes what the camera says, enters it into the ledger, hands it on.
  func runCapture() {
    var placer = FramePlacer(format: parts.camera.format, timeBase: timeBase, limit: options.limit)
    do throws(CamrecError) {
      try parts.camera.start()
      try capture(&placer)
    } catch {
      state.fail(error)
    }
    parts.camera.stop()
    state.ended(atTicks: placer.endTicks, seconds: Double(placer.endTicks) * timeBase.doubleValue)
    bakeQueue.close()
  }

  private func capture(_ placer: inout FramePlacer) throws(CamrecError) {
    var silence = CameraSilence(rate: parts.camera.format.frameRate)
    while !state.isStopping {
      switch try parts.camera.next() {
      case .frame(var frame):
        expose(&frame)
        guard let place = placer.place(frame), take(place, &placer) else { return }
        ledger.entered(missing: place.missing)
        note(missing: place.missing, before: place.index)
        handOver(CapturedJob(frame: frame, place: place))
        silence.ended()
      case .damaged where !placer.hasBegun:
        // The movie begins with an intact frame; its instant is time 0.
        ledger.enteredDamaged(missing: 0)
        notes?.add(.frameLoss(.deviceError, frame: nil, count: 1))
        placer.skipDamaged()
        try goOn(&silence, placer)
      case .damaged(let sequence, let captureTime):
        guard let place = placer.placeDamaged(sequence: sequence, captureTime: captureTime), take(place, &placer) else {
          return
        }
        ledger.enteredDamaged(missing: place.missing)
        note(missing: place.missing, before: place.index)
        notes?.add(.frameLoss(.deviceError, frame: place.index, count: 1))
        try goOn(&silence, placer)
      case .nothing:
        try goOn(&silence, placer)
      case .ended(.finished):
        return
      case .ended(.sourceChanged):
        throw CamrecError(.device, "\(parts.camera.name) changed its picture format; start again to record the new one")
      case .ended(.unplugged):
        throw CamrecError(.device, "\(parts.camera.name) was unplugged" + kept(placer))
      }
      if placer.isAtLimit { return }
    }
  }

  /// Raw pictures are read as they come, so that what follows from one is set before the next; others once they are
  /// converted.
  private func expose(_ captured: inout CapturedFrame) {
    guard let exposure = parts.exposure, parts.converter == nil else { return }
    let sequence = captured.sequence, told = captured.exposure
    let taken = captured.image.withFrame { frame in
      exposure.see(frame, sequence: sequence, told: told, warn: state.warn)
    }
    captured.exposure = taken ?? told
  }

  /// Nothing came that can be recorded. A source that waits for the recorder is silent as long as the recorder is busy.
  private func goOn(_ silence: inout CameraSilence, _ placer: FramePlacer) throws(CamrecError) {
    guard options.overload != .wait else { return }
    do throws(CamrecError) {
      try silence.goesOn(parts.camera.name, state)
    } catch {
      throw CamrecError(error.code, error.message + kept(placer))
    }
  }

  /// What a device's failure leaves, behind the sentence that says it.
  private func kept(_ placer: FramePlacer) -> String {
    placer.hasBegun ? "; what was recorded until then is kept" : ""
  }

  /// Tells the other threads of a frame's place. False where it lies behind the limit.
  private func take(_ place: Timeline.Place, _ placer: inout FramePlacer) -> Bool {
    guard !placer.isBehindLimit(place) else {
      let next = placer.nextIndex, missing = placer.closeAtLimit(place)
      ledger.missed(missing)
      note(missing: missing, before: next + Int64(missing))
      return false
    }
    placer.keep(place)
    if let reading = placer.clock { clock.set(reading) }
    state.arrived(seconds: Double(place.ticks) * timeBase.doubleValue)
    placer.reportRate(to: state, cameraName: parts.camera.name)
    return true
  }

  /// Frames that were due in front of `index` and never came.
  private func note(missing: Int, before index: Int64) {
    guard missing > 0 else { return }
    notes?.add(.frameLoss(.deviceGap, frame: index - Int64(missing), count: Int64(missing)))
  }

  private func handOver(_ job: consuming CapturedJob) {
    let index = job.place.index
    if options.overload == .wait {
      if bakeQueue.push(job) != nil { lose(.overload, index) }
      return
    }
    guard bakeQueue.offer(job) != nil else { return }
    lose(.overload, index)
    if options.overload == .stop {
      state.warn(
        "the recording stopped because bake or encoder could not keep up (--on-overload stop); use a faster --preset, "
          + "a smaller --size or a lower --fps")
      state.requestStop()
    }
  }
}

import Cameras
import Frames

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
      case .frame(let frame):
        guard let place = placer.place(frame), take(place, &placer) else { return }
        ledger.entered(missing: place.missing)
        handOver(CapturedJob(frame: frame, ticks: place.ticks))
        silence.ended()
      case .damaged where !placer.hasBegun:
        // The movie begins with an intact frame; its instant is time 0.
        ledger.enteredDamaged(missing: 0)
        placer.skipDamaged()
        try goOn(&silence, placer)
      case .damaged(let sequence, let captureTime):
        guard let place = placer.placeDamaged(sequence: sequence, captureTime: captureTime), take(place, &placer) else {
          return
        }
        ledger.enteredDamaged(missing: place.missing)
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
      ledger.missed(placer.closeAtLimit(place))
      return false
    }
    placer.keep(place)
    if let reading = placer.clock { clock.set(reading) }
    state.arrived(seconds: Double(place.ticks) * timeBase.doubleValue)
    placer.reportRate(to: state, cameraName: parts.camera.name)
    return true
  }

  private func handOver(_ job: consuming CapturedJob) {
    if options.overload == .wait {
      if bakeQueue.push(job) != nil { ledger.lost(.overload) }
      return
    }
    guard bakeQueue.offer(job) != nil else { return }
    ledger.lost(.overload)
    if options.overload == .stop {
      state.warn(
        "the recording stopped because bake or encoder could not keep up (--on-overload stop); use a faster --preset, "
          + "a smaller --size or a lower --fps")
      state.requestStop()
    }
  }
}

import Frames
import RecorderAPI

/// Cameras that go away during a recording, and come back.
extension RecorderRun {
  /// Whether another film should follow when the camera is back. A camera that never delivered a frame is a mistake,
  /// not a loss.
  func losesCamera(_ take: Take) -> Bool {
    service.awaitsCamera && !service.isQuitting && take.session.state.cameraLoss != nil
      && take.session.hasEndedCapture && take.session.state.firstArrival != nil
  }

  /// Finishes the film while looking for its camera.
  func leave(_ take: Take) {
    if take.session.source.endsWithFilm { service.leavesCamera() }
    let absence = CameraAbsence(take, source: service.order.source)
    self.absence = absence
    part(from: take)
    if take.session.source.sound != nil { take.running.waitForSound() }
    closeCamera()
    service.waits(take.session.state.failure, isNew: true)
    observer.warned(absence.loss.departure(of: absence.camera))
  }

  /// The recording ends without its camera: no film notes what was due meanwhile.
  func endWait() {
    guard let absence else { return }
    self.absence = nil
    let frames = absence.framesDue(by: .now())
    service.lacks(frames)
    guard frames > 0 else { return }
    let due = frames == 1 ? "1 frame was" : "\(frames) frames were"
    observer.remarked(
      SessionRemark(
        "\(due) due between the end of the last film and the stop; no film has \(frames == 1 ? "it" : "them")",
        facts: ["between": "\(frames)"], isWarning: false, namesFilm: true))
  }

  /// What is said of a change that cannot be made: if its camera is away, also what to do.
  func refusal(of change: SourceChange, _ error: CamrecError) -> CamrecError {
    guard absence != nil, change.camera == nil, error.code == .device else { return error }
    return CamrecError(
      .device,
      "the change was refused, because the camera is gone (\(error.message)); make it when the camera is back, or"
        + " change to another camera now ('camrec ctl camera')",
      cause: error.cause, reason: .awaitingCamera)
  }

  /// Continues if the camera is back. A look that does not find it is not reported: there may be many.
  func lookForCamera() {
    guard let absence, absence.isDue, !service.isQuitting else { return }
    // The next film may need the same microphone.
    waitForMicrophones()
    service.holdsOn(true)
    defer { service.holdsOn(false) }
    let film: PreparedFilm
    do throws(CamrecError) {
      film = try begin(absence.order(service.order), behind: absence.film)
    } catch {
      self.absence?.isNotBack()
      if !service.isQuitting { service.waits(error) }
      if let remark = self.absence?.isHindered(by: error, at: .now()) { observer.remarked(remark) }
      return
    }
    note("start", absence.origin, in: film.session, at: 0)
    // Unless it has gone away again.
    if self.absence?.film.identity == absence.film.identity { self.absence = nil }
    observer.warned(absence.sentence(about: film.source, after: gap))
  }
}

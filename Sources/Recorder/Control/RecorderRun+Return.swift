import Frames
import Platform
import RecorderAPI

/// Cameras that go away during a recording, and come back.
extension RecorderRun {
  /// Waits for the camera if the film has lost it, and nobody has ended the film.
  func hearsOfLoss() {
    guard let take, hasLostCamera(take) else { return }
    leave(take)
  }

  /// The film has ended because it lost its camera, and the recorder waits for that.
  func hasLostCamera(_ take: Take) -> Bool {
    take.session.hasEndedCapture && !take.session.state.isEnded && !service.isQuitting && losesCamera(take)
  }

  /// Whether the recorder waits for the camera of such a film. One that never delivered a frame is a mistake, not a
  /// loss.
  private func losesCamera(_ take: Take) -> Bool {
    service.awaitsCamera && take.session.state.cameraLoss != nil && take.session.state.firstArrival != nil
  }

  /// Whether the recorder waits for the camera of a film that has ended, or would if nobody had ended the recorder.
  func isAwaited(_ take: Take) -> Bool {
    let state = take.session.state
    return take.isAwaited || losesCamera(take)
      || service.awaitsCamera && state.cameraLoss != nil && state.isContinuation
  }

  /// Finishes the film while looking for its camera.
  private func leave(_ take: Take) {
    if take.session.source.endsWithFilm { service.leavesCamera() }
    let absence = CameraAbsence(take, source: service.order.source)
    part(from: take, in: .waiting)
    wait(for: absence, because: take.session.state.failure)
    if take.session.source.sound != nil { take.running.waitForSound() }
    closeCamera()
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
  ///
  /// - Parameter isSameCamera: it is for the camera that is recorded.
  func refusal(of error: CamrecError, isSameCamera: Bool) -> CamrecError {
    guard absence != nil, isSameCamera, error.code == .device else { return error }
    return RecorderService.cameraIsGone(because: error)
  }

  /// Continues if the camera is back. A look that does not find it is not reported: there may be many.
  func lookForCamera() {
    guard let absence, absence.isDue, !service.isQuitting else { return }
    // The next film may need the same microphone.
    waitForMicrophones()
    service.holdsOn(true)
    defer { service.holdsOn(false) }
    do throws(CamrecError) {
      try begin(absence.order(service.order), behind: absence.film)
    } catch {
      self.absence?.isNotBack()
      guard !service.isQuitting else { return }
      service.waits(because: error)
      if let remark = self.absence?.isHindered(by: error, at: .now()) { observer.remarked(remark) }
      return
    }
    // Unless it has gone away again.
    if self.absence?.film.identity == absence.film.identity { self.absence = nil }
  }
}

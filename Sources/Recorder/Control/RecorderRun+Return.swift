import Frames

/// Cameras that go away while they are recorded, and come back.
extension RecorderRun {
  /// Whether the film is to be followed by another when its camera is back. One that never delivered a picture is no
  /// loss but a mistake.
  func losesCamera(_ take: Take) -> Bool {
    service.awaitsCamera && !service.isQuitting && take.session.state.hasLostCamera && take.session.hasEndedCapture
      && take.session.state.firstArrival != nil
  }

  /// The film is finished while its camera is looked for.
  func leave(_ take: Take) {
    service.leavesCamera()
    absence = CameraAbsence(take, source: service.order.source)
    part(from: take)
    service.waits(take.session.state.failure, isNew: true)
    observer.warned("\(take.film.source.camera) is away; the recording goes on in a new film when it is back")
  }

  /// Goes on where the camera is back. A look that fails says nothing: it may be one of many.
  func lookForCamera() {
    guard let absence, absence.isDue, !service.isQuitting else { return }
    // It may be the next film's, too.
    absence.film.running.waitForSound()
    service.holdsOn(true)
    defer { service.holdsOn(false) }
    do throws(CamrecError) {
      try begin(absence.order(service.order), behind: absence.film)
    } catch {
      self.absence?.isNotBack()
      if !service.isQuitting { service.waits(error) }
      return
    }
    // Unless it has gone away again.
    if self.absence?.film.session === absence.film.session { self.absence = nil }
    let seconds = Double((MonotonicTime.now() - absence.since) / 100_000_000) / 10
    observer.warned("\(absence.camera) is back after \(seconds) s")
  }
}

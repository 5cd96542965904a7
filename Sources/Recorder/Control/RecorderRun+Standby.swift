import Frames
import RecorderAPI

/// A recorder that stands by with its camera running, so that a film includes the time before its start.
extension RecorderRun {
  /// Opens the camera if nothing else is going on; tries again later if that fails.
  ///
  /// - Parameter phase: `stopping` while the film before is being finished.
  func standByWithCamera(in phase: RecorderState.Phase = .standby) {
    guard service.keepsPreRoll, standing == nil, take == nil, absence == nil, !service.isQuitting, standby.isDue else {
      return
    }
    waitForMicrophones()
    prepareStandby(behind: nil)
    guard let standing else { return }
    service.stands(by: standing.film, in: phase)
    let loss = standby.loss
    guard standby.succeeded() else { return }
    warnInStandby(CameraLoss.returnToStandby(from: loss, as: standing.film.source))
  }

  /// Begins a pre-roll.
  ///
  /// - Parameter old: the film on the same camera whose last frame it begins behind; `nil`: with the next frame.
  private func prepareStandby(behind old: RunningSession?) {
    if old == nil { closeEndedCamera() }
    var order = withDevices(service.order)
    order.isStanding = true
    order.isReturn = standby.failure != nil && standby.hasStood
    (order.setting, order.measurement) = service.lastExposure
    do throws(CamrecError) {
      let film = try factory.prepare(order)
      uses(film)
      keeps(film)
      standing = Take(film: film, running: launch(film, behind: old))
    } catch {
      if standby.failed(error) {
        // A start opens the same devices. What else is wrong need not keep it from a film.
        let isDevice = error.code == .device
        let consequence = isDevice ? "until it opens, no film can begin" : "until that is mended, there is no pre-roll"
        warnInStandby("\(error.description); \(consequence)")
      }
      service.lacksCamera(error)
    }
  }

  /// Warns of something that concerns no film: the one before may still be being finished.
  private func warnInStandby(_ sentence: String) { observer.remarked(SessionRemark(sentence, namesFilm: true)) }

  /// Part of every beat.
  func watchStandby() {
    guard let standing else { return }
    standing.running.report(to: observer)
    guard standing.running.hasEnded(within: 0) else { return }
    let failure = lieDown() ?? CamrecError(.device, "\(standing.film.source.camera) no longer delivers frames")
    let loss = standing.session.state.cameraLoss ?? .failed
    if standby.failed(failure, loss) { warnInStandby(loss.departureInStandby(failure)) }
    service.lacksCamera(failure)
  }

  /// Ends the film that stands by; the camera goes on.
  ///
  /// - Returns: why it had ended by itself, if it had.
  @discardableResult func lieDown() -> CamrecError? {
    guard let standing else { return nil }
    self.standing = nil
    service.liesDown(standing.session)
    keepMicrophone(of: standing)
    standing.session.requestStop()
    return standing.running.end(observer: observer).failure
  }

  /// Begins the film whose camera is already running.
  ///
  /// - Returns: false if no camera is running.
  func beginStanding() throws(CamrecError) -> Bool {
    guard var begun = standing else { return false }
    guard !begun.running.hasEnded(within: 0) else {
      lieDown()
      return false
    }
    begun.film.path = try begun.session.beginFilm()
    standing = nil
    begun.film.announce(begun.film.path)
    service.begins(begun.film)
    take = begun
    while take?.session === begun.session, !begun.session.state.hasBegunMovie { beat(RecorderRun.shortBeat) }
    guard begun.session.state.hasBegunMovie else {
      throw begun.session.failure ?? CamrecError(.device, "the camera delivered no frame")
    }
    noteFirstFrame()
    return true
  }

  /// Finishes the film while its camera is already running again for the next.
  func exchangeForStandby(_ old: Take) {
    if old.session.source.endsWithFilm {
      old.session.requestStop()
      service.leavesCamera()
      old.running.freeSource()
    } else {
      // Before the film ends, so that no frame is missed.
      if camera?.ending == nil, !old.session.hasEndedCapture { prepareStandby(behind: old.running) }
      old.session.requestStop()
      old.running.waitForCapture()
    }
    part(from: old, in: .stopping)
    if let standing {
      service.stands(by: standing.film, in: .stopping)
      _ = standby.succeeded()
    } else {
      standByWithCamera(in: .stopping)
    }
    service.turn(to: .stopping)
    while finishing.contains(where: { $0.session === old.session }) { beat() }
    if !service.isQuitting { service.turn(to: .standby) }
  }
}

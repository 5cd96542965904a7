import Bake
import Frames
import Platform

/// The camera runs on between films, until nobody needs it any more.
extension RecorderRun {
  /// Seconds that it runs on for an exposure that has not met the light yet.
  private static let settling = 10.0
  /// Nanoseconds that a film may be ordered ahead.
  private static let mostAhead: Int64 = 60_000_000_000

  /// Begins a film without a pre-roll. If the camera runs already, or the film has a time, its file and its encoder are
  /// opened first, and a failure changes nothing.
  func beginAlone(at instant: MonotonicTime?) throws(CamrecError) {
    if let instant { try RecorderRun.check(instant, at: .now()) }
    lieDown()
    closeEndedCamera()
    var order = withDevices(service.order)
    order.begin = instant
    let film = try factory.prepare(order)
    do throws(CamrecError) {
      if instant != nil || film.session.source === camera { try film.session.prepareFile() }
    } catch {
      abandon(film)
      throw error
    }
    film.session.state.begin = instant
    begin(film)
    if instant == nil { try waitForPicture() }
  }

  /// Gives up a film that does not begin, and its camera, unless that runs on.
  func abandon(_ film: PreparedFilm) {
    film.abandon()
    guard film.session.source !== camera else { return }
    film.session.source.close()
    factory.closed(film.session.source)
  }

  private static func check(_ instant: MonotonicTime, at now: MonotonicTime) throws(CamrecError) {
    let ahead = instant - now
    func seconds(_ nanoseconds: Int64) -> String { "\((Double(nanoseconds) / 1e7).rounded() / 100) s" }
    guard ahead >= 0 else {
      throw CamrecError(
        .usage,
        "cannot start in the past: 'at' is \(seconds(-ahead)) ago by the monotonic clock; leave it out to start now")
    }
    guard ahead <= mostAhead else {
      throw CamrecError(
        .usage, "'at' is \(seconds(ahead)) ahead; a start may be at most a minute ahead, and a schedule starts later")
    }
  }

  /// Settles the film's camera, unless it runs already.
  func uses(_ film: PreparedFilm) {
    if film.session.source !== camera { service.settle(film) }
  }

  /// From now on the film's camera is the one that runs.
  func keeps(_ film: PreparedFilm) {
    let source = film.session.source
    unusedSince = nil
    guard source !== camera, !source.endsWithFilm else { return }
    closeCamera()
    camera = source
    service.opens(source, for: film)
  }

  /// A camera that ran in standby has gone; a film's end has its own words for that.
  func loses(_ camera: CameraSession) {
    defer { closeCamera() }
    guard !service.isQuitting, let loss = camera.lossInStandby else { return }
    observer.remarked(SessionRemark("\(loss); the next start looks for the camera", namesFilm: true))
  }

  /// A camera that has gone must be closed before it is opened again.
  func closeEndedCamera() { if camera?.ending != nil { closeCamera() } }

  /// Puts back the camera's settings and closes it. Films that are attached end.
  func closeCamera() {
    guard let camera else { return }
    service.leavesCamera()
    camera.close()
    service.closed(camera)
    factory.closed(camera)
    self.camera = nil
    unusedSince = nil
  }

  /// Opens a camera for somebody who looks.
  func wakeCamera() throws(CamrecError) {
    closeEndedCamera()
    if camera != nil { return unusedSince = nil }
    guard take == nil, standing == nil else { return }
    if let absence {
      throw absence.refusal("there is no picture: ") ?? RecorderService.hasNoPicture
    }
    var order = withDevices(service.order)
    order.isTrial = true
    (order.setting, order.measurement) = service.lastExposure
    let film = try factory.prepare(order)
    service.settle(film)
    film.session.state.takeRemarks(isEnd: true).forEach(observer.remarked)
    film.session.parts.baker.close()
    keeps(film)
    camera?.start()
  }

  /// Closes a camera in standby that nobody needs.
  func restCamera() {
    guard let camera, take == nil, standing == nil, service.standsBy else { return unusedSince = nil }
    camera.takeSentences().forEach { observer.remarked(SessionRemark($0, namesFilm: true)) }
    guard camera.tap.readerCount == 0 else { return unusedSince = nil }
    let now = MonotonicTime.now(), since = unusedSince ?? now
    unusedSince = since
    let isSettling = camera.exposure?.isMoving == true
    if Double(now - since) * 1e-9 >= service.rest + (isSettling ? RecorderRun.settling : 0) { closeCamera() }
  }
}

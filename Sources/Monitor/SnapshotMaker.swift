import Cameras
import Foundation
package import Frames
import JPEGImages
import Photos
import Platform
import Recorder
package import RecorderAPI
import StillMetadata

/// Makes image files of a recorder's latest frame.
///
/// Thread: one at a time.
package final class SnapshotMaker {
  private let source: any MonitorSource
  /// Of pictures and measures, too.
  private let latest: SeenCamera.Latest
  /// Of the camera that was looked at last.
  private var remains: ViewedCamera.Remains?

  /// Seconds that a wait for a frame takes before it is asked again whether anybody waits for the snapshot.
  private static let round = 0.1
  /// A frame is old after so many seconds and so many frame times.
  private static let staleAfter = 1.0, staleFrames = 3.0

  /// Without a frame for one of these reasons, an old one is better than none.
  private static let absent: Set<RefusalReason?> = [nil, .awaitingCamera, .unplugged, .noDevice]

  /// - Parameter latest: the camera that somebody has looked at last.
  package init(_ source: any MonitorSource, _ latest: SeenCamera.Latest = SeenCamera.Latest()) {
    (self.source, self.latest) = (source, latest)
  }

  /// The latest frame as an image file. A resting camera is woken; then the snapshot waits until the exposure has
  /// settled, for at most `MonitorProtocol.settling`, and its header says whether it has.
  ///
  /// - Parameter isCancelled: nobody waits for it any more.
  /// - Throws: code `device` if the camera has no new frame, and for images that cannot be decoded; the errors of
  ///   opening cameras.
  package func make(_ request: SnapshotRequest, isCancelled: () -> Bool) throws(CamrecError) -> Snapshot {
    var snapshot = try picture(request, isCancelled)
    let recorder = source.state
    if recorder.phase == .recording {
      snapshot.header.flags.insert(.recording)
    } else if recorder.preRoll != nil {
      snapshot.header.flags.insert(.preRoll)
    }
    return snapshot
  }

  private func picture(_ request: SnapshotRequest, _ isCancelled: () -> Bool) throws(CamrecError) -> Snapshot {
    let wasResting = source.state.source == nil
    let camera: ViewedCamera
    do throws(CamrecError) {
      camera = try ViewedCamera(try source.runningCamera(), copies: true, after: remains)
    } catch {
      // What its tap has kept is all that there is.
      if let seen = latest.camera, seen.tap !== self.remains?.tap { self.remains = ViewedCamera.Remains(seen) }
      defer { self.remains?.freePrepared() }
      guard let remains, SnapshotMaker.hasOld(remains.tap, request) else { throw error }
      guard request.takesStale else { throw SnapshotMaker.sayingThatThereIsOld(error) }
      guard let snapshot = try take(request, of: ViewedCamera(remains), within: 0) else { throw error }
      return snapshot
    }
    remains = camera.remains
    latest.keep(camera.remains.camera)
    // A camera that is opened again has another tap.
    defer { if camera.hasEnded { camera.remains.freePrepared() } }
    if wasResting { try settle(camera, isCancelled) }
    let limit = SnapshotMaker.staleness(camera.remains.format)
    let end = MonotonicTime.now().advanced(by: Int64(limit * 1e9))
    while !camera.hasEnded, !isCancelled() {
      let left = Double(end - .now()) * 1e-9
      if let snapshot = try take(request, of: camera, within: max(0, min(left, SnapshotMaker.round)), limit) {
        return snapshot
      }
      if left <= 0 { break }
    }
    if isCancelled() { throw CamrecError(.interrupted, "nobody waits for this snapshot any more") }
    if request.takesStale, let snapshot = try take(request, of: ViewedCamera(camera.remains), within: 0) {
      return snapshot
    }
    throw SnapshotMaker.refusal(of: camera, request, limit)
  }

  private static func hasOld(_ tap: FrameTap, _ request: SnapshotRequest) -> Bool {
    tap.captured.newest != nil || request.isGraded && tap.baked.newest != nil
  }

  private static func sayingThatThereIsOld(_ error: CamrecError) -> CamrecError {
    guard error.code == .device, absent.contains(error.reason) else { return error }
    return CamrecError(error.code, about: error.field, error.sentence, cause: error.cause, reason: .stale)
  }

  /// - Returns: an error, of reason `stale` if `takesStale` would help.
  private static func refusal(of camera: ViewedCamera, _ request: SnapshotRequest, _ limit: Double) -> CamrecError {
    let hasOld = SnapshotMaker.hasOld(camera.remains.tap, request)
    var fate = "has delivered no frame yet"
    if let last = camera.lastFrame {
      func text(_ seconds: Double) -> String { String(format: "%.1f", seconds) }
      let age = Double(MonotonicTime.now() - last) * 1e-9
      guard camera.hasEnded || age > limit else {
        let work = request.isGraded ? "graded" : "taken"
        return CamrecError(
          .device, "\(camera.remains.name) delivers frames, but none was \(work) within \(text(limit)) s; try again",
          reason: hasOld ? .stale : nil)
      }
      fate = camera.hasEnded ? "sends no more frames" : "has delivered no frame for \(text(age)) s"
      if !hasOld { fate += ", and nobody has looked at the last one" }
    }
    return CamrecError(
      .device, "\(camera.remains.name) \(fate); check the camera", reason: hasOld ? .stale : nil)
  }

  /// Seconds after which a frame is not sold as live.
  private static func staleness(_ format: CameraFormat) -> Double {
    max(staleAfter, staleFrames * (format.frameRate?.frameDuration.doubleValue ?? 0))
  }

  private func settle(_ camera: ViewedCamera, _ isCancelled: () -> Bool) throws(CamrecError) {
    let end = MonotonicTime.now().advanced(by: MonitorProtocol.settling.components.seconds * 1_000_000_000)
    while !camera.isExposed, !camera.hasEnded, !isCancelled(), MonotonicTime.now() < end {
      // As long as somebody looks, the camera does not rest.
      _ = try camera.next(.captured, within: SnapshotMaker.round, useImage: { _, _, _ in true }) { _, _, _ in }
    }
  }

  /// - Parameter limit: seconds that the frame may be old.
  /// - Returns: `nil` if there is no frame, or only an older one.
  private func take(
    _ request: SnapshotRequest, of camera: ViewedCamera, within seconds: Double, _ limit: Double = .infinity
  ) throws(CamrecError) -> Snapshot? {
    var snapshot: Snapshot?
    func isOld(_ facts: TappedFrame) -> Bool { Double(MonotonicTime.now() - facts.tapTime) * 1e-9 > limit }
    let takesImage = !request.isGraded && request.format == .jpeg && request.width == nil
    var own: (facts: TappedFrame, bytes: [UInt8])?
    _ = try camera.next(
      request.isGraded ? .graded : .captured, within: seconds,
      useImage: { facts, encoding, bytes in
        guard !isOld(facts) else { return true }
        guard takesImage, SnapshotMaker.jpegs.contains(encoding) else { return false }
        own = (facts, bytes)
        return true
      },
      { (_, facts, frame) throws(CamrecError) in
        guard !isOld(facts) else { return }
        snapshot = try SnapshotFile(camera, facts, request).made(of: frame)
      })
    if let own { snapshot = try SnapshotFile(camera, own.facts, request).made(ofImage: own.bytes) }
    return snapshot
  }

  private static let jpegs: Set<FourCC> = [FourCC("MJPG"), FourCC("JPEG")]
}

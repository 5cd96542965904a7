import Cameras
import Exposure
import Frames
import Synchronization

/// Follows the controls of a camera that belong to the record of a frame.
///
/// Thread: `look` on one; the rest on any.
final class ControlFollower: Sendable {
  struct Snapshot {
    var exposure: ExposureRecord?
    var controls: ControlRecord?
  }

  private let controls: any CameraControls
  /// In the camera's units: seconds, kelvin or its own.
  private let followed: Set<CameraControl>
  private let sensitivity: Sensitivity
  private let snapshot = Mutex(Snapshot())
  private let closed = Atomic<Bool>(false)

  /// - Returns: `nil` if the camera does not answer, or has none of these controls.
  init?(_ controls: any CameraControls, withExposure: Bool) {
    guard let offers = try? controls.offers() else { return nil }
    var followed: Set<CameraControl> = []
    // A number of lines is not a time.
    for offer in offers where offer.unit == offer.control.unit && ControlFollower.all.contains(offer.control) {
      let isOfExposure = [.exposureTime, .iso, .gain].contains(offer.control)
      if withExposure || !isOfExposure { followed.insert(offer.control) }
    }
    guard !followed.isEmpty else { return nil }
    self.controls = controls
    self.followed = followed
    sensitivity = Sensitivity(
      reading: offers, baseISO: ControlFollower.baseISO,
      calibration: GainCalibration.kept(identity: controls.identity))
    _ = look()
  }

  private static let all: Set<CameraControl> = [.exposureTime, .iso, .gain, .whiteBalance, .tint, .focusDistance]
  /// The ISO assigned to the lowest gain of a camera that reports no ISO, as in every recording.
  private static let baseISO = 100.0

  var isClosed: Bool { closed.load(ordering: .relaxed) }
  func close() { closed.store(true, ordering: .relaxed) }

  /// The values seen last.
  var now: Snapshot { snapshot.withLock { $0 } }

  /// Takes up changes. False if the camera no longer answers.
  func look() -> Bool {
    do throws(CamrecError) {
      _ = try controls.changes()
    } catch {
      return false
    }
    var set = ControlRecord()
    set.whiteBalance = number(.whiteBalance)
    set.tint = number(.tint)
    set.focusDistance = number(.focusDistance)
    let new = Snapshot(exposure: exposure, controls: set == ControlRecord() ? nil : set)
    snapshot.withLock { $0 = new }
    return true
  }

  private var exposure: ExposureRecord? {
    guard let seconds = number(.exposureTime), seconds > 0 else { return nil }
    var setting = ExposureSetting(exposureTime: seconds, gain: 0)
    let own = sensitivity.control.flatMap(number)
    if let own { setting.gainStops = sensitivity.gain(of: own) }
    var record = sensitivity.record(setting)
    if sensitivity.control == .gain { record.gain = own }
    return record
  }

  private func number(_ control: CameraControl) -> Double? {
    guard followed.contains(control), case .number(let number)? = controls.known(control), number.isFinite else {
      return nil
    }
    return number
  }
}

import Cameras
public import Exposure
import Frames

/// A camera's exposure time and gain, behind its controls: what it can be set to, and setting it.
///
/// Thread: one at a time.
public final class ExposureDevice: Sendable {
  public let limits: ExposureLimits
  public let sensitivity: Sensitivity
  private let controls: any CameraControls

  /// Takes the camera's own automatics off its exposure, and looks what it can be set to. After an error they are as
  /// they were.
  ///
  /// - Parameter calibration: of the gain, where the camera tells no ISO.
  /// - Returns: `nil` where the exposure time cannot be set.
  /// - Throws: code `device` where the camera does not answer, or answers with no range.
  static func open(
    _ controls: any CameraControls, baseISO: Double, calibration: GainCalibration? = nil
  ) throws(CamrecError) -> ExposureDevice? {
    do throws(CamrecError) {
      return try prepare(controls, baseISO: baseISO, calibration)
    } catch {
      controls.restore()
      throw error
    }
  }

  private static func prepare(
    _ controls: any CameraControls, baseISO: Double, _ calibration: GainCalibration?
  ) throws(CamrecError) -> ExposureDevice? {
    let offers = try controls.offers()
    guard offers.contains(where: { $0.control == .exposureTime && !$0.isReadOnly }) else { return nil }
    for (control, value) in manual where offers.contains(where: { $0.control == control && !$0.isReadOnly }) {
      try controls.set(control, to: value)
    }
    return try ExposureDevice(controls, try controls.offers(), baseISO: baseISO, calibration)
  }

  private static let manual: [(CameraControl, ControlValue)] = [
    (.exposureMode, .choice("manual")), (.autoGain, .flag(false)), (.autoISO, .flag(false)),
    // It would lower the frame rate in the dark.
    (.dynamicFrameRate, .flag(false)),
  ]

  private init(
    _ controls: any CameraControls, _ offers: [ControlOffer], baseISO: Double, _ calibration: GainCalibration?
  ) throws(CamrecError) {
    self.controls = controls
    sensitivity = Sensitivity(offers, baseISO: baseISO, calibration: calibration)
    guard let time = offers.first(where: { $0.control == .exposureTime }), let range = time.range,
      range.upperBound > 0
    else {
      throw CamrecError(.device, "\(controls.name) tells no range of exposure times; use --exposure camera")
    }
    func nanoseconds(_ seconds: Double) -> Int64 { Int64((min(seconds, 3600) * 1e9).rounded()) }
    let step = max(1, nanoseconds(time.step))
    let shortest = max(step, nanoseconds(range.lowerBound)), longest = max(shortest, nanoseconds(range.upperBound))
    limits = try ExposureLimits(times: shortest...longest, timeStep: step, gains: sensitivity.scale)
  }

  /// Whether setting it takes no time worth a thread.
  var answersAtOnce: Bool { controls.answersAtOnce }

  /// What the camera says it is set to.
  func current() throws(CamrecError) -> ExposureSetting {
    guard case .number(let seconds) = try controls.value(of: .exposureTime) else {
      throw CamrecError(.device, "\(controls.name) tells no exposure time; use --exposure camera")
    }
    var gain = Stops.zero
    if let control = sensitivity.control, case .number(let number) = try controls.value(of: control) {
      gain = sensitivity.gain(of: number)
    }
    return ExposureSetting(nanoseconds: Int64((seconds * 1e9).rounded()), gainStops: gain)
  }

  /// Sets what differs from `before`, and says what the camera answered.
  func apply(_ setting: ExposureSetting, before: ExposureSetting?) throws(CamrecError) -> ExposureSetting {
    var answer = setting
    if setting.nanoseconds != before?.nanoseconds,
      case .number(let seconds) = try controls.set(.exposureTime, to: .number(setting.exposureTime))
    {
      answer.nanoseconds = Int64((seconds * 1e9).rounded())
    }
    if let control = sensitivity.control, setting.gainStops != before?.gainStops {
      let asked = sensitivity.number(of: setting.gainStops)
      if case .number(let number) = try controls.set(control, to: .number(asked)), number != asked {
        answer.gainStops = sensitivity.gain(of: number)
      }
    }
    return answer
  }

  func record(_ setting: ExposureSetting) -> ExposureRecord {
    ExposureRecord(exposureTime: setting.exposureTime, iso: sensitivity.iso(of: setting.gainStops))
  }
}

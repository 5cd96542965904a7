import Cameras
public import Exposure
import Frames

/// A camera's exposure time and gain: their limits, and setting them through the camera's controls.
///
/// Thread: one at a time.
public final class ExposureDevice: Sendable {
  public let limits: ExposureLimits
  public let sensitivity: Sensitivity
  private let controls: any CameraControls
  /// Seconds.
  private let times: ClosedRange<Double>

  /// Switches off the camera's automatic exposure, and finds out what can be set. After an error the automatics are
  /// restored.
  ///
  /// - Parameter calibration: of the gain, if the camera reports no ISO.
  /// - Returns: `nil` if the exposure time cannot be set.
  /// - Throws: code `device` if the camera does not answer, or reports no range.
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
    // A number of lines is not a time.
    guard offers.contains(where: { $0.control == .exposureTime && !$0.isReadOnly && $0.unit == .seconds }) else {
      return nil
    }
    for (control, value) in manual {
      guard let offer = offers.first(where: { $0.control == control && !$0.isReadOnly }) else { continue }
      if case .choice(let word) = value, case .choice(let words) = offer.kind, !words.contains(word) { return nil }
      if control == .exposureMode {
        try controls.set(control, to: value)
      } else {
        // Even if a camera keeps one of these on, its exposure can be set.
        _ = try? controls.set(control, to: value)
      }
    }
    return try ExposureDevice(controls, try controls.offers(), baseISO: baseISO, calibration)
  }

  private static let manual: [(CameraControl, ControlValue)] = [
    (.exposureMode, .choice("manual")), (.autoGain, .flag(false)), (.autoISO, .flag(false)),
    // This would lower the frame rate in the dark.
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
      throw CamrecError(
        .device, about: .exposure,
        "\(controls.name) reports no range of exposure times; use \(setting: .exposure) camera", reason: .notOffered)
    }
    // Picoseconds: a third of a microsecond is not a whole number of nanoseconds.
    let step = max(1000, Int64((min(max(time.step, 0), 3600) * 1e12).rounded()))
    let longest = max(1, ExposureDevice.nanoseconds(range.upperBound, .down))
    let shortest = min(longest, max(step / 1000, 1, ExposureDevice.nanoseconds(range.lowerBound, .up)))
    times = range
    limits = try ExposureLimits(times: shortest...longest, timeStep: step, gains: sensitivity.scale)
  }

  /// Converts to nanoseconds, limited to an hour whatever a driver reports.
  private static func nanoseconds(_ seconds: Double, _ rule: FloatingPointRoundingRule) -> Int64 {
    Int64((min(max(seconds, 0), 3600) * 1e9).rounded(rule))
  }

  /// Whether the camera answers so fast that no separate thread is needed.
  var answersAtOnce: Bool { controls.answersAtOnce }

  /// The setting that the camera reports.
  func current() throws(CamrecError) -> ExposureSetting {
    guard case .number(let seconds) = try controls.value(of: .exposureTime), seconds.isFinite else {
      throw CamrecError(
        .device, about: .exposure,
        "\(controls.name) reports no exposure time; use \(setting: .exposure) camera", reason: .notOffered)
    }
    var gain = Stops.zero
    if let control = sensitivity.control, case .number(let number) = try controls.value(of: control) {
      gain = sensitivity.gain(of: number)
    }
    return ExposureSetting(nanoseconds: ExposureDevice.nanoseconds(seconds, .toNearestOrEven), gainStops: gain)
  }

  /// Sets what differs from `before`, and returns the camera's answer.
  func apply(_ setting: ExposureSetting, before: ExposureSetting?) throws(CamrecError) -> ExposureSetting {
    var answer = setting
    if setting.nanoseconds != before?.nanoseconds,
      case .number(let seconds) = try controls.set(
        .exposureTime, to: .number(min(max(setting.exposureTime, times.lowerBound), times.upperBound)))
    {
      // An answer that is not a number does not tell what was set.
      if seconds.isFinite { answer.nanoseconds = ExposureDevice.nanoseconds(seconds, .toNearestOrEven) }
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
    sensitivity.record(setting)
  }
}

import CV4L2
package import Cameras

/// Maps V4L2's controls and their numbers to camrec's.
///
/// Sources: the V4L2 specification's chapters on user, camera, image source and flash controls. The items of its
/// standard menus have fixed indices; their texts differ from driver to driver.
package struct ControlMapping: Sendable {
  package enum Form: Hashable, Sendable {
    /// A boolean, or a menu of manual (0) and automatic (1).
    case flag
    /// `perUnit` of the driver's units make one of ours.
    case number(perUnit: Double)
    /// A menu of numbers.
    case listed(perUnit: Double)
    /// A menu with these items, or with those of them that the camera has.
    case choice([Int64: String])
    /// One bit of a mask.
    case bit(Int64)
    /// A mask with one bit set, or none.
    case state([Int64: String])
    /// A button, and the one that cancels it.
    case trigger(stop: UInt32)
  }

  package let control: CameraControl
  package let id: UInt32
  package let form: Form
  package let unit: ControlUnit

  private init(_ control: CameraControl, _ id: some BinaryInteger, _ form: Form, unit: ControlUnit? = nil) {
    self.control = control
    self.id = UInt32(id)
    self.form = form
    self.unit = unit ?? control.unit
  }

  /// In the order of `CameraControl.allCases`; if there are several for one control, the first that a camera has is
  /// used.
  package static func mappings(of control: CameraControl) -> [ControlMapping] { all.filter { $0.control == control } }

  private static let own = Form.number(perUnit: 1)

  package static let all: [ControlMapping] = exposure + color + lens + light

  private static let exposure = [
    ControlMapping(
      .exposureMode, V4L2_CID_EXPOSURE_AUTO,
      .choice([0: "auto", 1: "manual", 2: "shutter-priority", 3: "aperture-priority"])),
    // Hundreds of microseconds.
    ControlMapping(.exposureTime, V4L2_CID_EXPOSURE_ABSOLUTE, .number(perUnit: 10_000)),
    // Its unit depends on the driver; most count the sensor's lines.
    ControlMapping(.exposureTime, V4L2_CID_EXPOSURE, own, unit: .own),
    ControlMapping(.dynamicFrameRate, V4L2_CID_EXPOSURE_AUTO_PRIORITY, .flag),
    ControlMapping(.gain, V4L2_CID_GAIN, own),
    ControlMapping(.gain, V4L2_CID_ANALOGUE_GAIN, own),
    ControlMapping(.autoGain, V4L2_CID_AUTOGAIN, .flag),
    // Thousandths, by the specification; `MappedControl` handles drivers that list plain ISO speeds.
    ControlMapping(.iso, V4L2_CID_ISO_SENSITIVITY, .listed(perUnit: 1000)),
    ControlMapping(.autoISO, V4L2_CID_ISO_SENSITIVITY_AUTO, .flag),
    // Thousandths of an EV.
    ControlMapping(.exposureBias, V4L2_CID_AUTO_EXPOSURE_BIAS, .listed(perUnit: 1000)),
    ControlMapping(.mains, V4L2_CID_POWER_LINE_FREQUENCY, .choice([0: "off", 1: "50", 2: "60", 3: "auto"])),
    ControlMapping(.exposureLock, V4L2_CID_3A_LOCK, .bit(Int64(V4L2_LOCK_EXPOSURE))),
    ControlMapping(.whiteBalanceLock, V4L2_CID_3A_LOCK, .bit(Int64(V4L2_LOCK_WHITE_BALANCE))),
    ControlMapping(.focusLock, V4L2_CID_3A_LOCK, .bit(Int64(V4L2_LOCK_FOCUS))),
  ]

  private static let color = [
    ControlMapping(.autoWhiteBalance, V4L2_CID_AUTO_WHITE_BALANCE, .flag),
    ControlMapping(.whiteBalance, V4L2_CID_WHITE_BALANCE_TEMPERATURE, own),
    ControlMapping(.redBalance, V4L2_CID_RED_BALANCE, own),
    ControlMapping(.blueBalance, V4L2_CID_BLUE_BALANCE, own),
  ]

  private static let lens = [
    ControlMapping(.aperture, V4L2_CID_IRIS_ABSOLUTE, own),
    ControlMapping(.autofocus, V4L2_CID_FOCUS_AUTO, .flag),
    ControlMapping(.focusDistance, V4L2_CID_FOCUS_ABSOLUTE, own),
    ControlMapping(.focusTrigger, V4L2_CID_AUTO_FOCUS_START, .trigger(stop: UInt32(V4L2_CID_AUTO_FOCUS_STOP))),
    ControlMapping(.focusState, V4L2_CID_AUTO_FOCUS_STATUS, .state([0: "idle", 1: "busy", 2: "reached", 4: "failed"])),
    ControlMapping(.stabilization, V4L2_CID_IMAGE_STABILIZATION, .flag),
    ControlMapping(.zoom, V4L2_CID_ZOOM_ABSOLUTE, own),
    // Seconds of arc.
    ControlMapping(.pan, V4L2_CID_PAN_ABSOLUTE, .number(perUnit: 3600)),
    ControlMapping(.tilt, V4L2_CID_TILT_ABSOLUTE, .number(perUnit: 3600)),
  ]

  private static let light = [
    ControlMapping(.torch, V4L2_CID_FLASH_LED_MODE, .choice([0: "off", 1: "flash", 2: "on"])),
    ControlMapping(.torchIntensity, V4L2_CID_FLASH_TORCH_INTENSITY, own),
  ]

  /// The driver's numbers of the controls that rule others, for restoring.
  static let rulers = Set(all.filter { $0.control.isAutomatic || $0.control.isLock }.map(\.id))
}

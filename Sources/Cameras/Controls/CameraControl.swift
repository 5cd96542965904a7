/// What can be set on a camera, in the field's own terms; each with the kind and the unit of its values.
///
/// A camera has some of them (`CameraControls.offers`). The raw value is the name in commands, JSON and sidecars.
public enum CameraControl: String, Hashable, Sendable, CaseIterable, Codable {
  // MARK: Exposure

  /// Choice: `auto` and `manual`, and what else the camera has (`shutter-priority`, `aperture-priority`).
  case exposureMode = "exposure-mode"
  /// Seconds; the camera's own numbers where it does not tell how long they are (`ControlOffer.unit`).
  case exposureTime = "exposure-time"
  /// Flag: the camera may lengthen a frame for its automatic exposure, at the cost of the frame rate.
  case dynamicFrameRate = "dynamic-frame-rate"
  /// The camera's own numbers, from its lowest gain to its highest; their EV come from a calibration.
  case gain
  /// Flag.
  case autoGain = "auto-gain"
  /// ISO speed, as the camera has it.
  case iso
  /// Flag.
  case autoISO = "auto-iso"
  /// EV, of the camera's own automatic exposure.
  case exposureBias = "exposure-bias"
  /// Choice: `off`, `50`, `60`, `auto`.
  case mains
  /// Flags: what the camera's own automatics do is held as it is.
  case exposureLock = "exposure-lock"
  case whiteBalanceLock = "white-balance-lock"
  case focusLock = "focus-lock"

  // MARK: Colour

  /// Flag.
  case autoWhiteBalance = "auto-white-balance"
  /// Kelvin.
  case whiteBalance = "white-balance"
  /// −1 (green) … 1 (magenta) around what the colour temperature means.
  case tint
  /// The camera's own numbers.
  case redBalance = "red-balance"
  case blueBalance = "blue-balance"

  // MARK: Lens

  /// The camera's own numbers, a greater one is a wider opening.
  case aperture
  /// Flag: the camera focuses all the time.
  case autofocus
  /// The camera's own numbers, a greater one is nearer.
  case focusDistance = "focus-distance"
  /// Trigger: focuses once, and flag `false` gives that up; `focusState` says how it goes.
  case focusTrigger = "focus-trigger"
  /// Choice, only read: `idle`, `busy`, `reached`, `failed`.
  case focusState = "focus-state"
  /// Point of the picture that is to be sharp.
  case focusPoint = "focus-point"
  /// Flag.
  case stabilization
  /// The camera's own numbers.
  case zoom
  /// Factor, 1 is the whole picture.
  case digitalZoom = "digital-zoom"
  /// Degrees; to the right and upwards are positive.
  case pan
  case tilt

  // MARK: Light

  /// Choice: `off`, `flash`, `on`.
  case torch
  /// The camera's own numbers.
  case torchIntensity = "torch-intensity"
}

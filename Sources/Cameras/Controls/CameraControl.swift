/// The controls of cameras, by their usual names, each with the kind and unit of its values.
///
/// A camera has some of them (`CameraControls.offers`). The raw value is the name in commands, JSON and sidecars.
public enum CameraControl: String, Hashable, Sendable, CaseIterable, Codable {
  // MARK: Exposure

  /// Choice: `auto`, `manual`, and others that the camera has (`shutter-priority`, `aperture-priority`).
  case exposureMode = "exposure-mode"
  /// Seconds; the camera's own numbers if it does not report their unit (`ControlOffer.unit`).
  case exposureTime = "exposure-time"
  /// Flag: the camera may lengthen a frame for its automatic exposure, at the cost of the frame rate.
  case dynamicFrameRate = "dynamic-frame-rate"
  /// The camera's own numbers, from its lowest gain to its highest; a calibration gives their EV.
  case gain
  /// Flag.
  case autoGain = "auto-gain"
  /// ISO speed, as the camera states it.
  case iso
  /// Flag.
  case autoISO = "auto-iso"
  /// EV, of the camera's own automatic exposure.
  case exposureBias = "exposure-bias"
  /// Choice: `off`, `50`, `60`, `auto`.
  case mains
  /// Flags: hold the present result of the camera's own automatics.
  case exposureLock = "exposure-lock"
  case whiteBalanceLock = "white-balance-lock"
  case focusLock = "focus-lock"

  // MARK: Colour

  /// Flag.
  case autoWhiteBalance = "auto-white-balance"
  /// Kelvin.
  case whiteBalance = "white-balance"
  /// −1 (green) … 1 (magenta), relative to the colour temperature.
  case tint
  /// The camera's own numbers.
  case redBalance = "red-balance"
  case blueBalance = "blue-balance"

  // MARK: Lens

  /// The camera's own numbers; greater is a wider opening.
  case aperture
  /// Flag: the camera focuses all the time.
  case autofocus
  /// The camera's own numbers; greater is nearer.
  case focusDistance = "focus-distance"
  /// Trigger: focuses once; the flag `false` cancels that. `focusState` reports the progress.
  case focusTrigger = "focus-trigger"
  /// Choice, read only: `idle`, `busy`, `reached`, `failed`.
  case focusState = "focus-state"
  /// The point in the frame that should be sharp.
  case focusPoint = "focus-point"
  /// Flag.
  case stabilization
  /// The camera's own numbers.
  case zoom
  /// Factor; 1 is the whole frame.
  case digitalZoom = "digital-zoom"
  /// Degrees; right and up are positive.
  case pan
  case tilt

  // MARK: Light

  /// Choice: `off`, `flash`, `on`.
  case torch
  /// The camera's own numbers.
  case torchIntensity = "torch-intensity"
}

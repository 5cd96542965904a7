extension CameraControl {
  /// The control that switches the automatic that rules this one, with the value that releases it.
  public var ruler: (control: CameraControl, manual: ControlValue)? {
    switch self {
    case .exposureTime: (.exposureMode, .choice("manual"))
    case .aperture: (.exposureMode, .choice("manual"))
    case .gain: (.autoGain, .flag(false))
    case .iso: (.autoISO, .flag(false))
    case .whiteBalance, .tint, .redBalance, .blueBalance: (.autoWhiteBalance, .flag(false))
    case .focusDistance: (.autofocus, .flag(false))
    default: nil
    }
  }

  /// Whether it rules other controls. When several controls are set, these come first.
  public var isAutomatic: Bool {
    switch self {
    case .exposureMode, .autoGain, .autoISO, .autoWhiteBalance, .autofocus: true
    default: false
    }
  }

  /// Whether it holds the value that an automatic has reached; set after everything else.
  public var isLock: Bool {
    switch self {
    case .exposureLock, .whiteBalanceLock, .focusLock: true
    default: false
    }
  }

  /// Its place when several controls are set: automatics, then the controls that they rule, then those that start or
  /// hold something.
  public var turn: Int { isAutomatic ? 0 : isLock || self == .focusTrigger ? 2 : 1 }
}

extension CameraControl {
  /// The control that switches the automatic which rules this one, with the value that lets go of it.
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

  /// Rules others: several controls are set with these first.
  public var isAutomatic: Bool {
    switch self {
    case .exposureMode, .autoGain, .autoISO, .autoWhiteBalance, .autofocus: true
    default: false
    }
  }

  /// Holds what an automatic has come to: set after everything else.
  public var isLock: Bool {
    switch self {
    case .exposureLock, .whiteBalanceLock, .focusLock: true
    default: false
    }
  }

  /// Where it stands when several are set: automatics, then what they rule, then what starts or holds something.
  public var turn: Int { isAutomatic ? 0 : isLock || self == .focusTrigger ? 2 : 1 }
}

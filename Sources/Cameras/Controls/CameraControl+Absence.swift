extension CameraControl {
  /// The sentence for a camera that does not have this control, with what camrec does instead.
  ///
  /// - Parameter camera: as messages call it.
  public func absence(on camera: String) -> String { "\(camera) has no \(rawValue); \(substitute)" }

  private var substitute: String {
    switch self {
    case .exposureMode, .exposureTime: "its pictures are taken as it exposes them by itself"
    case .dynamicFrameRate: "a rate that falls in the dark shows in the ledger"
    case .gain: "its exposure follows the light by time alone, and not at all while the shutter is held"
    case .autoGain: "its gain belongs to the exposure mode, or to who sets it"
    case .iso, .autoISO: "camrec goes by its gain"
    case .exposureBias: "camrec's own exposure takes an offset in EV"
    case .mains: "camrec chooses flicker-safe exposure times itself"
    case .exposureLock: "a manual exposure-mode holds the exposure"
    case .whiteBalanceLock: "auto-white-balance=off holds the white balance"
    case .focusLock: "autofocus=off holds the focus"
    case .autoWhiteBalance: "its colours stay as they are set"
    case .whiteBalance: "red-balance and blue-balance shift its colours where it has those"
    case .tint: "red-balance and blue-balance shift its colours where it has those, else a LUT does"
    case .redBalance, .blueBalance: "white-balance shifts its colours where it has that, else a LUT does"
    case .aperture: "the lens stays as open as it is"
    case .autofocus, .focusTrigger: "its focus stays where it is set"
    case .focusDistance: "its focus stays where the lens stands"
    case .focusState: "when its autofocus is done shows in the picture alone"
    case .focusPoint: "its autofocus looks where it likes"
    case .stabilization: "its picture is recorded as it moves"
    case .zoom: "digital-zoom enlarges where it has that, else the picture stays whole"
    case .digitalZoom: "the picture stays whole"
    case .pan, .tilt: "it looks where it was turned to"
    case .torch, .torchIntensity: "light has to come from elsewhere"
    }
  }
}

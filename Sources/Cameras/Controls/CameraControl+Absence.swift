extension CameraControl {
  /// The message for a camera without this control, with what happens instead.
  ///
  /// - Parameter camera: its name for messages.
  public func absence(on camera: String) -> String { "\(camera) has no \(rawValue); \(substitute)" }

  private var substitute: String {
    switch self {
    case .exposureMode: "use exposure-time, and gain or iso, if it has them"
    case .exposureTime: "the camera sets its own exposure"
    case .dynamicFrameRate: "the ledger shows whether its frame rate falls in the dark"
    case .gain: "use iso if it has it"
    case .autoGain: "the exposure mode sets its gain, or you do"
    case .iso, .autoISO: "camrec uses its gain"
    case .exposureBias: "camrec's own exposure accepts an offset in EV"
    case .mains: "camrec chooses flicker-safe exposure times itself"
    case .exposureLock: "exposure-mode=manual holds the exposure"
    case .whiteBalanceLock: "auto-white-balance=off holds the white balance"
    case .focusLock: "autofocus=off holds the focus"
    case .autoWhiteBalance: "its colours stay as they are set"
    case .whiteBalance: "use red-balance and blue-balance if it has them"
    case .tint: "use red-balance and blue-balance if it has them, or a LUT"
    case .redBalance, .blueBalance: "use white-balance if it has it, or a LUT"
    case .aperture: "its aperture stays as it is"
    case .autofocus, .focusTrigger: "its focus stays where it is set"
    case .focusDistance: "its focus stays as it is"
    case .focusState: "only the picture shows when its autofocus is done"
    case .focusPoint: "its autofocus chooses the place"
    case .stabilization: "its frames are not stabilized"
    case .zoom: "use digital-zoom if it has it"
    case .digitalZoom: "the whole frame is recorded"
    case .pan, .tilt: "turn the camera by hand"
    case .torch, .torchIntensity: "you need another light"
    }
  }
}

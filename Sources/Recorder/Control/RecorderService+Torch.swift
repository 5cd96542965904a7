import Cameras
public import Frames

extension RecorderService {
  /// Switches the camera's torch as a recording light: this is neither noted nor kept for the next start. Any thread
  /// but the camera's.
  ///
  /// - Parameter percent: of its full brightness; 0 switches it off.
  /// - Returns: false if no camera is open.
  /// - Throws: code `device` if the camera has no torch, or does not answer.
  public func torch(percent: Int) throws(CamrecError) -> Bool {
    guard let camera = openCamera else { return false }
    guard let controls = camera.controls else {
      throw CamrecError(.device, CameraControl.torch.absence(on: camera.name), reason: .notOffered)
    }
    if percent > 0, let intensity = try controls.offers().first(where: { $0.control == .torchIntensity }),
      case .number(let minimum, let maximum, _) = intensity.kind, !intensity.isReadOnly
    {
      try controls.set(.torchIntensity, to: .number(minimum + (maximum - minimum) * Double(percent) / 100))
    }
    try controls.set(.torch, to: .choice(percent > 0 ? "on" : "off"))
    return true
  }
}

/// What is said of controls that cannot be set or read; `camera` is what messages call it.
public enum ControlSentence {
  /// - Parameter ruler: the control that rules it and the value that lets go, where the camera has one that does.
  public static func ruled(
    _ control: CameraControl, camera: String, ruler: (control: CameraControl, manual: ControlValue)?
  ) -> String {
    let name = control.rawValue
    guard let ruler else {
      return "\(name) of \(camera) cannot be set now: another of the camera's settings rules it"
    }
    let setting = "\(ruler.control.rawValue)=\(ruler.manual.text(in: .own))"
    return "\(name) of \(camera) is ruled by its \(ruler.control.rawValue); set \(setting) first, or together with it"
  }

  public static func readOnly(_ control: CameraControl, camera: String) -> String {
    "\(control.rawValue) of \(camera) can only be read"
  }

  public static func writeOnly(_ control: CameraControl, camera: String) -> String {
    "\(control.rawValue) of \(camera) can be set, but not read"
  }
}

/// Messages about controls that cannot be set or read; `camera` is the camera's name for messages.
public enum ControlSentence {
  /// - Parameter ruler: the control that rules it and the value that releases it, if the camera has one.
  public static func ruled(
    _ control: CameraControl, camera: String, ruler: (control: CameraControl, manual: ControlValue)?
  ) -> String {
    let name = control.rawValue
    guard let ruler else {
      return "\(name) of \(camera) cannot be set now: another setting of the camera controls it"
    }
    let setting = "\(ruler.control.rawValue)=\(ruler.manual.text(in: .own))"
    return "\(name) of \(camera) is controlled by its \(ruler.control.rawValue); set \(setting) first, or with it"
  }

  public static func readOnly(_ control: CameraControl, camera: String) -> String {
    "\(control.rawValue) of \(camera) can only be read"
  }

  public static func writeOnly(_ control: CameraControl, camera: String) -> String {
    "\(control.rawValue) of \(camera) can be set, but not read"
  }
}

package import Cameras
package import Frames
import Glibc

extension V4L2CallError {
  /// The message for a control that could not be read or set.
  ///
  /// - Parameters:
  ///   - device: its name for messages.
  ///   - ruler: the control that rules it, if the camera has one.
  package func explained(
    _ control: CameraControl, device: String, ruler: (control: CameraControl, manual: ControlValue)?
  ) -> CamrecError {
    guard !isGone else { return explained(device: device) }
    let name = control.rawValue
    let sentence =
      switch number {
      case EACCES, EPERM:
        ControlSentence.ruled(control, camera: device, ruler: ruler)
      case EBUSY:
        "\(name) of \(device) is busy and was not changed; try again, after the recording if one is running"
      case ERANGE, EINVAL:
        "\(device) refuses this \(name), although it reports it as possible; choose another"
      default:
        "\(device) does not answer about its \(name); try again, and plug it in again if that does not help"
      }
    return CamrecError(.device, sentence, cause: cause)
  }
}

package import Cameras
package import Frames
import Glibc

extension V4L2CallError {
  /// The sentence for a control that could not be read or set.
  ///
  /// - Parameters:
  ///   - device: as messages call it.
  ///   - ruler: the control that rules it, where the camera has one that does.
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
        "\(name) of \(device) is busy and stays as it is; try again, after the recording where one runs"
      case ERANGE, EINVAL:
        "\(device) refuses this \(name), although it is one that it says it has; choose another"
      default:
        "\(device) does not answer for its \(name); try again, and plug it in again if that does not help"
      }
    return CamrecError(.device, sentence, cause: cause)
  }
}

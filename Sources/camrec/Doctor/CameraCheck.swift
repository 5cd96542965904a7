import CameraV4L2
import Cameras
import Doctor
import Foundation
import Frames

/// Whether a camera is there, may be used, and has what is asked of it. Nothing is set, and it may be in use.
struct CameraCheck: DoctorCheck {
  let options: CameraOptions

  func findings() -> [DoctorFinding] {
    switch options.camera {
    case .simulated?: return [DoctorFinding("camera", .ok, "the camera is a simulated one")]
    case .clip(let path)?: return [DoctorFinding("camera", .ok, "the camera is the clip '\(path)'")]
    case .device, nil: break
    }
    do throws(CamrecError) {
      let path = try node()
      try V4L2Camera.check(path: path, request: options.request)
      let asked = [options.size?.description, options.fps.map { "\($0) fps" }, options.pixelFormat].compactMap(\.self)
      let what = asked.isEmpty ? "can be used" : "has \(asked.joined(separator: ", "))"
      return [DoctorFinding("camera", .ok, "\(path) \(what)")] + USBPowerCheck(node: CameraCheck.real(path)).findings()
    } catch {
      return [
        DoctorFinding(
          "camera", .failure, error.description,
          remedy: "'camrec devices' lists what is plugged in, what it offers and why it cannot be used; cameras are for the group video: "
            + "usermod -aG video USER")
      ]
    }
  }

  private func node() throws(CamrecError) -> String {
    if case .device(let path)? = options.camera { return path }
    return try V4L2Devices.firstCapture()
  }

  private static func real(_ path: String) -> String { PathText(path).resolved }
}

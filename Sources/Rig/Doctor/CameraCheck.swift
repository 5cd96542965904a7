package import Assembly
import CameraV4L2
import Cameras
package import Doctor
import Foundation
import Frames
import Platform

/// Whether a camera is present, may be used, and offers the requested mode. Sets nothing; the camera may be in use.
package struct CameraCheck: DoctorCheck {
  package let settings: SourceSettings

  package func findings() -> [DoctorFinding] {
    switch settings.camera {
    case .simulated?: return [DoctorFinding("camera", .ok, "the camera is simulated")]
    case .clip(let path)?: return [DoctorFinding("camera", .ok, "the camera is the clip '\(path)'")]
    case .device, nil: break
    }
    do throws(CamrecError) {
      let path = try node()
      try V4L2Camera.check(path: path, request: settings.request)
      let rate = settings.frameRate.map { "\($0) fps" }
      let asked = [settings.size?.description, rate, settings.pixelFormat].compactMap(\.self)
      let what = asked.isEmpty ? "can be used" : "offers \(asked.joined(separator: ", "))"
      return [DoctorFinding("camera", .ok, "\(path) \(what)")] + USBPowerCheck(node: CameraCheck.real(path)).findings()
    } catch {
      return [
        DoctorFinding(
          "camera", .failure, error.description,
          remedy: "run 'camrec devices' to see which cameras are there, what they offer and why one cannot be used; "
            + "access needs the group video: usermod -aG video USER")
      ]
    }
  }

  private func node() throws(CamrecError) -> String {
    if case .device(let path)? = settings.camera { return path }
    return try V4L2Devices.firstCapture()
  }

  private static func real(_ path: String) -> String { PathText(path).resolved }
}

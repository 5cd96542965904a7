package import Assembly
import Cameras
package import Doctor
import Frames

/// Whether a camera is present, may be used, and offers the requested mode. Sets nothing; the camera may be in use.
package struct CameraCheck: DoctorCheck {
  package let settings: SourceSettings

  package func findings() -> [DoctorFinding] {
    let providers = CameraProviders.standard
    do throws(CamrecError) {
      let address = try providers.chosen(settings.camera), provider = try providers.provider(of: address)
      if let words = provider.substitute(address) { return [DoctorFinding("camera", .ok, "the camera is \(words)")] }
      try provider.check(address, CameraOrder(settings.request))
      let rate = settings.frameRate.map { "\($0) fps" }
      let asked = [settings.size?.description, rate, settings.pixelFormat].compactMap(\.self)
      let what = asked.isEmpty ? "can be used" : "offers \(asked.joined(separator: ", "))"
      let power = provider.node(of: address).map { USBPowerCheck(node: $0).findings() } ?? []
      return [DoctorFinding("camera", .ok, "\(address.written) \(what)")] + power
    } catch {
      return [
        DoctorFinding(
          "camera", .failure, error.description,
          remedy: "run 'camrec devices' to see which cameras are there, what they offer and why one cannot be used; "
            + "access needs the group video: usermod -aG video USER")
      ]
    }
  }
}

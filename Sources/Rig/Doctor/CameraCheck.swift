package import Assembly
import Cameras
package import Doctor
import Frames
import RecorderRemote

/// Whether a camera is present, may be used, and offers the requested mode, and which recorder uses it. Sets nothing;
/// the camera may be in use.
package struct CameraCheck: DoctorCheck {
  package let settings: SourceSettings
  /// The camera's name in a rig, and so that of its recorder; `nil` without one.
  package let name: String?
  let recorders: RecorderDirectory

  package func findings() -> [DoctorFinding] {
    let providers = CameraProviders.standard
    do throws(CamrecError) {
      let address = try providers.chosen(settings.camera), provider = try providers.provider(of: address)
      if let words = provider.substitute(address) { return [DoctorFinding("camera", .ok, "the camera is \(words)")] }
      let user = recorders.user(of: address, among: providers)
      do throws(CamrecError) {
        try provider.check(address, CameraOrder(settings.request))
      } catch {
        guard error.reason == .inUse, let user else { throw error }
        return [CameraCheck.finding(user, uses: address.written, of: name)]
      }
      let rate = settings.frameRate.map { "\($0) fps" }
      let asked = [settings.size?.description, rate, settings.pixelFormat].compactMap(\.self)
      let what = asked.isEmpty ? "can be used" : "offers \(asked.joined(separator: ", "))"
      let power = provider.node(of: address).map { USBPowerCheck(node: $0).findings() } ?? []
      return [CameraCheck.finding("\(address.written) \(what)", user, of: name)] + power
    } catch {
      return [
        DoctorFinding(
          "camera", .failure, error.description,
          remedy: "run 'camrec devices' to see which cameras are there, what they offer and why one cannot be used; "
            + "access needs the group video: usermod -aG video USER")
      ]
    }
  }

  /// - Parameters:
  ///   - offer: what the camera offers.
  ///   - name: the camera's name in a rig, whose own recorder may use it.
  package static func finding(_ offer: String, _ user: CameraUser?, of name: String?) -> DoctorFinding {
    guard let user else { return DoctorFinding("camera", .ok, offer) }
    guard user.name != name else { return DoctorFinding("camera", .ok, "\(offer); \(user) uses it") }
    return DoctorFinding("camera", .warning, "\(offer), but \(user) uses it", remedy: remedy(user))
  }

  /// For a camera that cannot be opened beside its user.
  package static func finding(_ user: CameraUser, uses camera: String, of name: String?) -> DoctorFinding {
    guard user.name != name else {
      return DoctorFinding("camera", .ok, "\(user) uses \(camera), so nothing else could be checked")
    }
    return DoctorFinding("camera", .failure, "\(user) uses \(camera)", remedy: remedy(user))
  }

  private static func remedy(_ user: CameraUser) -> Sentence {
    "end that recorder before you use the camera ('camrec ctl --name \(user.name) quit'), or choose another "
      + "\(setting: .camera)"
  }
}

public import Foundation
import Frames

/// Whether the rig would run as root.
public struct UserCheck: DoctorCheck {
  private let user: uid_t

  public init(user: uid_t = UserCheck.own) { self.user = user }

  /// The user of this process.
  public static var own: uid_t { geteuid() }

  public func findings() -> [DoctorFinding] {
    guard user == 0 else { return [DoctorFinding("user", .ok, "not running as root")] }
    return [
      DoctorFinding(
        "user", .warning,
        "running as root: a defect in camrec or in a driver's library would give an attacker full control",
        remedy: "run it as its own user: adduser --system --group camrec; usermod -aG video,audio,input camrec")
    ]
  }
}

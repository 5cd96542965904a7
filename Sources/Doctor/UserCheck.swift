public import Foundation

/// As whom the rig would run.
public struct UserCheck: DoctorCheck {
  private let user: uid_t

  public init(user: uid_t = UserCheck.own) { self.user = user }

  /// Of this process.
  public static var own: uid_t { geteuid() }

  public func findings() -> [DoctorFinding] {
    guard user == 0 else { return [DoctorFinding("user", .ok, "not run as root")] }
    return [
      DoctorFinding(
        "user", .warning, "run as root: whatever a defect in camrec or in a driver's library lets in can do anything",
        remedy: "run it as a user of its own: adduser --system --group camrec; usermod -aG video,audio,input camrec")
    ]
  }
}

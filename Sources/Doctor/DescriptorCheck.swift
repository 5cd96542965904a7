import Foundation
import Frames

/// Whether a process may open as many files, devices and sockets as a recording needs.
public struct DescriptorCheck: DoctorCheck {
  /// A camera, a microphone, films, their folders, 16 control clients, and what libraries open.
  static let needed = 256

  private let limit: Int?

  public init(limit: Int? = DescriptorCheck.ownLimit) { self.limit = limit }

  /// This process's limit; `nil` if there is none.
  public static var ownLimit: Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  public func findings() -> [DoctorFinding] {
    guard let limit else { return [DoctorFinding("open files", .ok, "any number of files may be open")] }
    let figures = ["limit": Double(limit)]
    guard limit < DescriptorCheck.needed else {
      return [DoctorFinding("open files", .ok, "\(limit) files may be open", figures: figures)]
    }
    return [
      DoctorFinding(
        "open files", .failure, "only \(limit) files may be open; a recording needs up to \(DescriptorCheck.needed)",
        remedy: "run: ulimit -n 1024, or LimitNOFILE=1024 in the systemd unit", figures: figures)
    ]
  }
}

import Foundation

/// Identifies a process of this machine, even after its number has been given to another one.
public struct ProcessIdentity: Hashable, Sendable {
  public let pid: Int32
  /// When the kernel started it, in its ticks: field 22 of proc(5)'s stat; `nil` if nobody has noted it.
  public let started: UInt64?
  /// The boot that it belongs to: `/proc/sys/kernel/random/boot_id`.
  public let boot: String

  public init(pid: Int32, started: UInt64?, boot: String) {
    self.pid = pid
    self.started = started
    self.boot = boot
  }

  /// This process.
  public static func own() -> ProcessIdentity {
    let pid = ProcessInfo.processInfo.processIdentifier
    return ProcessIdentity(pid: pid, started: start(of: pid), boot: currentBoot())
  }

  /// Whether it runs on this system now.
  public var isAlive: Bool {
    guard boot == ProcessIdentity.currentBoot(), let start = ProcessIdentity.start(of: pid) else { return false }
    return started.map { $0 == start } ?? true
  }

  private static func currentBoot() -> String {
    let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// `nil` if there is no such process, or only a zombie.
  private static func start(of pid: Int32) -> UInt64? {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      // The name is in parentheses and may contain any character.
      let behindName = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[behindName...].split(separator: " ")
    guard fields.count > 20, fields[1] != "Z", fields[1] != "X" else { return nil }
    return UInt64(fields[20])
  }
}

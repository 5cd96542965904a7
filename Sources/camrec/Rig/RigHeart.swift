import Frames
import ServiceSockets

/// Tells systemd that a rig is well: its thread looks around, and sees to it that a recording which hangs is ended and
/// started again (`ChildWatch`). A camera that is not there is waited for, and no reason to start the rig anew.
///
/// Thread: the supervisor's.
final class RigHeart {
  private let manager: ServiceManager
  private var last: MonotonicTime?
  private var line = ""

  /// Nanoseconds between two beats that are told.
  private static let interval: Int64 = 1_000_000_000

  init?(_ manager: ServiceManager?) {
    guard let manager else { return nil }
    self.manager = manager
  }

  /// - Parameters:
  ///   - running: names of the recordings that run.
  ///   - failing: those whose starts come to nothing, and how many in a row have.
  ///   - all: of all cameras.
  func beat(running: [String], failing: [(name: String, failures: Int)], of all: [String]) {
    let now = MonotonicTime.now()
    if let last, now - last < RigHeart.interval { return }
    if last == nil { manager.ready() }
    last = now
    manager.feedWatchdog()
    let well = all.filter { name in running.contains(name) && !failing.contains { $0.name == name } }
    let waiting = all.filter { name in !running.contains(name) && !failing.contains { $0.name == name } }
    let faults = failing.map { $0.failures > 1 ? "\($0.name) (\($0.failures) starts in vain)" : $0.name }
    let parts = [("recording", well), ("failing, tried again", faults), ("not running", waiting)]
    let line = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
    if line != self.line { manager.status(line) }
    self.line = line
  }
}

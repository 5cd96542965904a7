import Frames
package import Platform

/// Tells systemd that a rig works: its thread runs, and restarts recordings that hang (`ChildWatch`). It waits for a
/// missing camera, which is no reason to restart the rig.
///
/// Thread: the supervisor's.
package final class RigHeart {
  private let manager: ServiceManager
  private var last: MonotonicTime?
  private var line = ""

  /// Nanoseconds between two messages, at least.
  private static let interval: Int64 = 1_000_000_000

  package init?(_ manager: ServiceManager?) {
    guard let manager else { return nil }
    self.manager = manager
  }

  /// - Parameters:
  ///   - running: names of the recordings that run.
  ///   - failing: recordings that fail to start, and how often in a row.
  ///   - all: names of all cameras.
  package func beat(running: [String], failing: [(name: String, failures: Int)], of all: [String]) {
    let now = MonotonicTime.now()
    if let last, now - last < RigHeart.interval { return }
    if last == nil { manager.ready() }
    last = now
    manager.feedWatchdog()
    let well = all.filter { name in running.contains(name) && !failing.contains { $0.name == name } }
    let waiting = all.filter { name in !running.contains(name) && !failing.contains { $0.name == name } }
    let faults = failing.map { $0.failures > 1 ? "\($0.name) (\($0.failures) failed starts)" : $0.name }
    // One that waits for its camera runs, and records nothing.
    let parts = [("running", well), ("failing, retrying", faults), ("not running", waiting)]
    let line = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
    if line != self.line { manager.status(line) }
    self.line = line
  }
}

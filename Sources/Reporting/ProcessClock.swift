import Foundation
package import Frames
import Platform

/// When this process began.
package enum ProcessClock {
  /// As the kernel says, to 10 ms; if that is not available, the time of the first reading. Read it first thing.
  package static let launch: MonotonicTime = {
    let now = MonotonicTime.now()
    return age().map { now.advanced(by: -$0) } ?? now
  }()

  /// Nanoseconds since the kernel started this process (proc(5): field 22 of stat, in ticks of 10 ms, against uptime).
  private static func age() -> Int64? {
    guard let ticks = ProcessIdentity.own().started,
      let uptime = try? String(contentsOfFile: "/proc/uptime", encoding: .utf8),
      let up = uptime.split(separator: " ").first.flatMap({ Double($0) })
    else { return nil }
    return Int64(max(0, up - Double(ticks) / 100) * 1e9)
  }
}

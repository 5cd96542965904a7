import Foundation
package import Frames
import Movies
package import RecorderAPI

/// Reports when the disk falls behind, again while that lasts, and when it keeps up again.
package struct DiskWatch {
  private struct Stall {
    var begin: MonotonicTime
    var latest: MonotonicTime
    var longest: Double
    var lostBefore: Int
    /// When to report it again.
    var next: Double
  }

  private var stall: Stall?

  package init() {}

  /// Anything less would show as "0.0 s behind".
  private static let least = 0.05

  /// Seconds after which a lasting stall is reported again, doubled each time.
  private static let again = 10.0
  /// A slow disk falls behind and catches up by turns: it must keep up for this long to count as recovered.
  private static let calm = 1.0

  /// - Parameters:
  ///   - path: the film's path.
  ///   - lost: frames lost to the disk so far.
  ///   - limit: seconds that a power cut may cost while the disk keeps up.
  /// - Returns: a sentence for people, if there is something to report.
  package mutating func look(
    _ disk: DiskStatus, of path: String, lost: Int, lossLimit limit: Double, at now: MonotonicTime
  ) -> String? {
    let seconds = disk.stalledSeconds
    guard seconds >= DiskWatch.least else { return recovered(path, lost, now) }
    let begin = now.advanced(by: -Int64(seconds * 1e9))
    var current = stall ?? Stall(begin: begin, latest: now, longest: 0, lostBefore: lost, next: 0)
    defer { stall = current }
    current.latest = now
    current.longest = max(current.longest, seconds)
    guard Double(now - current.begin) * 1e-9 >= current.next else { return nil }
    current.next = max(DiskWatch.again, 2 * current.next)
    let call =
      switch disk.stalledCall {
      case .write: "a write does not return"
      case .synchronize: "fdatasync does not return"
      case nil: "it is too slow"
      }
    return
      "the disk of '\(path)' is \(DiskWatch.text(seconds)) s behind (\(call)); until it catches up, a crash or a "
      + "power cut may cost \(DiskWatch.text(seconds + limit)) s or more instead of \(DiskWatch.text(limit)) s"
  }

  private mutating func recovered(_ path: String, _ lost: Int, _ now: MonotonicTime) -> String? {
    guard let over = stall, Double(now - over.latest) * 1e-9 >= DiskWatch.calm else { return nil }
    stall = nil
    let frames = lost - over.lostBefore
    let losses = frames == 0 ? "no frame was" : "\(frames) frame\(frames == 1 ? " was" : "s were")"
    return
      "the disk of '\(path)' keeps up again after \(DiskWatch.text(Double(over.latest - over.begin) * 1e-9)) s; "
      + "it was up to \(DiskWatch.text(over.longest)) s behind, and \(losses) lost to the disk"
  }

  private static func text(_ seconds: Double) -> String { String(format: seconds < 10 ? "%.1f" : "%.0f", seconds) }
}

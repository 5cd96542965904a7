import Foundation
package import Frames
package import Movies

/// Says when the disk no longer keeps up, again while that lasts, and when it is over.
package struct DiskWatch {
  private struct Stall {
    var begin: MonotonicTime
    var latest: MonotonicTime
    var longest: Double
    var lostBefore: Int
    /// When it is said again.
    var next: Double
  }

  private var stall: Stall?

  package init() {}

  /// Less than this is told as "0.0 s behind".
  private static let least = 0.05

  /// Seconds after which a stall that lasts is said again, twice as many each time.
  private static let again = 10.0
  /// A disk that is slow, not stuck, comes and goes: it keeps up when it has done so for this long.
  private static let calm = 1.0

  /// - Parameters:
  ///   - path: the film's.
  ///   - lost: frames that the disk has cost so far.
  ///   - limit: seconds that a power cut may cost while the disk keeps up.
  /// - Returns: a sentence for people, where there is one to say.
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
      "the disk of '\(path)' is \(DiskWatch.text(seconds)) s behind (\(call)); as long as that lasts, a crash or a "
      + "power cut costs the last \(DiskWatch.text(seconds + limit)) s and more instead of \(DiskWatch.text(limit)) s"
  }

  private mutating func recovered(_ path: String, _ lost: Int, _ now: MonotonicTime) -> String? {
    guard let over = stall, Double(now - over.latest) * 1e-9 >= DiskWatch.calm else { return nil }
    stall = nil
    let frames = lost - over.lostBefore
    let losses = frames == 0 ? "no frame was lost" : "\(frames) frame\(frames == 1 ? " was" : "s were") lost"
    return
      "the disk of '\(path)' keeps up again after \(DiskWatch.text(Double(over.latest - over.begin) * 1e-9)) s, in "
      + "which it was up to \(DiskWatch.text(over.longest)) s behind; \(losses)"
  }

  private static func text(_ seconds: Double) -> String { String(format: seconds < 10 ? "%.1f" : "%.0f", seconds) }
}

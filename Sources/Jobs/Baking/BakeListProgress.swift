package import Assembly
import Frames
import MediaFFmpeg
import Platform
import Reporting
import Synchronization

/// The progress of a list, weighted by length: an hour of film counts more than a minute.
///
/// A thread of its own reads the clips' headers. Thread: any.
package final class BakeListProgress: Sendable {
  private struct State {
    /// Milliseconds of film by clip; 0 for clips baked by an earlier run.
    var lengths: [ClipList.Item: Int] = [:]
    var reached: [ClipList.Item: Int] = [:]
    var isMeasured = false
    var isClosed = false
  }

  private let progress: WorkProgress
  private let state = Mutex(State())

  package init(_ items: [ClipList.Item], limit: LimitSettings) {
    progress = WorkProgress("baking", items.count == 1 ? "clip" : "clips", pieces: items.count)
    _ = WorkThread(name: "camrec-lengths") { [self] in
      for item in items {
        if state.withLock({ $0.isClosed }) { return }
        let milliseconds = BakeListProgress.milliseconds(item.clip, limit)
        state.withLock { $0.lengths[item] = $0.lengths[item] ?? milliseconds }
      }
      state.withLock { $0.isMeasured = true }
      tell()
    }
  }

  /// Length of the part to bake; 1 for a clip of unknown length, or one that cannot be read.
  private static func milliseconds(_ clip: String, _ limit: LimitSettings) -> Int {
    guard let length = ClipLength(ofFile: clip) else { return 1 }
    var seconds = length.seconds
    if let duration = limit.duration?.seconds.doubleValue { seconds = min(seconds, duration) }
    if let frames = limit.frames { seconds = min(seconds, Double(frames) / length.frameRate.framesPerSecond) }
    return max(1, Int(saturating: seconds * 1000))
  }

  /// - Parameter seconds: film baked so far.
  package func reached(_ item: ClipList.Item, _ seconds: Double) {
    state.withLock { state in
      let milliseconds = Int(saturating: seconds * 1000)
      state.reached[item] = state.lengths[item].map { min($0, milliseconds) } ?? milliseconds
    }
    tell()
  }

  /// - Parameters:
  ///   - number: clips finished so far.
  ///   - wasThere: baked by an earlier run, so it counts as no work.
  package func ended(_ item: ClipList.Item, _ number: Int, wasThere: Bool) {
    state.withLock { state in
      if wasThere { state.lengths[item] = 0 }
      // Its length may not be known yet.
      state.reached[item] = state.lengths[item] ?? .max
    }
    progress.complete(pieces: number)
    tell()
  }

  package func say(_ body: () -> Void) { progress.say(body) }

  /// May be called several times.
  package func close() {
    state.withLock { $0.isClosed = true }
    progress.close()
  }

  private func tell() {
    let sums: (done: Int, total: Int)? = state.withLock { state in
      guard state.isMeasured else { return nil }
      let done = state.reached.reduce(0) { $0 + min($1.value, state.lengths[$1.key] ?? 0) }
      return (done, state.lengths.values.reduce(0, +))
    }
    if let sums { progress.measure(sums.done, of: sums.total) }
  }
}

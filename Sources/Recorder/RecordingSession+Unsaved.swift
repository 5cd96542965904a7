import Frames
import Movies
import Platform
import RecorderAPI

/// Film that a crash would cost.
extension RecordingSession {
  /// Seconds of film that were captured and are not on the medium yet, in all open files. `nil` without a film, and for
  /// output that nobody has confirmed. Any thread; never waits for the disk.
  package var unsavedSeconds: Double? {
    let sinks = state.sinks, newest = state.lastEnd
    guard !sinks.isEmpty else { return nil }
    var unsaved = 0.0
    for open in sinks {
      guard let confirmed = open.sink.confirmedEnd else { return nil }
      unsaved += max(0, (open.end ?? newest) - open.start - Double(confirmed) * timeBase.doubleValue)
    }
    return unsaved
  }

  /// Seconds that these are at most while bake, encoder and disk keep up; `nil` if unknown. Any thread.
  var lossBound: Double? { state.sink?.lossBound }

  /// Checks whether a slow bake or encoder endangers film. Called by the timer.
  func lookAtUnsaved(_ watch: inout UnsavedWatch) {
    // A source that waits loses nothing in between, and after the last frame there is nothing to remedy.
    guard options.overload != .wait, state.endSeconds == nil, let unsaved = unsavedSeconds else { return }
    let bound = lossBound ?? options.lossLimit.doubleValue
    if let remark = watch.look(unsaved: unsaved, bound: bound, isBehind: isBehind, at: .now()) { state.remark(remark) }
  }

  /// Frames wait for the bake or the encoder in a full queue, and neither of these waits for the disk.
  private var isBehind: Bool {
    let queues = queues
    let isFull = [queues.captured, queues.baked].contains { $0.depth >= $0.capacity }
    return isFull && !isHeldUpByDisk && disk.stalledSeconds == 0
  }
}

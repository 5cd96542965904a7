import Cameras
import Frames
import Movies
import Platform

extension RecordingSession {
  /// Bytes that finishing the files would take on the disk now. Any thread.
  var closingBytes: Int64 { state.sinks.reduce(0) { $0 + $1.sink.closingBytes } }

  /// Whether a frame that finds no place now is lost to the disk: the writer is waiting for the disk, or waited for it
  /// while the frames now in the queues were waiting. Any thread.
  var isHeldUpByDisk: Bool {
    let frame = frameRate.frameDuration.doubleValue * 1e9
    let since = MonotonicTime.now().advanced(by: -Int64(Double(options.framesBeforeSink) * frame))
    return state.sinks.contains { $0.sink.isHeldUp(since: since) }
  }

  /// Checks the disk. Called by the timer.
  func lookAtDisk(_ watch: inout DiskWatch) {
    guard let sink = state.sink else { return }
    if let sentence = watch.look(
      sink.disk, of: sink.path, lost: ledger.counts.lost(.disk), lossLimit: options.lossLimit.doubleValue, at: .now())
    {
      state.warn(sentence)
    }
  }
}

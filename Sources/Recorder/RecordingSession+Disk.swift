import Cameras
import Frames
import Movies

extension RecordingSession {
  /// What finishing the files takes on the disk, as things are now. Any thread.
  var closingBytes: Int64 { state.sinks.reduce(0) { $0 + $1.closingBytes } }

  /// Whether a frame that finds no place now is the disk's loss: the writer waits for it, or has waited while one of
  /// the frames that fill the queues waited. Capture thread.
  var isHeldUpByDisk: Bool {
    let frame = parts.camera.format.frameRate.frameDuration.doubleValue * 1e9
    let since = MonotonicTime.now().advanced(by: -Int64(Double(options.framesBeforeSink) * frame))
    return state.sinks.contains { $0.isHeldUp(since: since) }
  }

  /// What the disk watch has to say now. Called by the watch's timer.
  func lookAtDisk(_ watch: inout DiskWatch) {
    guard let sink = state.sink else { return }
    if let sentence = watch.look(
      sink.disk, of: sink.path, lost: ledger.counts.lost(.disk), lossLimit: options.lossLimit.doubleValue, at: .now())
    {
      state.warn(sentence)
    }
  }
}

import Frames
import Platform
import RecorderAPI

extension RecorderState.Totals {
  /// Adds a film, finished or not.
  ///
  /// - Parameter bytes: the size of the finished file.
  mutating func add(_ film: SessionState, bytes: Int64? = nil) {
    self.bytes += bytes ?? film.bytes
    guard let sound = film.sound else { return }
    soundFrames += sound.frames
    soundLost += sound.lostFrames
  }
}

extension RecordingSession {
  /// The queues' present depths. Any thread.
  var queues: RecorderState.Queues {
    let writing = writeQueue.depths
    return RecorderState.Queues(
      captured: RecorderState.Queue(depth: bakeQueue.depth, capacity: options.capturedQueue),
      baked: RecorderState.Queue(depth: writing.frames, capacity: options.bakedQueue),
      sound: RecorderState.Queue(depth: writing.sounds, capacity: RecordingSession.soundBlocks))
  }
}

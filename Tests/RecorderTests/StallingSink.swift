import Audio
import Frames
import MovieTestKit
import Movies
import Platform
import Recorder
import RecorderAPI
import Synchronization
import TestKit

/// A sink whose disk takes nothing while a gate is closed, from a frame on.
final class StallingSink: MovieSink {
  private let inner = CollectingSink()
  private let gate: Gate
  private let frame: Int
  private let stall = Mutex<(begin: MonotonicTime?, isOver: Bool)>((nil, false))
  let path = "stalled.mov"

  /// - Parameter frame: the write of this one, counted from 0, waits for the gate.
  init(_ gate: Gate, atFrame frame: Int) {
    self.gate = gate
    self.frame = frame
  }

  var bytesWritten: Int64 { inner.bytesWritten }
  var contents: CollectingSink.Contents { inner.contents }

  var disk: DiskStatus {
    var disk = DiskStatus()
    stall.withLock { stall in
      guard let begin = stall.begin, !stall.isOver else { return }
      disk.stalledSeconds = Double(MonotonicTime.now() - begin) * 1e-9
      disk.stalledCall = .synchronize
    }
    return disk
  }

  func isHeldUp(since instant: MonotonicTime) -> Bool { stall.withLock { $0.begin != nil && !$0.isOver } }

  func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    if contents.ticks.count == self.frame {
      stall.withLock { $0.begin = .now() }
      gate.pass()
      stall.withLock { $0.isOver = true }
    }
    try inner.write(frame, at: time)
  }

  func write(_ sound: borrowing AudioBuffer) throws(CamrecError) { try inner.write(sound) }
  func finish(at endTime: Int64) throws(CamrecError) -> MovieReport { try inner.finish(at: endTime) }
}

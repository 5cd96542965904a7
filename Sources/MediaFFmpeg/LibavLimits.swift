import CFFmpeg
import Frames
import Platform

/// What reading a file may cost, whatever the file claims; `LibavMemory` limits the memory.
enum LibavLimits {
  /// Tracks. Cameras write ten at most.
  static let streams = 100
  /// Seconds that opening a file may take, and the search for its next packet.
  static let timeout: Int64 = 60
}

/// The time until which FFmpeg's libraries may go on reading. They ask between two pieces of the file.
///
/// Thread: one at a time.
final class LibavDeadline {
  private var end: Int64 = .max

  func begin() { end = LibavDeadline.seconds + LibavLimits.timeout }

  private static var seconds: Int64 { MonotonicTime.now().nanoseconds / 1_000_000_000 }

  /// For a context that does not outlive this object.
  var callback: AVIOInterruptCB {
    AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        let deadline = Unmanaged<LibavDeadline>.fromOpaque(opaque).takeUnretainedValue()
        return LibavDeadline.seconds > deadline.end ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}

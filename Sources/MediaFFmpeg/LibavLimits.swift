import CFFmpeg
import Glibc

/// What reading a file may cost, whatever the file claims.
enum LibavLimits {
  /// The largest piece of memory, in bytes: the index of 14 million samples, or a plane of 16384 × 10240 at 10 bits.
  /// A table in a damaged film may promise billions of samples in a few bytes.
  private static let largestBlock = 320 << 20
  /// Tracks. Cameras write ten at most.
  static let streams = 100
  /// Seconds that opening a file may take, and the search for its next packet.
  static let patience: Int64 = 60

  /// Sets the limit for files that are opened from now on, in the whole program. Any thread.
  static func apply() { av_max_alloc(largestBlock) }

  /// Lifts the limit for a .mov that gets one table, as a bake's does: by then the clip has been opened, and its own
  /// table has been read. Any thread.
  static func lift() { av_max_alloc(Int.max) }
}

/// The time until which FFmpeg's libraries may go on reading. They ask between two pieces of the file.
///
/// Thread: one at a time.
final class LibavDeadline {
  private var end: Int64 = .max

  func begin() { end = LibavDeadline.seconds + LibavLimits.patience }

  private static var seconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }

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

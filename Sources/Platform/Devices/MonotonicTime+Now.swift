public import Frames
import Glibc

extension MonotonicTime {
  /// What the clock says. Any thread.
  public static func now() -> MonotonicTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

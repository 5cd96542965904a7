/// An instant on the kernel's `CLOCK_MONOTONIC`, in nanoseconds since boot.
///
/// V4L2 buffers and ALSA hardware timestamps use this clock, and so does everything that camrec compares with them.
/// `Platform` reads it: `now()`.
public struct MonotonicTime: Hashable, Sendable, Comparable {
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// `later - earlier`, in nanoseconds.
  public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Int64 {
    later.nanoseconds.subtractingSaturated(earlier.nanoseconds)
  }

  public func advanced(by nanoseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: self.nanoseconds.addingSaturated(nanoseconds))
  }
}

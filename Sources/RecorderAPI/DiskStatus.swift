/// How well the disk keeps up with a recording.
public struct DiskStatus: Hashable, Sendable, Codable {
  /// What the disk is asked to do: take bytes, or put them on the medium.
  public enum Call: String, Hashable, Sendable, Codable { case write, synchronize }

  /// Bytes that the system has taken.
  public var bytesWritten: Int64 = 0
  /// Bytes confirmed to be on the medium: neither a crash nor a power cut loses them.
  public var bytesSynchronized: Int64 = 0
  /// Bytes in the buffer in front of the disk, and its capacity; 0 without a buffer.
  public var waitingBytes = 0
  public var capacityBytes = 0
  /// Calls of `fdatasync` that succeeded.
  public var synchronizations = 0
  /// How long they took.
  public var synchronizationTimes = DurationHistogram()
  /// The longest of them, in seconds.
  public var longestSynchronization = 0.0
  /// How long the oldest bytes that are not on the medium have been due there, in seconds, once that is longer than the
  /// recording's loss limit allows; 0 while the disk keeps up.
  public var stalledSeconds = 0.0
  /// The call that has not returned yet; `nil` while none is under way.
  public var stalledCall: Call?
  /// Free bytes on the film's disk; `nil` if nobody checks.
  public var freeBytes: Int64?
  /// Seconds of recording until a film can use no more of the disk if it goes on filling at the same rate; `nil` if
  /// unknown.
  public var secondsLeft: Double?
  /// Whether `secondsLeft` comes from a measured rate, if only from two looks at a disk that fills faster than
  /// expected. `false`: it comes from the rate expected of such a film, and there may be more time or less. `nil` where
  /// `secondsLeft` is `nil`.
  public var isSecondsLeftMeasured: Bool?

  public init() {}

  /// Whether the file's name counts as being on the medium. A file written without a buffer always does, because nobody
  /// waits for it.
  public var isNamed: Bool { capacityBytes == 0 || synchronizations > 0 }

  /// Adds the counts and times of a finished film; buffer and stall stay this one's.
  public mutating func add(finished other: DiskStatus) {
    bytesWritten += other.bytesWritten
    bytesSynchronized += other.bytesSynchronized
    synchronizations += other.synchronizations
    synchronizationTimes.add(other.synchronizationTimes)
    longestSynchronization = max(longestSynchronization, other.longestSynchronization)
  }

  /// Adds a film that is still being finished: its buffer counts, too, and the longer of the two stalls.
  public mutating func add(finishing other: DiskStatus) {
    add(finished: other)
    waitingBytes += other.waitingBytes
    capacityBytes += other.capacityBytes
    if other.stalledSeconds > stalledSeconds {
      (stalledSeconds, stalledCall) = (other.stalledSeconds, other.stalledCall)
    }
  }
}

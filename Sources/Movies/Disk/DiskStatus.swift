/// How the disk takes what is recorded.
public struct DiskStatus: Hashable, Sendable, Codable {
  /// What the disk is asked for: bytes, or that they are on the medium.
  public enum Call: String, Hashable, Sendable, Codable { case write, synchronize }

  /// Given to the system.
  public var bytesWritten: Int64 = 0
  /// Confirmed to be on the medium: no crash, no power cut costs these.
  public var bytesSynchronized: Int64 = 0
  /// In the buffer in front of the disk, and the most that it holds; 0 where there is none.
  public var waitingBytes = 0
  public var capacityBytes = 0
  /// Calls of `fdatasync` that succeeded.
  public var synchronizations = 0
  /// How long they took.
  public var synchronizationTimes = DurationHistogram()
  /// The longest of them, in seconds.
  public var longestSynchronization = 0.0
  /// For how long the oldest bytes that are not on the medium have been due to be there, where that is longer than the
  /// recording's loss bound allows for; 0 while the disk keeps up.
  public var stalledSeconds = 0.0
  /// The call that does not return; `nil` while none is underway.
  public var stalledCall: Call?
  /// Bytes that are free where the film lies; `nil` where nobody looks.
  public var freeBytes: Int64?
  /// Of recording, until the disk is full as far as a film can use it; `nil` where that is not known.
  public var secondsLeft: Double?
  /// Whether the rate behind `secondsLeft` was measured, be it by two looks at a disk that fills faster than expected.
  /// `false`: it is what is expected at most, and there is at least so much time. `nil` where `secondsLeft` is.
  public var isSecondsLeftMeasured: Bool?

  public init() {}

  /// The file's name is on the medium, as far as that is known: a file that is written without a buffer has nobody who
  /// waits for it.
  public var isNamed: Bool { capacityBytes == 0 || synchronizations > 0 }

  /// Counts and times of this and of a film that is finished; buffer and stall stay this one's.
  public mutating func add(finished other: DiskStatus) {
    bytesWritten += other.bytesWritten
    bytesSynchronized += other.bytesSynchronized
    synchronizations += other.synchronizations
    synchronizationTimes.add(other.synchronizationTimes)
    longestSynchronization = max(longestSynchronization, other.longestSynchronization)
  }

  /// The same of one that is still being finished: its buffer is there beside this one's, and what it waits for is a
  /// stall of both.
  public mutating func add(finishing other: DiskStatus) {
    add(finished: other)
    waitingBytes += other.waitingBytes
    capacityBytes += other.capacityBytes
    if other.stalledSeconds > stalledSeconds {
      (stalledSeconds, stalledCall) = (other.stalledSeconds, other.stalledCall)
    }
  }
}

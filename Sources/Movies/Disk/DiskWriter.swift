package import Frames

/// A file behind a bounded buffer: what is appended is written and synchronised by a thread of its own (`camrec-disk`),
/// so that a disk that stalls holds nobody up before the buffer is full.
///
/// Whoever appends marks where the file is whole (`mark`); each mark is followed by an `fdatasync`, and those that the
/// disk is behind with share one. After a failure nothing more is written, or the file would have a hole.
///
/// Thread: one at a time appends, marks and ends; `status`, `length` and `isHeldUp` from any. Appending allocates
/// nothing. Its end writes what waits and joins the thread.
package final class DiskWriter: Sendable {
  private let lane: DiskLane
  private let thread: WorkThread
  private let patience: Double

  /// - Parameters:
  ///   - capacity: bytes that may wait.
  ///   - patience: seconds for which its end, and `synchronize`, wait for one call of the system. A thread that waits
  ///     longer is left behind.
  ///   - isHeldBack: the disk is asked for nothing before `release`.
  ///   - allowance: seconds between a mark and its confirmation, beyond which the disk counts as stalled.
  ///   - isConfirmed: called on the disk's thread with the file's length whenever a mark has been synchronised.
  ///   - look: called on the disk's thread once a second, to look at the file's name.
  package init(
    _ port: any FilePort, capacity: Int, allowance: Double, patience: Double = .infinity, isHeldBack: Bool = false,
    isConfirmed: @escaping @Sendable (_ length: Int64) -> Void, look: @escaping @Sendable () -> Void = {}
  ) {
    let lane = DiskLane(
      port, capacity: capacity, allowance: allowance, isHeldBack: isHeldBack, isConfirmed: isConfirmed, look: look)
    self.lane = lane
    self.patience = patience
    thread = WorkThread(name: "camrec-disk") { lane.run() }
  }

  deinit {
    lane.end()
    guard patience < .infinity else { return thread.join() }
    while !thread.join(within: 0.02), !isStalled {}
  }

  /// What was appended may go to the disk.
  package func release() { lane.release() }

  /// One call of the system has lasted longer than `patience`.
  package var isStalled: Bool { lane.isStalled(since: patience) }

  /// Looks at that also when this object is gone.
  package var stallWatch: @Sendable () -> Bool { { [lane, patience] in lane.isStalled(since: patience) } }

  /// Waits while there is no room.
  ///
  /// - Throws: why the file takes nothing more.
  package func append(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) { try lane.append(bytes, at: offset) }

  /// Appends where there is room for all of it, and does not wait.
  ///
  /// - Returns: false where there is not, or nothing is taken any more.
  package func offer(_ bytes: RawSpan, at offset: Int64) -> Bool { lane.offer(bytes, at: offset) }

  /// The file is whole here, at `size` bytes with `frames` frames, and is to be synchronised.
  ///
  /// - Throws: why the file takes nothing more.
  package func mark(size: Int64, frames: Int64) throws(FileFailure) { try lane.mark(size: size, frames: frames) }

  /// Waits until all that was appended is on the medium.
  ///
  /// - Throws: why it is not; `ETIMEDOUT` where one call takes longer than `patience`.
  package func synchronize() throws(FileFailure) { try lane.synchronize(patience: patience) }

  /// Where the file is whole, as far as it can be relied on: the last mark that was written, or after a failed
  /// synchronisation the last one that was confirmed.
  package var whole: (size: Int64, frames: Int64) { lane.whole }

  /// The last mark that was confirmed to be on the medium.
  package var confirmed: (size: Int64, frames: Int64) { lane.confirmedMark }

  package var failure: FileFailure? { lane.failure }

  /// The file's length on the disk.
  package var length: Int64 { lane.length }

  /// The file was cut back by others, when nothing waited.
  package func truncated(to size: Int64) { lane.truncated(to: size) }

  package var status: DiskStatus { lane.status }

  /// Whether `append` or `mark` was waiting for room at any time since `instant`.
  package func isHeldUp(since instant: MonotonicTime) -> Bool { lane.isHeldUp(since: instant) }
}

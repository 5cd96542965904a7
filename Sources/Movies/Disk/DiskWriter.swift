import Platform

package import Frames
package import RecorderAPI

/// A file behind a bounded buffer. A thread of its own (`camrec-disk`) writes and synchronises what is appended, so a
/// stalled disk holds nobody up until the buffer is full.
///
/// The caller marks where the file is whole (`mark`). An `fdatasync` follows each mark; marks that the disk is behind
/// with share one. After a failure nothing more is written, because the file would have a hole.
///
/// Thread: one at a time appends, marks and ends; `status`, `confirmed`, `length` and `isHeldUp` from any. Appending
/// allocates nothing. Its deinit writes what waits and joins the thread.
package final class DiskWriter: Sendable {
  private let lane: DiskLane
  private let thread: WorkThread
  private let patience: Double

  /// - Parameters:
  ///   - capacity: bytes that may wait.
  ///   - patience: seconds that deinit and `synchronize` wait for one system call. A thread that is stuck for longer is
  ///     left behind.
  ///   - isHeldBack: nothing goes to the disk before `release`.
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

  /// Lets what was appended go to the disk.
  package func release() { lane.release() }

  /// Whether one system call has lasted longer than `patience`.
  package var isStalled: Bool { lane.isStalled(since: patience) }

  /// Reads `isStalled`, even when this object is gone.
  package var stallWatch: @Sendable () -> Bool { { [lane, patience] in lane.isStalled(since: patience) } }

  /// Appends `bytes`, and waits while there is no room.
  ///
  /// - Throws: why the file takes nothing more.
  package func append(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) { try lane.append(bytes, at: offset) }

  /// Appends `bytes` if all of them fit; never waits.
  ///
  /// - Returns: false if they do not fit, or if the file takes nothing more.
  package func offer(_ bytes: RawSpan, at offset: Int64) -> Bool { lane.offer(bytes, at: offset) }

  /// Marks the file as whole at `place`, and has it synchronised.
  ///
  /// - Throws: why the file takes nothing more.
  package func mark(_ place: DiskMark) throws(FileFailure) { try lane.mark(place) }

  /// Waits until all that was appended is on the medium.
  ///
  /// - Throws: why that failed; `ETIMEDOUT` if one call takes longer than `patience`.
  package func synchronize() throws(FileFailure) { try lane.synchronize(patience: patience) }

  /// How far the file is reliably whole: up to the last mark written or, after a failed synchronisation, up to the last
  /// mark confirmed.
  package var whole: DiskMark { lane.whole }

  /// The last mark that was confirmed to be on the medium.
  package var confirmed: DiskMark { lane.confirmedMark }

  package var failure: FileFailure? { lane.failure }

  /// The file's length on the disk.
  package var length: Int64 { lane.length }

  /// Tells the writer that others have truncated the file while nothing waited.
  package func truncated(to size: Int64) { lane.truncated(to: size) }

  package var status: DiskStatus { lane.status }

  /// Whether `append` or `mark` has waited for room at any time since `instant`.
  package func isHeldUp(since instant: MonotonicTime) -> Bool { lane.isHeldUp(since: instant) }
}

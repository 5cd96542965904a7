import Frames
import Platform
import RecorderAPI
import Synchronization

/// The pieces of one snapshot as they come, and whoever puts them together. Thread: any.
final class SnapshotPieces: Sendable {
  private let pieces = Mutex<[Result<MonitorMessage, CamrecError>]>([])
  private let bell = MonotonicSemaphore()

  func add(_ piece: Result<MonitorMessage, CamrecError>) {
    pieces.withLock { $0.append(piece) }
    bell.signal()
  }

  /// - Returns: `nil` if none has come in that time.
  /// - Throws: why no more will come.
  func next(within seconds: Double) throws(CamrecError) -> MonitorMessage? {
    guard bell.wait(within: seconds) else { return nil }
    return try pieces.withLock { $0.removeFirst() }.get()
  }
}

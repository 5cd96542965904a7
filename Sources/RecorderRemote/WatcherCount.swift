import ControlCodec
import Frames
import RecorderAPI
import Synchronization

/// The readers of one connection's updates: the recorder is watched while there are any.
///
/// Thread: any.
final class WatcherCount: Sendable {
  private let connection: ClientConnection
  private let count = Mutex(0)

  /// Seconds that a recorder may take to answer: it asks no camera.
  private static let patience = 15.0

  init(_ connection: ClientConnection) { self.connection = connection }

  /// Another reader. Returns once the connection has a state.
  ///
  /// - Parameter wantsChanges: the recorder tells what has changed; otherwise it tells whole states.
  func add(wantsChanges: Bool) throws(CamrecError) {
    try count.withLock { (count) throws(CamrecError) in
      if count == 0 {
        let request = try ControlRequest(.watch, wantsChanges ? ["changes": "true"] : [:])
        let message = try connection.ask(within: WatcherCount.patience, isPlainWatch: !wantsChanges) {
          request.line(id: $0)
        }
        if let failure = message.error { throw failure.clientError }
      }
      count += 1
    }
  }

  /// A reader has gone; does not wait.
  func remove() {
    count.withLock { count in
      count -= 1
      guard count == 0, let request = try? ControlRequest(.watch, ["value": "false"]) else { return }
      connection.tell { request.line(id: $0) }
    }
  }
}

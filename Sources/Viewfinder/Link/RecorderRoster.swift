import Frames
import Platform
public import RecorderRemote
import Synchronization

/// Which recorders run on this machine, kept up to date.
///
/// Thread: any. A thread of its own waits for changes as long as the process lives.
public final class RecorderRoster: Sendable {
  private let all: Mutex<[RecorderAddress]>

  /// Seconds between two looks where nothing has changed.
  private static let pause = 60.0

  /// - Parameter changed: called on this object's thread when others run.
  public init(_ directory: RecorderDirectory, changed: @escaping @Sendable () -> Void) {
    all = Mutex(RecorderRoster.addresses(directory))
    guard let changes = try? directory.changes() else { return }
    _ = WorkThread(name: "camrec-roster") { [self] in
      while true {
        _ = changes.next(within: RecorderRoster.pause)
        let now = RecorderRoster.addresses(directory)
        let isNew = all.withLock { all in
          defer { all = now }
          return all != now
        }
        if isNew { changed() }
      }
    }
  }

  /// Those that run, each with a name of its own.
  public var addresses: [RecorderAddress] { all.withLock { $0 } }

  private static func addresses(_ directory: RecorderDirectory) -> [RecorderAddress] {
    RecorderAddress.distinct(directory.running.map(RecorderAddress.init))
  }
}

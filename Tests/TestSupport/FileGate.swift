import Foundation

/// Holds a camrec where it locks its first .mov, which is the film that it has just made: work that lasts as long as a
/// test wants it to, on any machine.
public final class FileGate {
  private let path: String
  private var fifo: Int32 = -1

  public struct NobodyCame: Error {}

  /// - Parameter path: of the FIFO that is made for it.
  public init(path: String) throws {
    self.path = path
    guard mkfifo(path, 0o600) == 0 else { throw NobodyCame() }
  }

  deinit { open() }

  /// For the process that is to be held.
  public func environment() throws -> [String: String] {
    try FaultyFiles.environment().merging(["CAMREC_FILE_GATE": path]) { $1 }
  }

  /// Returns when somebody is held.
  public func awaitSomebody() throws {
    for _ in 0..<6000 where fifo < 0 {
      // There is a reader when it can be opened.
      fifo = Foundation.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if fifo < 0 { usleep(10_000) }
    }
    guard fifo >= 0 else { throw NobodyCame() }
  }

  /// Whoever is held goes on.
  public func open() {
    if fifo >= 0 { close(fifo) }
    fifo = -1
  }
}

import Foundation

/// Holds a camrec where it locks its first .mov, which is the film that it has just made, or at another call: work that
/// lasts as long as a test wants it to, on any machine.
public final class FileGate {
  public enum Call: String {
    case lock = "flock"
    case synchronization = "fdatasync"
    case wholeSynchronization = "fsync"
    case mode = "fchmod"
  }

  private let path: String
  private let call: Call
  private let part: String
  private var fifo: Int32 = -1

  public struct NobodyCame: Error {}

  /// - Parameters:
  ///   - path: of the FIFO that is made for it.
  ///   - call: whose first one is held.
  ///   - part: that stands in the name of the file that it is made for.
  public init(path: String, call: Call = .lock, ofFile part: String = ".mov") throws {
    self.path = path
    self.call = call
    self.part = part
    guard mkfifo(path, 0o600) == 0 else { throw NobodyCame() }
  }

  deinit { open() }

  /// For the process that is to be held.
  public func environment() throws -> [String: String] {
    try FaultyFiles.environment().merging([
      "CAMREC_FILE_GATE": path, "CAMREC_FILE_GATE_CALL": call.rawValue, "CAMREC_FILE_GATE_NAME": part,
    ]) { $1 }
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

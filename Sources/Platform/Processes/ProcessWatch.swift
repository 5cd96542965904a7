import CPlatform
import Glibc

/// Notices the end of a process, which need not be a child (pidfd_open(2)).
///
/// It means the process that had the number when this was made, even after the number has been given to another one.
///
/// Thread: any.
public final class ProcessWatch: Sendable {
  let descriptor: Int32

  /// - Returns: `nil` if there is no such process, or this one has no descriptors left.
  public init?(pid: Int32) {
    let descriptor = CWatch_process(pid)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Whether the process has ended; it may still be a zombie. Does not wait.
  public var hasEnded: Bool { SocketCall.wait(for: POLLIN, on: descriptor, milliseconds: 0) }
}

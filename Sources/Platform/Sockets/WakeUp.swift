import Glibc

/// A bell for a thread that waits for a socket: another thread rings it, and the wait ends.
///
/// A pipe that nobody waits for; a byte in it means that somebody has rung.
///
/// Thread: any.
public final class WakeUp: Sendable {
  /// Ready to read once somebody has rung.
  let descriptor: Int32
  private let writing: Int32

  /// - Returns: `nil` if the process has no descriptors left.
  public init?() {
    guard let ends = Descriptors.pipe() else { return nil }
    descriptor = ends.reading
    writing = ends.writing
    for end in [ends.reading, ends.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  /// Ends the wait that is under way, otherwise the next one. Does not wait.
  public func ring() {
    // A pipe that is full has been rung.
    var byte: UInt8 = 0
    while write(writing, &byte, 1) < 0, errno == EINTR {}
  }

  /// Makes the bell ready for another ring.
  public func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count == bytes.count || count < 0 && errno == EINTR { continue }
      return
    }
  }
}

import Foundation
import Glibc
import Synchronization

/// A pipe that is as full as it gets, by so many bytes.
public final class FullPipe: Sendable {
  public let reading: Int32
  public let writing: Int32
  private let filled: Mutex<Int>

  public init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw PseudoTerminal.Missing() }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var filled = 0
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    let block = [UInt8](repeating: 0x2E, count: 4096)
    while true {
      let count = write(writing, block, block.count)
      if count <= 0 { break }
      filled += count
    }
    _ = fcntl(writing, F_SETFL, 0)
    self.filled = Mutex(filled)
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Reads what has been written since until it ends so, or far too long.
  public func read(until end: String) -> String { read { $0.hasSuffix(end) } }

  public func read(until isEnough: (String) -> Bool) -> String {
    let skipped = filled.withLock { filled in
      defer { filled = 0 }
      return filled
    }
    var bytes: [UInt8] = [], block = [UInt8](repeating: 0, count: 65536)
    while bytes.count < skipped || !isEnough(String(decoding: bytes.dropFirst(skipped), as: UTF8.self)) {
      var asked = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      guard poll(&asked, 1, 10_000) > 0 else { break }
      let count = Glibc.read(reading, &block, block.count)
      if count <= 0 { break }
      bytes += block.prefix(count)
    }
    return String(decoding: bytes.dropFirst(skipped), as: UTF8.self)
  }
}

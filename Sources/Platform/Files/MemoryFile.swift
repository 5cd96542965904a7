import CPlatform
import Glibc

/// A file in memory, without a name, for code that writes to a descriptor. It goes with the last reference. Any thread.
public final class MemoryFile: Sendable {
  /// Open for reading and writing; no child inherits it, and nobody else closes it.
  public let descriptor: Int32

  /// An empty one.
  public init() throws(SystemCallError) {
    descriptor = try SystemCall.perform("memfd_create") { CSystemCalls_memory_file() }
  }

  deinit { close(descriptor) }

  /// Bytes.
  public var size: Int {
    get throws(SystemCallError) {
      var facts = stat()
      try SystemCall.perform("fstat") { fstat(descriptor, &facts) }
      return Int(facts.st_size)
    }
  }

  /// As many bytes from `offset` on as there are, up to `count`.
  public func read(at offset: Int, count: Int) throws(SystemCallError) -> [UInt8] {
    try OpenFile.read(descriptor, at: Int64(offset), count: count)
  }
}

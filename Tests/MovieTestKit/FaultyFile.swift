package import Movies
import Synchronization

/// A file whose disk does what a script says, call by call: for what no disk does on demand.
package final class FaultyFile: FilePort {
  package enum Call: Hashable, Sendable {
    /// Counted from 0, each of its kind.
    case write(Int, offset: Int64, count: Int)
    case synchronize(Int)
  }

  package enum Answer: Sendable {
    case works
    /// So many of the bytes, as a call that a signal or a full disk cuts short.
    case some(Int)
    /// This system error.
    case refused(Int32)
  }

  private let file: any FilePort
  private let script: @Sendable (Call) -> Answer
  private let counts = Mutex((writes: 0, synchronizations: 0))
  private let bytes = Mutex<[UInt8]>([])

  /// - Parameter script: is asked on the thread that calls, and may let it wait.
  package init(_ file: any FilePort, _ script: @escaping @Sendable (Call) -> Answer) {
    self.file = file
    self.script = script
  }

  package func write(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int {
    let number = counts.withLock { counts in
      defer { counts.writes += 1 }
      return counts.writes
    }
    switch script(.write(number, offset: offset, count: bytes.byteCount)) {
    case .works: return try take(bytes, at: offset)
    case .some(let count): return try take(bytes.extracting(0..<count), at: offset)
    case .refused(let number): throw FileFailure("pwrite", number)
    }
  }

  private func take(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int {
    let count = try file.write(bytes, at: offset)
    self.bytes.withLock { taken in
      let start = Int(offset)
      if taken.count < start + count { taken += repeatElement(0, count: start + count - taken.count) }
      for index in 0..<count { taken[start + index] = bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) }
    }
    return count
  }

  /// All bytes that the disk took, where they were written, also those that a film's end cut off afterwards.
  package var taken: [UInt8] { bytes.withLock { $0 } }

  package func synchronize() throws(FileFailure) {
    let number = counts.withLock { counts in
      defer { counts.synchronizations += 1 }
      return counts.synchronizations
    }
    switch script(.synchronize(number)) {
    case .works, .some: try file.synchronize()
    case .refused(let number): throw FileFailure(FileFailure.synchronization, number)
    }
  }

  package func read(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8] {
    try file.read(at: offset, count: count)
  }

  package func truncate(to size: Int64) throws(FileFailure) { try file.truncate(to: size) }
  package func synchronizeFolder() throws(FileFailure) { try file.synchronizeFolder() }
  package var path: String { file.path }
  package func look() -> FilePlace { file.look() }
  package func rename(to path: String) throws(FileFailure) { try file.rename(to: path) }
  package func exchange(with path: String) throws(FileFailure) { try file.exchange(with: path) }
  package func copy(to path: String, room: () -> Int64?) throws(FileFailure) { try file.copy(to: path, room: room) }
  package var descriptorPath: String? { file.descriptorPath }
}

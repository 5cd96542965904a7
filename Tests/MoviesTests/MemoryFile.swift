import Movies
import Synchronization

/// A file in memory that takes at most `most` bytes a call.
final class MemoryFile: FilePort {
  struct State {
    var bytes: [UInt8] = []
    /// As they were when they were last synchronised.
    var confirmed: [UInt8] = []
    var synchronizations = 0
    var folders = 0
  }

  private let state = Mutex(State())
  private let most: Int

  init(most: Int = .max) { self.most = most }

  var contents: State { state.withLock { $0 } }

  func write(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int {
    let count = min(bytes.byteCount, most)
    let taken = bytes.withUnsafeBytes { Array($0[..<count]) }
    state.withLock { state in
      let end = Int(offset) + count
      if state.bytes.count < end { state.bytes += [UInt8](repeating: 0, count: end - state.bytes.count) }
      state.bytes.replaceSubrange(Int(offset)..<end, with: taken)
    }
    return count
  }

  func read(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8] {
    state.withLock { Array($0.bytes.dropFirst(Int(offset)).prefix(count)) }
  }

  func truncate(to size: Int64) throws(FileFailure) {
    state.withLock { $0.bytes.removeLast(max(0, $0.bytes.count - Int(size))) }
  }

  func synchronize() throws(FileFailure) {
    state.withLock {
      $0.confirmed = $0.bytes
      $0.synchronizations += 1
    }
  }

  func synchronizeFolder() throws(FileFailure) { state.withLock { $0.folders += 1 } }
}

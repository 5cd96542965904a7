import Platform
import RecorderAPI

/// A state file and what is known of the process that writes it.
struct StateEntry: Sendable {
  private enum Life: Sendable {
    /// It runs until the kernel says that it has ended.
    case watched(ProcessWatch)
    /// It runs, or did when it was last looked at: the kernel does not say when it ends.
    case unwatched
    case ended
  }

  private(set) var record: StateRecord
  private var life: Life

  /// - Parameter known: what the file said before.
  /// - Returns: `nil` if there is no state file at the path, or this user cannot read it.
  init?(path: String, known: StateEntry?) {
    guard let record = try? StateFile.read(path: path) else { return nil }
    self.record = record
    if let known, known.record.writer == record.writer {
      life = known.life
      return
    }
    // If it still runs after its number has become a descriptor, the descriptor means it, and not a process that was
    // given its number.
    let process = ProcessWatch(pid: record.writer.pid)
    life = record.writer.isAlive ? process.map(Life.watched) ?? .unwatched : .ended
  }

  /// Whether the process runs now.
  mutating func isAlive() -> Bool {
    switch life {
    case .watched(let process) where !process.hasEnded: return true
    case .unwatched where record.writer.isAlive: return true
    default:
      life = .ended
      return false
    }
  }

  /// What is ready to read when the process ends; `nil` if it has ended, or nothing tells of its end.
  var process: ProcessWatch? { if case .watched(let process) = life { process } else { nil } }

  /// The process runs, and nothing tells of its end.
  var isUnwatched: Bool { if case .unwatched = life { true } else { false } }
}

package import Frames
import Platform
package import RecorderAPI
import RecorderRemote
import Synchronization
import Telemetry

/// Gives a file that a recorder replaces every second to one running recorder. The file itself says whose it is.
///
/// Thread: any.
package final class FileOwnership: Sendable {
  /// This process, as the file names it.
  package let writer = StateWriter.own()
  private let path: String
  private let kind: String
  private let remedy: Sentence
  private let reader: @Sendable () -> StateWriter?
  private let owns = Atomic<Bool>(false)

  /// - Parameters:
  ///   - kind: what it is, for people: `state file`.
  ///   - remedy: what to do if another recorder has it.
  ///   - reader: who wrote the file; `nil` if it does not say.
  package init(_ path: String, kind: String, remedy: Sentence, reader: @escaping @Sendable () -> StateWriter?) {
    self.path = path
    self.kind = kind
    self.remedy = remedy
    self.reader = reader
  }

  /// This recorder has written the file.
  package var isOwn: Bool { owns.load(ordering: .relaxed) }

  /// Runs `write`, which writes the file. The look for another recorder and the first write are under the lock of the
  /// folder: of two recorders that start at once, the second finds the first one's name. Without locks nothing keeps
  /// these two apart.
  ///
  /// - Throws: code `output` if another running recorder has the file; what `write` throws.
  package func write(_ write: () throws(CamrecError) -> Void) throws(CamrecError) {
    if isOwn { return try write() }
    let lock = try FolderLock(folderOf: path)
    defer { _ = lock }
    if let other = reader(), other != writer, other.isAlive {
      throw CamrecError(
        .output, about: nil,
        "'\(path)' is the \(kind) of a running recorder (process \(other.pid)); \(sentence: remedy)")
    }
    try write()
    owns.store(true, ordering: .relaxed)
  }
}

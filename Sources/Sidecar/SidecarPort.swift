import Foundation
import Frames
import Movies
import Platform
import Synchronization

/// A sidecar's file. The disk's thread creates it with the first bytes that it writes, so that whoever begins a film
/// does not wait for that.
///
/// A sidecar that already lies there belonged to a film of the same name, which is gone or being replaced, so it is
/// replaced as well. Any other file of that name stays.
///
/// Thread: as `FilePort`.
final class SidecarPort: FilePort {
  private struct State {
    /// Where to create the file.
    var path: String
    var file: SystemFile?
    var isEmpty = true
  }

  /// The call whose failure says that there is no sidecar: the file could not be created. `EEXIST`: another file has
  /// its name.
  static let creation: StaticString = "open"

  private let state: Mutex<State>

  init(path: String) { state = Mutex(State(path: path)) }

  private var file: SystemFile? { state.withLock { $0.file } }

  func write(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int {
    let file = try made()
    do throws(FileFailure) {
      let count = try file.write(bytes, at: offset)
      if count > 0 { state.withLock { $0.isEmpty = false } }
      return count
    } catch {
      // An empty file would belong to nobody.
      if state.withLock({ $0.isEmpty }), file.look() == .inPlace { try? SystemCall.unlink(file.path) }
      throw error
    }
  }

  /// Creates the file. If its folder is gone, the film may have been moved with it: that is found out within a second,
  /// and the file is created there.
  private func made() throws(FileFailure) -> SystemFile {
    var attempts = SidecarPort.attempts
    while true {
      let (known, path) = state.withLock { ($0.file, $0.path) }
      if let known { return known }
      do throws(FileFailure) {
        let file = try SidecarPort.create(path)
        let now = state.withLock { state in
          state.file = file
          return state.path
        }
        // The film was renamed in that moment.
        if now != path { try? file.rename(to: now) }
        return file
      } catch {
        attempts -= 1
        guard error.number == ENOENT, attempts > 0 else { throw error }
      }
      WorkThread.sleep(.milliseconds(100))
    }
  }

  /// Each takes a tenth of a second.
  private static let attempts = 30

  private static func create(_ path: String) throws(FileFailure) -> SystemFile {
    do throws(FileFailure) { return try createNew(path) } catch {
      guard error.number == EEXIST, SidecarFile.isSidecar(path) else { throw error }
    }
    // It may be the sidecar of a film that has just been renamed, and may still be written. It then lives on without a
    // name, and its recorder makes a copy of it.
    try? SystemCall.unlink(path)
    return try createNew(path)
  }

  private static func createNew(_ path: String) throws(FileFailure) -> SystemFile {
    do throws(SystemCallError) {
      let file = try OpenFile.open(path, O_RDWR | O_CREAT | O_EXCL, mode: SystemFile.mode)
      return SystemFile(descriptor: file, path: OutputPath.resolved(path))
    } catch {
      throw FileFailure(SidecarPort.creation, error.number)
    }
  }

  /// Has the file created at `path`. Waits for nobody.
  ///
  /// - Returns: false if it is already created.
  func moves(to path: String) -> Bool {
    state.withLock { state in
      guard state.file == nil else { return false }
      state.path = path
      return true
    }
  }

  func read(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8] {
    try file?.read(at: offset, count: count) ?? []
  }

  func truncate(to size: Int64) throws(FileFailure) { try file?.truncate(to: size) }
  func synchronize() throws(FileFailure) { try file?.synchronize() }
  func synchronizeFolder() throws(FileFailure) { try file?.synchronizeFolder() }

  var path: String { state.withLock { $0.file?.path ?? $0.path } }

  func look() -> FilePlace { file?.look() ?? .inPlace }

  func rename(to path: String) throws(FileFailure) {
    if let file { return try file.rename(to: path) }
    state.withLock { $0.path = path }
  }

  func exchange(with path: String) throws(FileFailure) {
    guard let file else { throw FileFailure("renameat2", ENOENT) }
    try file.exchange(with: path)
  }

  func copy(to path: String, room: () -> Int64?) throws(FileFailure) {
    guard let file else { throw FileFailure("open", ENOENT) }
    try file.copy(to: path, room: room)
  }

  var descriptorPath: String? { file?.descriptorPath }
}

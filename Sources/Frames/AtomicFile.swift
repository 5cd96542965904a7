import Foundation

/// Replaces a file as a whole: who reads it sees the one before or the new one, and never a part.
///
/// Thread: one at a time for a path.
public struct AtomicFile: Sendable {
  public let path: String
  private let mode: mode_t
  private let isSynchronized: Bool
  private let temporary: String

  /// - Parameters:
  ///   - mode: of the file, whatever the umask: 0640 for the recorder's own, 0644 where another user reads it.
  ///   - isSynchronized: the bytes are on the medium before the name is theirs, so that a loss of power leaves the old
  ///     file or the new one. Which of them, `FolderSync` decides. Without, a loss of power may leave an empty one.
  public init(path: String, mode: UInt32 = 0o640, isSynchronized: Bool = false) {
    self.path = path
    self.mode = mode
    self.isSynchronized = isSynchronized
    let place = PathText(path)
    // In the same folder, since a file is only renamed within its file system; hidden, and not ending as the file
    // does, so that nobody takes it for one. The process's number keeps two recorders apart, and the machine's name those
    // that share a disk.
    let name = ".\(place.name).\(AtomicFile.host)-\(ProcessInfo.processInfo.processIdentifier).new"
    temporary = PathText(place.folder).appending(name)
  }

  /// The machine's name, of which `gethostname` asks nobody else.
  private static let host: String = {
    var name = [CChar](repeating: 0, count: 65)
    _ = unsafe gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).filter { $0 != "/" }
  }()

  /// - Throws: code `output`; what lies there stays as it is.
  public func replace(with bytes: some Sequence<UInt8>) throws(CamrecError) {
    let bytes = Array(bytes)
    // What a process of this number has left behind; and nobody's link is followed in a folder that others share.
    unsafe unlink(temporary)
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard file >= 0 else { throw failure() }
    var problem: CamrecError?
    // Where there are no modes (FAT) it has the mount's.
    _ = fchmod(file, mode)
    var done = 0
    while problem == nil, done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { rest in
        unsafe write(file, rest.baseAddress?.advanced(by: done), rest.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        problem = failure(count < 0 ? errno : ENOSPC)
        break
      }
      done += count
    }
    if problem == nil, isSynchronized, fsync(file) != 0 { problem = failure() }
    close(file)
    if problem == nil, unsafe rename(temporary, path) != 0 { problem = failure() }
    if let problem {
      unsafe unlink(temporary)
      throw problem
    }
  }

  /// Takes the file away.
  public func remove() { unsafe unlink(path) }

  private func failure(_ number: Int32 = errno) -> CamrecError {
    CamrecError(.output, "'\(path)' cannot be written", cause: SystemError.words(for: number))
  }
}

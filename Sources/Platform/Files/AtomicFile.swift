import Foundation
public import Frames

/// Replaces a file as a whole: a reader sees the old file or the new one, never part of one.
///
/// The files that camrec writes beside films replace only files that camrec wrote earlier. A file with any other
/// content, above all a recording, is left alone. So is anything but an ordinary file, except a character device such
/// as `/dev/null`, which is written to.
///
/// Thread: one at a time for a path.
public struct AtomicFile: Sendable {
  /// The text that identifies a file as camrec's own; it stands in the file's first or last 4 KiB.
  public struct Mark: Hashable, Sendable {
    /// What it is, for people: `state file`.
    public var name: String
    public var text: String
    /// The texts that identify files of older versions, and those written another way; the empty text stands for
    /// anything but a film.
    public var older: [String]

    public init(name: String, text: String, older: [String] = []) {
      self.name = name
      self.text = text
      self.older = older
    }

    /// For hash recordings: only other hash recordings may replace them.
    public static func hashes(name: String) -> Mark { Mark(name: name, text: RecordingKind.hashesHeading) }

    fileprivate func isFound(in bytes: [UInt8]) -> Bool {
      let found = String(decoding: bytes, as: UTF8.self)
      return found.contains(text) || older.contains { $0.isEmpty || found.contains($0) }
    }
  }

  public let path: String
  private let mark: Mark?
  private let mode: mode_t
  private let isSynchronized: Bool
  private let temporary: String

  /// - Parameters:
  ///   - mark: identifies the files that may be replaced; `nil`: any file that is not a recording.
  ///   - mode: of the file, whatever the umask: 0640 for the recorder's own, 0644 where another user reads it.
  ///   - isSynchronized: the bytes reach the medium before they get the name, so that a power cut leaves the old file
  ///     or the new one; `FolderSync` decides which. Without it, a power cut may leave an empty file.
  public init(path: String, mark: Mark? = nil, mode: UInt32 = 0o640, isSynchronized: Bool = false) {
    self.path = path
    self.mark = mark
    self.mode = mode
    self.isSynchronized = isSynchronized
    let place = PathText(path)
    // In the same folder, because a file can be renamed only within its file system. Hidden, and with another ending
    // than the file's, so that nobody mistakes it for one. The process's number keeps two recorders apart, and the
    // machine's name two machines that share a disk.
    let name = ".\(place.name).\(AtomicFile.host)-\(ProcessInfo.processInfo.processIdentifier).new"
    temporary = PathText(place.folder).appending(name)
  }

  /// The machine's name; `gethostname` does not ask the network for it.
  private static let host: String = {
    var name = [CChar](repeating: 0, count: 65)
    _ = unsafe gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).filter { $0 != "/" }
  }()

  private enum Place {
    case empty, replaceable, device
  }

  /// Checks that the file may be written, without writing it.
  ///
  /// - Throws: code `output`, naming what is there, or what is wrong with the folder.
  public func check() throws(CamrecError) {
    guard try place() != .device else { return }
    guard unsafe access(PathText(path).folderOrDot, W_OK | X_OK) == 0 else { throw failure() }
  }

  /// Whether what is there may be replaced, if the folder may be written.
  public var isFreeToTake: Bool { (try? place()) != nil }

  private func place() throws(CamrecError) -> Place {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      // Of links, only one to nowhere is replaced.
      if errno == ENOENT { return unsafe lstat(path, &status) == 0 ? .replaceable : .empty }
      throw failure()
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFCHR: return .device
    case S_IFDIR: throw CamrecError(.output, "'\(path)' is a folder; name a file in it")
    default: throw CamrecError(.output, "'\(path)' is not an ordinary file; choose another name")
    }
    guard status.st_size > 0 else {
      _ = try lock()
      return .replaceable
    }
    let (head, tail) = try ends(status.st_size)
    if let kind = RecordingKind(head), kind != .hashes || mark?.text != RecordingKind.hashesHeading {
      throw kind.refusal(of: path)
    }
    _ = try lock()
    guard let mark else { return .replaceable }
    guard mark.isFound(in: head) || mark.isFound(in: tail) else {
      throw CamrecError(
        .output,
        "'\(path)' is not a \(mark.name) written by camrec, and is not overwritten; choose another name, or delete it")
    }
    return .replaceable
  }

  /// The lock of the file to be replaced, which may be a recording that is still empty. Shared, because others may
  /// replace the file, too.
  private func lock() throws(CamrecError) -> FilmLock? {
    try FilmLock(replacing: path, setting: nil, isFilm: false)
  }

  private static let endBytes = 4096

  private func ends(_ size: off_t) throws(CamrecError) -> (head: [UInt8], tail: [UInt8]) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    func bytes(at offset: off_t) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: AtomicFile.endBytes)
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, offset) }
      return Array(bytes.prefix(max(0, count)))
    }
    return (bytes(at: 0), bytes(at: max(0, size - off_t(AtomicFile.endBytes))))
  }

  /// - Throws: code `output`; the existing file then stays as it is.
  public func replace(with bytes: some Sequence<UInt8>) throws(CamrecError) {
    let bytes = Array(bytes)
    if try place() == .device { return try send(bytes) }
    try replace { (file) throws(CamrecError) in
      var done = 0
      while done < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { rest in
          unsafe write(file, rest.baseAddress?.advanced(by: done), rest.count - done)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw failure(count < 0 ? errno : ENOSPC) }
        done += count
      }
    }
  }

  /// - Parameter body: writes the file, which is open for reading and writing, and empty.
  /// - Throws: code `output`, or what `body` throws; the existing file then stays as it is.
  public func replace(writing body: (Int32) throws(CamrecError) -> Void) throws(CamrecError) {
    let place = try place()
    guard place != .device else {
      throw CamrecError(.output, "'\(path)' is a device, not an ordinary file; choose another name")
    }
    let lock = try lock()
    defer { _ = lock }
    // An earlier process with this number may have left the file behind. O_NOFOLLOW: in a shared folder, somebody
    // else's link is not followed.
    unsafe unlink(temporary)
    let file = unsafe open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard file >= 0 else { throw failure() }
    var problem: CamrecError?
    // Without file modes (FAT), the file has the mount's.
    _ = fchmod(file, mode)
    do throws(CamrecError) { try body(file) } catch { problem = error }
    if problem == nil, isSynchronized, fsync(file) != 0 { problem = failure() }
    close(file)
    if problem == nil { problem = give(place) }
    if let problem {
      unsafe unlink(temporary)
      throw problem
    }
  }

  /// Gives the written file its name.
  private func give(_ place: Place) -> CamrecError? {
    guard place == .empty else { return unsafe rename(temporary, path) == 0 ? nil : failure() }
    do throws(NewName.Failure) {
      try NewName.give(path, to: temporary)
      return nil
    } catch where error.number == EEXIST {
      return takenMeanwhile
    } catch where error.number == EOPNOTSUPP {
      return giveReserved()
    } catch {
      return failure(error.number)
    }
  }

  /// For a file system that can only rename over what may be there: takes the name with an empty file first, so that
  /// only this is renamed over.
  private func giveReserved() -> CamrecError? {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard file >= 0 else {
      return errno == EEXIST ? takenMeanwhile : failure()
    }
    close(file)
    guard unsafe rename(temporary, path) == 0 else {
      let number = errno
      unsafe unlink(path)
      return failure(number)
    }
    return nil
  }

  private var takenMeanwhile: CamrecError {
    CamrecError(
      .output, "'\(path)' was created by another program meanwhile, and is not overwritten; choose another name")
  }

  private func send(_ bytes: [UInt8]) throws(CamrecError) {
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
    guard count == bytes.count else { throw failure(count < 0 ? errno : ENOSPC) }
  }

  /// Removes the file if it may be replaced.
  public func remove() {
    if (try? place()) == .replaceable { unsafe unlink(path) }
  }

  private func failure(_ number: Int32 = errno) -> CamrecError {
    CamrecError(.output, "'\(path)' cannot be written", cause: SystemError.words(for: number))
  }
}

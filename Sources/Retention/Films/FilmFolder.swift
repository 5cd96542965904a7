import Digest
import Foundation
public import Frames
import Movies

/// A folder with films, and the catalogue in it that says which of them camrec has made.
///
/// The catalogue only grows, a line of JSON for each thing that happens; several recorders share it, and whoever reads
/// or writes holds its lock. Nothing outside the folder is touched: all names are looked up from its own descriptor,
/// and no link is followed.
///
/// Thread: one at a time. `@unchecked Sendable`: its owner sees to that.
public final class FilmFolder: @unchecked Sendable {
  /// A film that is still there.
  public struct Entry: Hashable, Sendable {
    public var film: CataloguedFilm
    public var protection: RetentionPolicy.Protection?
    /// Seconds since it was finished.
    public var age: Double
    public var hook: FilmCatalogue.Hook?

    public init(film: CataloguedFilm, protection: RetentionPolicy.Protection?, age: Double, hook: FilmCatalogue.Hook?) {
      self.film = film
      self.protection = protection
      self.age = age
      self.hook = hook
    }
  }

  public static let catalogueName = ".camrec-films.jsonl"
  private static let sidecarSuffix = ".camrec"
  private static let sidecarMark = "{\"camrec-sidecar\":"
  /// Of a film that is about to be deleted, around its entry's id.
  private static let goingAffixes = (".camrec-", ".deleting")
  static let headBytes = 4096

  public let path: String
  let folder: Int32
  private let hasLastingInodes: Bool
  let locking: Locking
  /// Locks work here, as far as anybody has tried. Without them nobody knows what others are doing: only a recorder's
  /// own films are deleted, and the catalogue is not written anew.
  public private(set) var hasLocks = true
  public private(set) var catalogue = FilmCatalogue()
  /// Recorders of the folder (`FilmFolder+Recorders`): this one, once it has joined them, and others, by id.
  var own: OwnRecorder?
  var others: [String: OtherRecorder] = [:]
  /// Seconds for which another recorder's lock is waited for: one that hangs while it has it is waited for only once.
  private var patience = FilmFolder.longestWait
  private static let longestWait = 5.0
  /// How far the catalogue has been read.
  private var read: (inode: ino_t, bytes: off_t) = (0, 0)

  /// flock(2): a descriptor, an operation, and 0 or the error's number.
  public typealias Locking = @Sendable (_ file: Int32, _ operation: Int32) -> Int32

  public static let systemLocking: Locking = { flock($0, $1) == 0 ? 0 : errno }

  /// - Parameters:
  ///   - path: is there.
  ///   - hasLastingInodes: a file keeps its number when the file system is mounted again; FAT's do not.
  ///   - locking: for file systems that a test does not have.
  /// - Throws: code `output`, as all that reads or writes the catalogue: also where another has its lock and keeps it.
  public init(path: String, hasLastingInodes: Bool = true, locking: @escaping Locking = FilmFolder.systemLocking)
    throws(CamrecError)
  {
    self.path = path
    self.locking = locking
    self.hasLastingInodes = hasLastingInodes
    folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      throw CamrecError(.output, "the folder '\(path)' cannot be opened", cause: SystemError.words(for: errno))
    }
  }

  deinit {
    leave()
    close(folder)
  }

  // MARK: What happens to films

  /// A film of this folder is being written.
  ///
  /// - Throws: code `output`, as all that writes the catalogue.
  public func begun(_ name: String, by recorder: String, at now: Moment) throws(CamrecError) {
    var status = stat()
    guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, isFilm(status) else { return }
    try append(
      CatalogueLine(
        begun: .init(
          film: name, recorder: recorder, recorderID: ownID, inode: hasLastingInodes ? UInt64(status.st_ino) : nil,
          moment: now)))
  }

  /// A film of this folder is whole.
  ///
  /// - Returns: its entry; `nil` for what is no film of this folder any more.
  @discardableResult
  public func finished(
    _ name: String, by recorder: String, seconds: Double, frames: Int64, lost: Int64, start: String? = nil,
    awaitsHook: Bool,
    at now: Moment
  ) throws(CamrecError) -> CataloguedFilm? {
    guard FilmCatalogue.isName(name), let file = opened(name) else { return nil }
    defer { close(file) }
    guard let status = status(of: file), isFilm(status), let head = head(of: file) else { return nil }
    var film = CataloguedFilm(
      film: name, recorder: recorder, inode: hasLastingInodes ? UInt64(status.st_ino) : nil,
      bytes: Int64(status.st_size),
      head: head, finished: now, seconds: seconds, frames: frames, lost: lost, start: start, awaitsHook: awaitsHook)
    // It may have been entered as one that was left behind, in the moment between its end and this call.
    try withCatalogue { _ in }
    let same = catalogue.films.last {
      $0.film == name && $0.inode == film.inode && $0.bytes == film.bytes && $0.head == head
    }
    if let same { return same }
    film.recorderID = catalogue.unfinished.last { $0.film == name && $0.recorder == recorder }?.recorderID ?? ownID
    try append(CatalogueLine(finished: film))
    return film
  }

  /// A hook was run for a film, or is to be run again.
  public func hooked(_ hooked: CatalogueLine.Hooked) throws(CamrecError) { try append(CatalogueLine(hooked: hooked)) }

  // MARK: What is there

  /// The films that are still there, oldest first.
  ///
  /// - Throws: code `output`.
  public func entries(at now: Moment) throws(CamrecError) -> [Entry] {
    try withCatalogue { _ in }
    return catalogue.films.compactMap { film in
      var status = stat()
      guard unsafe fstatat(folder, film.film, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
      let hook = catalogue.hook(of: film)
      let protection: RetentionPolicy.Protection? =
        if !matches(status, film) {
          .foreign
        } else if isKept(film.film) {
          .kept
        } else if let hook, !hook.isGivenUp {
          .awaitsHook
        } else if status.st_nlink != 1 {
          .linked
        } else {
          nil
        }
      return Entry(film: film, protection: protection, age: catalogue.age(of: film, at: now), hook: hook)
    }
  }

  /// Films that were begun and of which nobody has heard since, and that nobody writes: a crash has left them.
  public func leftBehind() throws(CamrecError) -> [CatalogueLine.Begun] {
    try withCatalogue { _ in }
    return catalogue.unfinished.filter { begun in
      guard FilmCatalogue.isName(begun.film), let file = opened(begun.film) else { return false }
      defer { close(file) }
      guard let status = status(of: file), isFilm(status) else { return false }
      return begun.inode.map { $0 == UInt64(status.st_ino) } ?? true && isFree(file)
    }
  }

  // MARK: Deleting

  /// Deletes a film and its sidecar, if it is what was finished, is not kept, and nobody uses it.
  ///
  /// The film gets a hidden name first, under which it is looked at once more: whoever puts another file in its place
  /// in that moment finds that one as it was.
  ///
  /// - Parameters:
  ///   - recorder: who deletes it. Where there are no locks, others' films stay.
  ///   - proof: bytes that are unused on the disk when deleting has freed something, where that is what it is for. It
  ///     is remembered beforehand (`FilmFolder+Trial`); while an earlier one is not proven, the film stays.
  /// - Returns: false: it stays.
  /// - Throws: code `output` where it may not be deleted.
  public func delete(
    _ id: String, for reason: DeletionReason, by recorder: String, proof: Int64? = nil, at now: Moment
  ) throws(CamrecError) -> Bool {
    try withCatalogue { (catalogueFile) throws(CamrecError) in
      guard let film = catalogue.film(id), hasLocks || film.recorder == recorder, !isKept(film.film), mayGo(film),
        let file = opened(film.film) else {
        return false
      }
      defer { close(file) }
      guard isFree(file), let status = status(of: file), matches(status, film), status.st_nlink == 1,
        head(of: file) == film.head
      else { return false }
      if let proof {
        guard trial() == nil else { return false }
        guard beginTrial(enough: proof) else {
          throw CamrecError(
            .output, "'\(path)/\(film.film)' is not deleted: whether that frees anything could not be remembered",
            cause: SystemError.words(for: errno))
        }
      }
      var isGone = false
      defer { if !isGone, let proof { endTrials(unused: proof) } }
      let going = FilmFolder.goingName(id)
      guard unsafe renameat(folder, film.film, folder, going) == 0 else { throw refusal(film.film) }
      var moved = stat()
      guard unsafe fstatat(folder, going, &moved, AT_SYMLINK_NOFOLLOW) == 0, moved.st_ino == status.st_ino,
        moved.st_dev == status.st_dev, !isKept(film.film)
      else {
        bringBack(going, film.film)
        return false
      }
      deleteSidecar(film.film)
      guard unsafe unlinkat(folder, going, 0) == 0 else {
        let refusal = refusal(film.film)
        bringBack(going, film.film)
        throw refusal
      }
      isGone = true
      // Whether or not that can be written down.
      try? append(
        CatalogueLine(deleted: .init(id: id, film: film.film, reason: reason, moment: now)), to: catalogueFile)
      return true
    }
  }

  /// Somebody holds a lock on a film, as far as locks tell.
  func isInUse(_ id: String) -> Bool {
    guard let film = catalogue.film(id), let file = opened(film.film) else { return false }
    defer { close(file) }
    return !isFree(file)
  }

  private func mayGo(_ film: CataloguedFilm) -> Bool { catalogue.hook(of: film).map(\.isGivenUp) ?? true }

  /// Ends what a crash has cut off in the middle of a deletion.
  ///
  /// - Parameter recorder: who does it. Where there are no locks, others' films stay as they are.
  public func sweep(by recorder: String) throws(CamrecError) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let (prefix, suffix) = FilmFolder.goingAffixes
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      try withCatalogue { _ in
        guard let film = catalogue.film(String(name.dropFirst(prefix.count).dropLast(suffix.count))),
          hasLocks || film.recorder == recorder, let file = opened(name)
        else { return }
        defer { close(file) }
        if let status = status(of: file), matches(status, film), status.st_nlink == 1, head(of: file) == film.head,
          !isKept(film.film)
        {
          deleteSidecar(film.film)
          unsafe _ = unlinkat(folder, name, 0)
        } else {
          bringBack(name, film.film)
        }
      }
    }
  }

  private static func goingName(_ id: String) -> String { goingAffixes.0 + id + goingAffixes.1 }

  private func bringBack(_ going: String, _ name: String) {
    // Nobody's file is written over: a second name is made only where there is none.
    if unsafe linkat(folder, going, folder, name, 0) == 0 {
      unsafe _ = unlinkat(folder, going, 0)
      return
    }
    if errno == EEXIST {
      // It has come back already, and a crash has left its second name.
      var here = stat(), there = stat()
      if unsafe fstatat(folder, name, &here, AT_SYMLINK_NOFOLLOW) == 0,
        unsafe fstatat(folder, going, &there, AT_SYMLINK_NOFOLLOW) == 0, here.st_ino == there.st_ino
      {
        unsafe _ = unlinkat(folder, going, 0)
      }
      return
    }
    // FAT has no second names.
    var status = stat()
    guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0, errno == ENOENT else { return }
    unsafe _ = renameat(folder, going, folder, name)
  }

  private func deleteSidecar(_ film: String) {
    let name = film + FilmFolder.sidecarSuffix
    guard let file = opened(name) else { return }
    defer { close(file) }
    guard let status = status(of: file), isFilm(status),
      bytes(of: file, most: FilmFolder.sidecarMark.utf8.count).map({ $0.elementsEqual(FilmFolder.sidecarMark.utf8) })
        == true
    else { return }
    unsafe _ = unlinkat(folder, name, 0)
  }

  private func refusal(_ name: String) -> CamrecError {
    CamrecError(.output, "'\(path)/\(name)' cannot be deleted", cause: SystemError.words(for: errno))
  }

  // MARK: Files of the folder

  func opened(_ name: String) -> Int32? {
    let file = unsafe openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    return file >= 0 ? file : nil
  }

  /// Nobody writes it, as far as locks tell.
  private func isFree(_ file: Int32) -> Bool { locking(file, LOCK_EX | LOCK_NB) != EWOULDBLOCK }

  func status(of file: Int32) -> stat? {
    var status = stat()
    return unsafe fstat(file, &status) == 0 ? status : nil
  }

  /// An ordinary file of this file system.
  private func isFilm(_ status: stat) -> Bool {
    guard status.st_mode & S_IFMT == S_IFREG else { return false }
    return self.status(of: folder)?.st_dev == status.st_dev
  }

  private func matches(_ status: stat, _ film: CataloguedFilm) -> Bool {
    isFilm(status) && Int64(status.st_size) == film.bytes && film.inode.map { $0 == UInt64(status.st_ino) } ?? true
  }

  private func isKept(_ name: String) -> Bool {
    var status = stat()
    // What cannot be looked at counts as being there.
    return unsafe fstatat(folder, name + KeepMark.suffix, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT
  }

  private func head(of file: Int32) -> String? { bytes(of: file, most: FilmFolder.headBytes).map { SHA256.hash($0) } }

  func bytes(of file: Int32, most: Int, from offset: off_t = 0) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: most)
    var filled = 0
    while filled < most {
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(file, $0.baseAddress?.advanced(by: filled), most - filled, offset + off_t(filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      filled += count
    }
    bytes.removeLast(most - filled)
    return bytes
  }

  // MARK: The catalogue

  func withCatalogue<Result>(_ body: (Int32) throws(CamrecError) -> Result) throws(CamrecError) -> Result {
    let file = try lockedCatalogue()
    // Its end lets go of the lock.
    defer { close(file) }
    catchUp(file)
    return try body(file)
  }

  private func lockedCatalogue() throws(CamrecError) -> Int32 {
    while true {
      let file = unsafe openat(
        folder, FilmFolder.catalogueName, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o640)
      guard file >= 0 else { throw failure("cannot be opened", errno) }
      guard lock(file) else {
        close(file)
        throw failure("is in use by another recorder that keeps it; look whether that one hangs", nil)
      }
      guard let status = status(of: file) else {
        close(file)
        throw failure("cannot be looked at", errno)
      }
      if let trouble = trouble(status) {
        close(file)
        throw trouble
      }
      var named = stat()
      // Somebody else has made it shorter while this one waited.
      if unsafe fstatat(folder, FilmFolder.catalogueName, &named, AT_SYMLINK_NOFOLLOW) == 0,
        named.st_ino == status.st_ino
      {
        return file
      }
      close(file)
    }
  }

  /// - Returns: false: another has it. A file system without locks has none that could be waited for.
  private func lock(_ file: Int32) -> Bool {
    let begin = MonotonicTime.now()
    hasLocks = true
    while case let failure = locking(file, LOCK_EX | LOCK_NB), failure != 0 {
      if failure == EINTR { continue }
      guard failure == EWOULDBLOCK else {
        hasLocks = false
        break
      }
      guard Double(MonotonicTime.now() - begin) * 1e-9 < patience else {
        patience = 0
        return false
      }
      WorkThread.sleep(.milliseconds(5))
    }
    patience = FilmFolder.longestWait
    return true
  }

  /// Whoever can write it could have films deleted.
  private func trouble(_ status: stat) -> CamrecError? {
    guard status.st_mode & S_IFMT == S_IFREG else { return failure("is no ordinary file; move it away", nil) }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      return failure(
        "belongs to user \(status.st_uid); run: chown \(geteuid()) \(path)/\(FilmFolder.catalogueName)", nil)
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      return failure("can be written by others; run: chmod go-w \(path)/\(FilmFolder.catalogueName)", nil)
    }
    return nil
  }

  private func failure(_ what: String, _ number: Int32?) -> CamrecError {
    CamrecError(
      .output, "the catalogue of films '\(path)/\(FilmFolder.catalogueName)' \(what)",
      cause: number.map { SystemError.words(for: $0) })
  }

  /// Takes on what others have written.
  private func catchUp(_ file: Int32) {
    guard let status = status(of: file) else { return }
    if status.st_ino != read.inode || status.st_size < read.bytes {
      catalogue = FilmCatalogue()
      read = (status.st_ino, 0)
    }
    let rest = Int(status.st_size - read.bytes)
    guard rest > 0, let bytes = bytes(of: file, most: rest, from: read.bytes) else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n")) { CatalogueLine(bytes: line).map { catalogue.take($0) } }
    read.bytes += off_t(bytes.count)
  }

  /// Writes the catalogue anew without what is of no use any more, where that is most of it: films that were deleted,
  /// and those that somebody has taken away.
  ///
  /// - Parameter smallest: bytes that are not worth it.
  /// - Throws: code `output`; the catalogue is then as it was.
  public func tidy(smallest: Int = 1 << 20) throws(CamrecError) {
    try withCatalogue { (_) throws(CamrecError) in
      // Without a lock, another's line could be lost.
      guard hasLocks, read.bytes > off_t(smallest) else { return }
      var catalogue = catalogue
      // One whose deletion was cut off has its hidden name.
      catalogue.forget(names: { [$0.film, FilmFolder.goingName($0.id)] }) { name in
        var status = stat()
        return unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT
      }
      let bytes = catalogue.lines.flatMap(\.bytes)
      guard bytes.count < Int(read.bytes) / 2 else { return }
      let name = FilmFolder.catalogueName + ".new"
      unsafe _ = unlinkat(folder, name, 0)
      let file = unsafe openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
      guard file >= 0 else { throw failure("cannot be written anew", errno) }
      defer { close(file) }
      do throws(CamrecError) {
        try write(bytes, to: file)
        guard unsafe renameat(folder, name, folder, FilmFolder.catalogueName) == 0 else {
          throw failure("cannot be replaced", errno)
        }
        fsync(folder)
      } catch {
        unsafe _ = unlinkat(folder, name, 0)
        throw error
      }
    }
  }

  private func append(_ line: CatalogueLine) throws(CamrecError) {
    try withCatalogue { (file) throws(CamrecError) in try append(line, to: file) }
  }

  /// Behind a line that a crash has cut off, on a line of its own; on the medium when it returns.
  func append(_ line: CatalogueLine, to file: Int32) throws(CamrecError) {
    var text = line.bytes
    if read.bytes > 0, bytes(of: file, most: 1, from: read.bytes - 1) != [UInt8(ascii: "\n")] {
      text.insert(UInt8(ascii: "\n"), at: 0)
    }
    try write(text, to: file)
    catchUp(file)
  }

  func write(_ bytes: [UInt8], to file: Int32) throws(CamrecError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Foundation.write(file, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("cannot be written", count < 0 ? errno : ENOSPC) }
      done += count
    }
    guard fdatasync(file) == 0 else { throw failure("cannot be written", errno) }
  }
}

import Foundation
public import Frames

/// The recorders of a folder.
///
/// Each has a file there, `.camrec-recorder-ID`, and holds its lock (flock(2)) for as long as it lives: however it ends,
/// the kernel lets go of that. Whoever takes one of these locks, if only to see whether somebody has it, holds that of
/// the catalogue.
extension FilmFolder {
  /// Another recorder's file.
  struct OtherRecorder: Hashable {
    /// `nil`: it cannot be read.
    var identity: RecorderIdentity?
    var isLiving: Bool
  }

  /// This recorder's file, which it holds open.
  struct OwnRecorder {
    var identity: RecorderIdentity
    var file: Int32
  }

  static let recorderPrefix = ".camrec-recorder-"
  private static let mostBytes = 65536

  /// What this recorder's films are entered with; `nil` where recorders are told apart by their names alone.
  public var ownID: String? { hasLocks ? own?.identity.id : nil }

  /// Has this recorder known to the others. One of the same name and pattern that has ended passes its identity on.
  ///
  /// Called again, it sees to it that the file is still there, and looks at the others.
  ///
  /// - Parameter wish: with an id for the case that there is none to be taken over.
  /// - Returns: what hinders it; recorders are told apart by their names then, as far as they cannot be seen to live.
  ///   `nil` also where there are no locks.
  /// - Throws: code `output` where the catalogue cannot be locked.
  public func join(as wish: RecorderIdentity) throws(CamrecError) -> CamrecError? {
    try withCatalogue { _ in
      guard hasLocks else { return nil }
      var identity = wish
      if let own {
        if isThere(own) {
          others = lookAtOthers()
          return nil
        }
        // Somebody has removed the file.
        identity = own.identity
        leave()
      }
      others = lookAtOthers()
      let ended = others.filter { !$1.isLiving && $1.identity.map(identity.succeeds) == true }.keys.sorted()
      for id in ended {
        var heir = identity
        heir.id = id
        guard (try? hold(heir, isNew: false)) != nil else { continue }
        others[id] = nil
        return nil
      }
      do throws(CamrecError) {
        try hold(identity, isNew: true)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Lets go of this recorder's identity; the file stays.
  func leave() {
    if let own { close(own.file) }
    own = nil
  }

  /// Recorders of a name that have left films, of which nobody lives and has the pattern: by id, with what is known of
  /// them and how many films they have. As they were seen by `join`.
  func orphans() -> [String: (identity: RecorderIdentity?, films: Int)] {
    guard hasLocks, let own else { return [:] }
    let living = others.values.filter(\.isLiving)
    // One that cannot be read may have any pattern.
    guard living.allSatisfy({ $0.identity != nil }) else { return [:] }
    let patterns = Set(living.compactMap { $0.identity?.name == own.identity.name ? $0.identity?.pattern : nil })
      .subtracting([own.identity.pattern])
    var orphans: [String: (identity: RecorderIdentity?, films: Int)] = [:]
    for (id, films) in catalogue.recorders(named: own.identity.name) where id != own.identity.id {
      let other = others[id]
      guard other?.isLiving != true, !(other?.identity.map { patterns.contains($0.pattern) } ?? false) else { continue }
      orphans[id] = (other?.identity, films)
    }
    return orphans
  }

  /// Makes the films of a recorder that has ended this one's.
  ///
  /// - Returns: whether they are.
  func adopt(_ id: String, at now: Moment) throws(CamrecError) -> Bool {
    try withCatalogue { (catalogueFile) throws(CamrecError) in
      guard hasLocks, let own else { return false }
      others = lookAtOthers()
      guard orphans()[id] != nil else { return false }
      try append(
        CatalogueLine(adopted: .init(id: id, by: own.identity.id, recorder: own.identity.name, moment: now)),
        to: catalogueFile)
      unsafe _ = unlinkat(folder, FilmFolder.recorderPrefix + id, 0)
      others[id] = nil
      return true
    }
  }

  /// Removes the files of recorders that have ended and have no films here.
  ///
  /// - Parameter isLast: this one has ended as well.
  func clearRecorders(isLast: Bool) throws(CamrecError) {
    try withCatalogue { _ in
      guard hasLocks else { return }
      others = lookAtOthers()
      let needed = catalogue.recorderIDs
      for (id, other) in others where !other.isLiving && !needed.contains(id) {
        unsafe _ = unlinkat(folder, FilmFolder.recorderPrefix + id, 0)
        others[id] = nil
      }
      guard isLast, let own, !needed.contains(own.identity.id), isThere(own) else { return }
      unsafe _ = unlinkat(folder, FilmFolder.recorderPrefix + own.identity.id, 0)
      leave()
    }
  }

  /// The films that are there, without those for which another recorder runs its hook.
  ///
  /// - Throws: code `output`.
  public func entriesForOwnHook(at now: Moment) throws(CamrecError) -> [Entry] {
    try withCatalogue { _ in if hasLocks { others = lookAtOthers() } }
    return try entries(at: now).filter { !hasOtherHook($0.film) }
  }

  /// Another recorder lives that runs its hook for the film.
  func hasOtherHook(_ film: CataloguedFilm) -> Bool {
    guard hasLocks, let other = film.recorderID.flatMap({ others[$0] }) else { return false }
    return other.isLiving && other.identity?.hasHook == true
  }

  /// Whether the film counts as this recorder's.
  func isOwn(_ film: CataloguedFilm, name: String) -> Bool {
    guard film.recorder == name else { return false }
    guard hasLocks, let id = film.recorderID else { return true }
    guard let own else { return others[id]?.isLiving != true }
    return id == own.identity.id
  }

  // MARK: Files

  private func lookAtOthers() -> [String: OtherRecorder] {
    var others: [String: OtherRecorder] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      guard name.hasPrefix(FilmFolder.recorderPrefix) else { continue }
      let id = String(name.dropFirst(FilmFolder.recorderPrefix.count))
      var named = stat()
      guard UUID(uuidString: id) != nil, id != own?.identity.id,
        unsafe fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0, isTrusted(named)
      else { continue }
      guard let file = openedForLock(name) else {
        others[id] = OtherRecorder(identity: nil, isLiving: true)
        continue
      }
      defer { close(file) }
      let identity = bytes(of: file, most: FilmFolder.mostBytes).flatMap {
        try? JSONDecoder().decode(RecorderIdentity.self, from: Data($0))
      }
      others[id] = OtherRecorder(
        identity: identity?.id == id ? identity : nil, isLiving: locking(file, LOCK_EX | LOCK_NB) != 0)
    }
    return others
  }

  /// NFS locks only what is open for writing.
  private func openedForLock(_ name: String, _ flags: Int32 = 0) -> Int32? {
    let file = unsafe openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0o640)
    return file >= 0 ? file : nil
  }

  private func isThere(_ own: OwnRecorder) -> Bool {
    var named = stat()
    return unsafe fstatat(folder, FilmFolder.recorderPrefix + own.identity.id, &named, AT_SYMLINK_NOFOLLOW) == 0
      && status(of: own.file).map { $0.st_ino == named.st_ino && $0.st_dev == named.st_dev } == true
  }

  private func hold(_ identity: RecorderIdentity, isNew: Bool) throws(CamrecError) {
    let name = FilmFolder.recorderPrefix + identity.id
    func refusal(_ number: Int32) -> CamrecError {
      CamrecError(
        .output, "this recorder cannot be told from others of its name in '\(path)': its file '\(name)' cannot be made",
        cause: SystemError.words(for: number))
    }
    guard let file = openedForLock(name, isNew ? O_CREAT | O_EXCL : 0) else { throw refusal(errno) }
    let failure = locking(file, LOCK_EX | LOCK_NB)
    guard failure == 0, let status = status(of: file), isTrusted(status) else {
      close(file)
      throw refusal(failure)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = Array((try? encoder.encode(identity)) ?? Data()) + [UInt8(ascii: "\n")]
    do throws(CamrecError) {
      guard lseek(file, 0, SEEK_SET) == 0 else { throw refusal(errno) }
      try write(text, to: file)
      _ = ftruncate(file, off_t(text.count))
    } catch {
      // What it was taken over from says the same, but for when.
      if isNew {
        unsafe _ = unlinkat(folder, name, 0)
        close(file)
        throw refusal(ENOSPC)
      }
    }
    if isNew { fsync(folder) }
    own = OwnRecorder(identity: identity, file: file)
  }

  /// Nobody else can have written it.
  private func isTrusted(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG && (status.st_uid == geteuid() || status.st_uid == 0)
      && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }
}

import Foundation
public import Frames
import Platform

/// The recorders of a folder.
///
/// Each has a file there, `.camrec-recorder-ID`, and holds its lock (flock(2)) for as long as it runs; the kernel
/// releases the lock, however the recorder ends. Take one of these locks, even if only to see whether it is free, only
/// while holding the lock of the catalogue.
extension FilmFolder {
  /// Another recorder's file.
  struct OtherRecorder: Hashable {
    /// `nil` if it cannot be read.
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

  /// The id under which this recorder's films are entered; `nil` if recorders are told apart by their names alone.
  public var ownID: String? { hasLocks ? own?.identity.id : nil }

  /// Makes this recorder known to the others. It has its own identity again where it left one. At its start it takes
  /// over that of a recorder of the same name and pattern that has ended; later one without a lock may be that of a
  /// recorder that lives, and whose folder was moved away.
  ///
  /// Called again, makes sure that the file is still there, and looks at the others.
  ///
  /// - Parameters:
  ///   - wish: the identity to take; its id counts if there is none to take over, and nobody else has it.
  ///   - isStart: this recorder has joined no folder yet.
  /// - Returns: why that failed; recorders are then told apart by their names, unless they can be seen to run. `nil` on
  ///   success, and also without locks.
  /// - Throws: code `output` if the catalogue cannot be locked.
  public func join(as wish: RecorderIdentity, isStart: Bool = true) throws(CamrecError) -> CamrecError? {
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
      for id in isStart ? ended : ended.filter({ $0 == identity.id }) {
        var heir = identity
        heir.id = id
        guard (try? hold(heir, isNew: false)) != nil else { continue }
        others[id] = nil
        return nil
      }
      if others[identity.id] != nil { identity.id = RecorderIdentity.newID() }
      do throws(FolderFailure) {
        try hold(identity, isNew: true)
        return nil
      } catch {
        return CamrecError(
          .output,
          "cannot tell this recorder from others of its name in '\(path)': its file "
            + "'\(FilmFolder.recorderPrefix)\(identity.id)' cannot be created",
          cause: SystemError.words(for: error.number))
      }
    }
  }

  /// Gives up this recorder's identity; the file stays.
  func leave() {
    if let own { system.close(own.file) }
    own = nil
  }

  /// Recorders of this name that have ended and left films, without those whose pattern a running recorder has: by id,
  /// with their identity, if known, and the number of their films. As `join` saw them.
  func orphans() -> [String: (identity: RecorderIdentity?, films: Int)] {
    guard hasLocks, let own else { return [:] }
    let living = others.values.filter(\.isLiving)
    // A recorder whose file cannot be read may have any pattern.
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

  /// Takes over the films of a recorder that has ended.
  ///
  /// - Returns: whether they belong to this recorder now.
  func adopt(_ id: String, at now: Moment) throws(CamrecError) -> Bool {
    try withCatalogue { (catalogueFile) throws(CamrecError) in
      guard hasLocks, let own else { return false }
      others = lookAtOthers()
      guard orphans()[id] != nil else { return false }
      try append(
        CatalogueLine(adopted: .init(id: id, by: own.identity.id, recorder: own.identity.name, moment: now)),
        to: catalogueFile)
      try? system.unlink(FilmFolder.recorderPrefix + id, in: folder)
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
        try? system.unlink(FilmFolder.recorderPrefix + id, in: folder)
        others[id] = nil
      }
      guard isLast, let own, !needed.contains(own.identity.id), isThere(own) else { return }
      try? system.unlink(FilmFolder.recorderPrefix + own.identity.id, in: folder)
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

  /// Whether another recorder is running and runs its hook for the film.
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
    // If the folder cannot be listed, the others are as they were.
    guard let names = try? system.names(in: folder) else { return others }
    var others: [String: OtherRecorder] = [:]
    for name in names where name.hasPrefix(FilmFolder.recorderPrefix) {
      let id = String(name.dropFirst(FilmFolder.recorderPrefix.count))
      guard UUID(uuidString: id) != nil, id != own?.identity.id, let named = status(of: name), isTrusted(named) else {
        continue
      }
      // NFS locks only what is open for writing.
      guard let file = try? system.open(name, in: folder, .update) else {
        others[id] = OtherRecorder(identity: nil, isLiving: true)
        continue
      }
      defer { system.close(file) }
      // A longer line may have been here before.
      let line = bytes(of: file, most: FilmFolder.mostBytes)?.prefix { $0 != UInt8(ascii: "\n") }
      let identity = line.flatMap { try? JSONDecoder().decode(RecorderIdentity.self, from: Data($0)) }
      others[id] = OtherRecorder(identity: identity?.id == id ? identity : nil, isLiving: !isUnlocked(file))
    }
    return others
  }

  /// Takes the lock. If that fails, for whatever reason, somebody may have it.
  private func isUnlocked(_ file: Int32) -> Bool { (try? system.lock(file)) != nil }

  private func isThere(_ own: OwnRecorder) -> Bool {
    let name = FilmFolder.recorderPrefix + own.identity.id
    // A file that cannot be examined may be there.
    guard let named = status(of: name), let held = status(of: own.file) else { return !isMissing(name) }
    return named.isSameFile(as: held)
  }

  private func hold(_ identity: RecorderIdentity, isNew: Bool) throws(FolderFailure) {
    let name = FilmFolder.recorderPrefix + identity.id
    let file = try system.open(name, in: folder, isNew ? .create : .update)
    do throws(FolderFailure) {
      try system.lock(file)
      guard isTrusted(try system.status(of: file)) else { throw FolderFailure(EPERM) }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let text = Array((try? encoder.encode(identity)) ?? Data()) + [UInt8(ascii: "\n")]
      do throws(FolderFailure) { try put(text, into: file) } catch {
        // The line that it was taken over from says the same, except for the time.
        if isNew { throw error }
      }
    } catch {
      if isNew { try? system.unlink(name, in: folder) }
      system.close(file)
      throw error
    }
    if isNew { try? system.synchronize(folder) }
    own = OwnRecorder(identity: identity, file: file)
  }
}

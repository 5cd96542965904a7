public import Frames
import Platform

/// A folder with films, and the catalogue in it that says which of them camrec has made.
///
/// The catalogue only grows, a line of JSON for each thing that happens; several recorders share it, and hold its lock
/// to read or write it. Nothing outside the folder is touched: all names are looked up from its own descriptor, and no
/// link is followed.
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
  static let sidecarSuffix = ".camrec"
  static let sidecarMark = "{\"camrec-sidecar\":"
  /// What surrounds the entry's id in the hidden name of a film that is about to be deleted.
  static let goingAffixes = (".camrec-", ".deleting")
  static let headBytes = 4096

  public let path: String
  let folder: Int32
  let system: any FolderPort
  private let hasLastingInodes: Bool
  /// The marks of the folder's disk.
  let marks: DiskMarks?
  /// Marks whose deletions are known to have happened, or about which nothing can be found out.
  var judgedTrials: Set<String> = []
  /// Whether locks work here, as far as anybody has tried. Without them nobody knows what others are doing, so a
  /// recorder deletes only its own films, and the catalogue is not rewritten.
  public internal(set) var hasLocks = true
  public internal(set) var catalogue = FilmCatalogue()
  /// Recorders of the folder (`FilmFolder+Recorders`): this one, once it has joined them, and others, by id.
  var own: OwnRecorder?
  var others: [String: OtherRecorder] = [:]
  /// Seconds to wait for another recorder's lock; a recorder that hangs with it is waited for only once.
  var patience = FilmFolder.longestWait
  static let longestWait = 5.0
  /// How far the catalogue has been read.
  var read: (inode: UInt64, bytes: Int64) = (0, 0)

  /// - Parameters:
  ///   - path: has to exist.
  ///   - hasLastingInodes: a file keeps its number when the file system is mounted again; on FAT it does not.
  ///   - marks: what recorders of the disk's other folders have found; `nil` if unknown.
  /// - Throws: code `output`, like everything that reads or writes the catalogue; also if another recorder keeps its
  ///   lock.
  public init(
    path: String, hasLastingInodes: Bool = true, marks: DiskMarks? = nil, system: any FolderPort = SystemFolder()
  ) throws(CamrecError) {
    self.path = path
    self.marks = marks
    self.system = system
    self.hasLastingInodes = hasLastingInodes
    do throws(FolderFailure) {
      folder = try system.openFolder(path)
    } catch {
      throw CamrecError(
        .output, "cannot open the folder '\(path)'", cause: SystemError.words(for: error.number))
    }
  }

  deinit {
    leave()
    system.close(folder)
  }

  /// Whether its path still leads to this folder. If not, it was moved away, or another disk is mounted there.
  public var isAtItsPath: Bool {
    guard let named = try? system.status(path: path), let own = status(of: folder) else { return false }
    return named.isSameFile(as: own)
  }

  // MARK: What happens to films

  /// Enters that a film of this folder is being written.
  ///
  /// - Parameters:
  ///   - id: the recorder's, if it is not the one that this folder knows.
  ///   - filmID: the film's UUID; `nil` if it has none.
  ///   - former: the name that the film had before and has no more.
  /// - Throws: code `output`, like everything that writes the catalogue.
  public func begun(
    _ name: String, by recorder: String, id: String? = nil, filmID: String? = nil, former: String? = nil,
    at now: Moment
  ) throws(CamrecError) {
    guard let status = status(of: name), isFilm(status) else { return }
    try append(
      CatalogueLine(
        begun: .init(
          id: filmID, film: name, recorder: recorder, recorderID: id ?? ownID,
          inode: hasLastingInodes ? status.inode : nil, former: former, moment: now)
      ))
  }

  /// Whether the beginning of a film is entered here, and nothing about the film since.
  public func hasBegun(_ name: String, at moment: Moment) throws(CamrecError) -> Bool {
    try withCatalogue { _ in }
    return catalogue.unfinished.contains { $0.film == name && $0.moment == moment }
  }

  /// Enters that a film that began here lies in another folder, and is entered there.
  ///
  /// - Parameter begun: the moment of its beginning, as entered.
  public func moved(_ name: String, begun: Moment, at now: Moment) throws(CamrecError) {
    try append(CatalogueLine(moved: .init(film: name, begun: begun, moment: now)))
  }

  /// Enters a finished film of this folder.
  ///
  /// - Parameter id: the film's UUID; `nil` takes that of its beginning. Its entry has it, unless another one does.
  /// - Returns: its entry; `nil` if it is no longer a film of this folder.
  @discardableResult
  public func finished(
    _ name: String, by recorder: String, seconds: Double, frames: Int64, lost: Int64, start: String? = nil,
    awaitsHook: Bool, id: String? = nil, at now: Moment
  ) throws(CamrecError) -> CataloguedFilm? {
    guard FilmCatalogue.isName(name), let file = opened(name) else { return nil }
    defer { system.close(file) }
    guard let status = status(of: file), isFilm(status), let head = head(of: file) else { return nil }
    var film = CataloguedFilm(
      film: name, recorder: recorder, inode: hasLastingInodes ? status.inode : nil,
      bytes: status.bytes,
      head: head, finished: now, seconds: seconds, frames: frames, lost: lost, start: start, awaitsHook: awaitsHook)
    // Another recorder of its name, in a folder without locks, may have entered it as left behind.
    try withCatalogue { _ in }
    let same = catalogue.films.last {
      $0.film == name && $0.inode == film.inode && $0.bytes == film.bytes && $0.head == head
    }
    if let same { return same }
    let begun = catalogue.begun(of: film)
    film.begun = begun?.moment
    if let id = id ?? begun?.id, !catalogue.hasEntered(id) { film.id = id }
    film.recorderID = (begun?.recorder == recorder ? begun?.recorderID : nil) ?? ownID
    try append(CatalogueLine(finished: film))
    return film
  }

  /// Enters that a hook has run for a film, or has to run again.
  public func hooked(_ hooked: CatalogueLine.Hooked) throws(CamrecError) { try append(CatalogueLine(hooked: hooked)) }

  // MARK: What is there

  /// The films that are still there, oldest first.
  ///
  /// - Throws: code `output`.
  public func entries(at now: Moment) throws(CamrecError) -> [Entry] {
    try withCatalogue { _ in }
    // A film whose line was damaged while a recorder knew it is entered once more. It is still one film.
    let last = Dictionary(catalogue.films.map { (FilmFolder.file(of: $0), $0.id) }) { $1 }
    let waiting = Set(catalogue.films.filter { !mayGo($0) }.map(FilmFolder.file(of:)))
    return catalogue.films.compactMap { film in
      guard mayGo(film) ? last[FilmFolder.file(of: film)] == film.id : true else { return nil }
      guard let status = status(of: film.film) else { return nil }
      let hook = catalogue.hook(of: film)
      let protection: RetentionPolicy.Protection? =
        if !matches(status, film) {
          .foreign
        } else if isKept(film.film) {
          .kept
        } else if waiting.contains(FilmFolder.file(of: film)) {
          .awaitsHook
        } else if status.links != 1 {
          .linked
        } else {
          nil
        }
      return Entry(film: film, protection: protection, age: catalogue.age(of: film, at: now), hook: hook)
    }
  }

  private static func file(of film: CataloguedFilm) -> [String] {
    [film.film, film.inode.map { String($0) } ?? "", String(film.bytes), film.head]
  }

  /// Films that a crash has left: they were begun and not heard of since, and nobody writes them.
  public func leftBehind() throws(CamrecError) -> [CatalogueLine.Begun] {
    try withCatalogue { _ in }
    return catalogue.unfinished.filter { begun in
      guard FilmCatalogue.isName(begun.film), let file = opened(begun.film) else { return false }
      defer { system.close(file) }
      guard let status = status(of: file), isFilm(status) else { return false }
      return begun.inode.map { $0 == status.inode } ?? true && isFree(file)
    }
  }
}

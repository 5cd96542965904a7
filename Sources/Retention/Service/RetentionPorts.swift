public import Frames
public import Movies

/// What the file of a film that a crash may have cut off says about itself.
public struct FilmInspection: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    /// It has its index.
    case whole
    /// It is in fragments; recovering changes it.
    case fragmented
    /// Neither, or not a film of camrec's.
    case other
  }

  public var state: State
  /// Of a whole film, by its sidecar and, where that has no end, by the film; 0 without one.
  public var seconds: Double
  public var frames: Int64
  /// Frames that its account has as lost, and those that were not found in the film.
  public var lost: Int64

  public init(state: State, seconds: Double = 0, frames: Int64 = 0, lost: Int64 = 0) {
    self.state = state
    self.seconds = seconds
    self.frames = frames
    self.lost = lost
  }
}

/// What a `RetentionService` needs from outside. All are called on the thread that calls the service.
public struct RetentionPorts: Sendable {
  /// The room on a film's disk; `nil` if the system does not say.
  public var space: @Sendable (_ film: String) -> DiskSpace?
  public var moment: @Sendable () -> Moment
  /// Waits for `seconds`.
  public var pause: @Sendable (_ seconds: Double) -> Void
  /// Counts frames only if `isCounted`: that reads all of the sidecar.
  public var inspect: @Sendable (_ film: String, _ isCounted: Bool) -> FilmInspection
  /// When the film's first frame was taken, in ISO 8601; `nil` if its sidecar does not say.
  public var start: @Sendable (_ film: String) -> String?
  public var say: @Sendable (RetentionNotice) -> Void
  /// The file system with the films and their catalogue.
  public var system: any FolderPort
  /// What recorders of all folders on a film's disk have found out; `nil` if there is no place for it.
  public var marks: @Sendable (_ folder: String) -> DiskMarks?

  public init(
    space: @escaping @Sendable (_ film: String) -> DiskSpace?, moment: @escaping @Sendable () -> Moment,
    pause: @escaping @Sendable (_ seconds: Double) -> Void,
    inspect: @escaping @Sendable (_ film: String, _ isCounted: Bool) -> FilmInspection,
    start: @escaping @Sendable (_ film: String) -> String?, say: @escaping @Sendable (RetentionNotice) -> Void,
    system: any FolderPort = SystemFolder(),
    marks: @escaping @Sendable (_ folder: String) -> DiskMarks? = { _ in nil }
  ) {
    self.space = space
    self.moment = moment
    self.pause = pause
    self.inspect = inspect
    self.start = start
    self.say = say
    self.system = system
    self.marks = marks
  }
}

/// What somebody should know about the films of a folder.
public enum RetentionNotice: Hashable, Sendable {
  /// Films that a hook has yet to handle.
  public struct Waiting: Hashable, Sendable {
    public var recorder: String
    public var films = 0
    public var bytes: Int64 = 0
    /// Why the hook failed last, if it has failed.
    public var error: String?
    /// How many of the films it has failed for.
    public var failed: Int

    public init(recorder: String, films: Int = 0, bytes: Int64 = 0, error: String? = nil, failed: Int = 0) {
      self.recorder = recorder
      self.films = films
      self.bytes = bytes
      self.error = error
      self.failed = failed
    }
  }

  case deleted(CataloguedFilm, DeletionReason)
  /// Deleting has freed nothing. Nothing more is deleted for lack of room until `enough` bytes are unused on the disk.
  /// `film` is `nil` if that is known from before.
  case inVain(film: String?, folder: String, enough: Int64)
  /// Deleting frees room again.
  case inVainNoMore
  /// Deleting a film for its age, or for the number or size of films, has freed nothing.
  case limitFreedNothing(film: String, folder: String)
  /// The path leads to another folder than before, or to none; the films of the folder before are left alone.
  case folderMoved(folder: String)
  /// More has to stay free than the disk holds.
  case freeBeyondDisk(total: Int64)
  case unmeetable(RetentionPolicy.Unmeetable, Waiting)
  /// A minute of film may take `bytes`, which is more than all films together may take.
  case sizeBelowMinute(bytes: Int64)
  case waiting(Waiting)
  /// They wait for a recorder that has no hook, or that has not been here for a day.
  case abandoned(Waiting, folder: String, isOwn: Bool)
  /// The limits count this recorder's films, and leave out this many of others.
  case othersDoNotCount(Int)
  /// After `seconds`, this recorder takes over the films of a recorder of its name that has ended, unless that one, or
  /// another with its pattern, is there by then. `pattern` is `nil` if unknown.
  case willAdopt(films: Int, pattern: String?, seconds: Double)
  /// It has taken them over.
  case adopted(films: Int, pattern: String?)
  /// This recorder has no identity: films of its name are its own.
  case noIdentity(CamrecError)
  case unknownSpace(film: String)
  case unsynchronizedClock
  case noLocks(folder: String)
  case trouble(CamrecError)
}

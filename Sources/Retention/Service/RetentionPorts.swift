public import Frames
public import Movies

/// What a file says of itself, of a film that a crash may have cut off.
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
  public var seconds: Double
  public var frames: Int64

  public init(state: State, seconds: Double = 0, frames: Int64 = 0) {
    self.state = state
    self.seconds = seconds
    self.frames = frames
  }
}

/// What a `RetentionService` needs of the world. All are called on the thread that calls the service.
public struct RetentionPorts: Sendable {
  /// The room where a film lies; `nil` where the system does not say.
  public var space: @Sendable (_ film: String) -> DiskSpace?
  public var moment: @Sendable () -> Moment
  /// Waits for so many seconds.
  public var pause: @Sendable (_ seconds: Double) -> Void
  public var inspect: @Sendable (_ film: String) -> FilmInspection
  /// When the film's first frame was taken, in ISO 8601, where its sidecar says so.
  public var start: @Sendable (_ film: String) -> String?
  public var say: @Sendable (RetentionNotice) -> Void
  /// Where films and their catalogue are.
  public var system: any FolderPort
  /// What recorders of all folders on a film's disk have found out; `nil` where there is no place for it.
  public var marks: @Sendable (_ folder: String) -> DiskMarks?

  public init(
    space: @escaping @Sendable (_ film: String) -> DiskSpace?, moment: @escaping @Sendable () -> Moment,
    pause: @escaping @Sendable (_ seconds: Double) -> Void,
    inspect: @escaping @Sendable (_ film: String) -> FilmInspection,
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

/// What somebody should know of the films of a folder.
public enum RetentionNotice: Hashable, Sendable {
  /// Films that a hook has still to handle.
  public struct Waiting: Hashable, Sendable {
    public var recorder: String
    public var films = 0
    public var bytes: Int64 = 0
    /// Why the hook has failed last, where it has.
    public var error: String?
    /// Of the films, those for which it has failed.
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
  /// Deleting has freed nothing. Nothing more goes for lack of room before so many bytes are unused on the disk.
  /// `film`: `nil` where that is known from before.
  case inVain(film: String?, folder: String, enough: Int64)
  /// Deleting frees room again.
  case inVainNoMore
  /// A film that went for its age, or for their number or size, has freed nothing.
  case limitFreedNothing(film: String, folder: String)
  /// The path leads to another folder than before, or to none: that one's films are left alone.
  case folderMoved(folder: String)
  /// More is to stay free than the disk has.
  case freeBeyondDisk(total: Int64)
  case unmeetable(RetentionPolicy.Unmeetable, Waiting)
  /// A film of a minute may take so many bytes, and all films together fewer.
  case sizeBelowMinute(bytes: Int64)
  case waiting(Waiting)
  /// They wait for a recorder that has no hook, or that has not been here for a day.
  case abandoned(Waiting, folder: String, isOwn: Bool)
  /// The limits count this recorder's films, and not so many of others.
  case othersDoNotCount(Int)
  /// The films of a recorder of this name that has ended come to be this recorder's after so many seconds, unless that
  /// one, or another with its pattern, is there by then. `nil`: the pattern is not known.
  case willAdopt(films: Int, pattern: String?, seconds: Double)
  /// They are now.
  case adopted(films: Int, pattern: String?)
  /// This recorder has no identity: films of its name are its own.
  case noIdentity(CamrecError)
  case unknownSpace(film: String)
  case unsynchronizedClock
  case noLocks(folder: String)
  case trouble(CamrecError)
}

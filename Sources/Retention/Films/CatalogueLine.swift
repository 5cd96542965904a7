import Foundation

/// A film that camrec has finished, and what it is known again by.
public struct CataloguedFilm: Hashable, Sendable, Codable {
  /// Of this entry; no other has it.
  public var id: String
  /// Its name in the folder.
  public var film: String
  /// What the recorder is called that made it.
  public var recorder: String
  /// That recorder's identity; `nil` where there was none to be had, and in what older versions have entered.
  public var recorderID: String?
  /// `nil` where the file system gives a file another number every time that it is mounted.
  public var inode: UInt64?
  public var bytes: Int64
  /// SHA-256 of its first bytes.
  public var head: String
  public var finished: Moment
  /// When its recording began, as its `begun` line says: its place in the order of films. `nil` without such a line.
  public var begun: Moment?
  /// Of film; frames in it and frames that were lost; ISO 8601 of its first frame, where that is known.
  public var seconds: Double
  public var frames: Int64
  public var lost: Int64
  public var start: String?
  /// A hook is to be run for it.
  public var awaitsHook: Bool

  public init(
    id: String? = nil, film: String, recorder: String, recorderID: String? = nil, inode: UInt64?, bytes: Int64,
    head: String, finished: Moment, begun: Moment? = nil, seconds: Double = 0, frames: Int64 = 0, lost: Int64 = 0,
    start: String? = nil, awaitsHook: Bool = false
  ) {
    self.id = id ?? UUID().uuidString
    self.film = film
    self.recorder = recorder
    self.recorderID = recorderID
    self.inode = inode
    self.bytes = bytes
    self.head = head
    self.finished = finished
    self.begun = begun
    self.seconds = seconds
    self.frames = frames
    self.lost = lost
    self.start = start
    self.awaitsHook = awaitsHook
  }
}

/// A line of a folder's catalogue: one of these.
public struct CatalogueLine: Hashable, Sendable, Codable {
  /// A film that is being written: after a crash this says whose it is.
  public struct Begun: Hashable, Sendable, Codable {
    public var film: String
    public var recorder: String
    /// As that of a finished film.
    public var recorderID: String?
    public var inode: UInt64?
    /// The name that it had before, where it was renamed while it was recorded.
    public var former: String?
    public var moment: Moment

    public init(
      film: String, recorder: String, recorderID: String? = nil, inode: UInt64?, former: String? = nil, moment: Moment
    ) {
      self.former = former
      self.film = film
      self.recorder = recorder
      self.recorderID = recorderID
      self.inode = inode
      self.moment = moment
    }
  }

  public struct Deleted: Hashable, Sendable, Codable {
    /// Of the film's entry.
    public var id: String
    public var film: String
    public var reason: DeletionReason
    public var moment: Moment

    public init(id: String, film: String, reason: DeletionReason, moment: Moment) {
      self.id = id
      self.film = film
      self.reason = reason
      self.moment = moment
    }
  }

  /// A hook was run.
  public struct Hooked: Hashable, Sendable, Codable {
    public enum Outcome: String, Hashable, Sendable, Codable { case done, failed, givenUp, wanted }

    /// Of the film's entry.
    public var id: String
    public var outcome: Outcome
    /// Runs so far.
    public var tries: Int
    public var moment: Moment
    /// Why the last one has failed, in words.
    public var error: String?

    public init(id: String, outcome: Outcome, tries: Int, moment: Moment, error: String? = nil) {
      self.id = id
      self.outcome = outcome
      self.tries = tries
      self.moment = moment
      self.error = error
    }
  }

  /// The films of a recorder that has ended are another's of its name from here on.
  public struct Adopted: Hashable, Sendable, Codable {
    /// The recorder's.
    public var id: String
    /// The id of the one whose they are now.
    public var by: String
    public var recorder: String
    public var moment: Moment

    public init(id: String, by: String, recorder: String, moment: Moment) {
      self.id = id
      self.by = by
      self.recorder = recorder
      self.moment = moment
    }
  }

  /// A film that was begun in this folder was moved to another while it was recorded, and is entered there.
  public struct Moved: Hashable, Sendable, Codable {
    public var film: String
    /// As its `begun` line says.
    public var begun: Moment
    public var moment: Moment

    public init(film: String, begun: Moment, moment: Moment) {
      self.film = film
      self.begun = begun
      self.moment = moment
    }
  }

  public var begun: Begun?
  public var finished: CataloguedFilm?
  public var deleted: Deleted?
  public var hooked: Hooked?
  public var adopted: Adopted?
  public var moved: Moved?
  /// Only that it is this time now.
  public var seen: Moment?

  public init(
    begun: Begun? = nil, finished: CataloguedFilm? = nil, deleted: Deleted? = nil, hooked: Hooked? = nil,
    adopted: Adopted? = nil, moved: Moved? = nil, seen: Moment? = nil
  ) {
    self.begun = begun
    self.finished = finished
    self.deleted = deleted
    self.hooked = hooked
    self.adopted = adopted
    self.moved = moved
    self.seen = seen
  }

  var moment: Moment? {
    begun?.moment ?? finished?.finished ?? deleted?.moment ?? hooked?.moment ?? adopted?.moment ?? moved?.moment
      ?? seen
  }

  /// With its line feed.
  public var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let line = try? encoder.encode(self) else { return [] }
    return Array(line) + [UInt8(ascii: "\n")]
  }

  /// `nil` for what is not a line: one that was torn or damaged, zeros that a crash has left, one of a later version.
  public init?(bytes: some Sequence<UInt8>) {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard var line = try? decoder.decode(CatalogueLine.self, from: Data(bytes)), let moment = line.moment,
      moment.isPlausible, line.finished.map({ $0.bytes >= 0 }) ?? true, line.hooked.map({ $0.tries >= 0 }) ?? true
    else { return nil }
    // These are only told to people and hooks.
    if let film = line.finished {
      line.finished?.seconds = film.seconds.isFinite ? max(0, film.seconds) : 0
      line.finished?.frames = max(0, film.frames)
      line.finished?.lost = max(0, film.lost)
      // A moment that cannot be would make it the newest.
      if let begun = film.begun,
        !begun.isPlausible || begun.boot == film.finished.boot && begun.uptime > film.finished.uptime
      {
        line.finished?.begun = nil
      }
    }
    self = line
  }
}

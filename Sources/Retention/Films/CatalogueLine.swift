import Foundation

/// A film that camrec has finished, and what identifies it.
public struct CataloguedFilm: Hashable, Sendable, Codable {
  /// Identifies this entry; no other has it. As a rule it is the film's own UUID, as its sidecar has it.
  public var id: String
  /// Its name in the folder.
  public var film: String
  /// The name of the recorder that made it.
  public var recorder: String
  /// That recorder's identity; `nil` if it had none, and in entries of older versions.
  public var recorderID: String?
  /// `nil` if the file system gives a file another number every time it is mounted.
  public var inode: UInt64?
  public var bytes: Int64
  /// SHA-256 of its first bytes.
  public var head: String
  public var finished: Moment
  /// When its recording began, as its `begun` line says; this is its place in the order of films. `nil` without such a
  /// line.
  public var begun: Moment?
  /// Seconds of film; frames in it and frames lost; the time of its first frame in ISO 8601, if known.
  public var seconds: Double
  public var frames: Int64
  public var lost: Int64
  public var start: String?
  /// A hook has yet to run for it.
  public var awaitsHook: Bool

  /// - Parameter id: `nil` makes one.
  public init(
    id: String? = nil, film: String, recorder: String, recorderID: String? = nil, inode: UInt64?, bytes: Int64,
    head: String, finished: Moment, begun: Moment? = nil, seconds: Double = 0, frames: Int64 = 0, lost: Int64 = 0,
    start: String? = nil, awaitsHook: Bool = false
  ) {
    self.id = id ?? UUID().uuidString.lowercased()
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

/// A line of a folder's catalogue; it holds one of these.
public struct CatalogueLine: Hashable, Sendable, Codable {
  /// A film that is being written: after a crash this says whose it is.
  public struct Begun: Hashable, Sendable, Codable {
    /// The film's UUID, for its entry when it is finished; `nil` in lines of older versions.
    public var id: String?
    public var film: String
    public var recorder: String
    /// As in the entry of a finished film.
    public var recorderID: String?
    public var inode: UInt64?
    /// The name that it had before, if it was renamed while it was recorded.
    public var former: String?
    public var moment: Moment

    public init(
      id: String? = nil, film: String, recorder: String, recorderID: String? = nil, inode: UInt64?,
      former: String? = nil, moment: Moment
    ) {
      self.id = id
      self.former = former
      self.film = film
      self.recorder = recorder
      self.recorderID = recorderID
      self.inode = inode
      self.moment = moment
    }
  }

  public struct Deleted: Hashable, Sendable, Codable {
    /// The id of the film's entry.
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

  /// A hook has run.
  public struct Hooked: Hashable, Sendable, Codable {
    public enum Outcome: String, Hashable, Sendable, Codable { case done, failed, givenUp, wanted }

    /// The id of the film's entry.
    public var id: String
    public var outcome: Outcome
    /// Runs so far.
    public var tries: Int
    public var moment: Moment
    /// Why the last run failed, in words.
    public var error: String?

    public init(id: String, outcome: Outcome, tries: Int, moment: Moment, error: String? = nil) {
      self.id = id
      self.outcome = outcome
      self.tries = tries
      self.moment = moment
      self.error = error
    }
  }

  /// From here on, the films of a recorder that has ended belong to another one of its name.
  public struct Adopted: Hashable, Sendable, Codable {
    /// The id of the recorder that has ended.
    public var id: String
    /// The id of the recorder that has them now.
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

  /// A film that began in this folder was moved to another while it was recorded, and is entered there.
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
  /// Says only what time it is.
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

  /// The line as bytes, with its line feed.
  public var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let line = try? encoder.encode(self) else { return [] }
    return Array(line) + [UInt8(ascii: "\n")]
  }

  /// `nil` for anything but a line: a torn or damaged line, zeros that a crash has left, a line of a later version.
  public init?(bytes: some Sequence<UInt8>) {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard var line = try? decoder.decode(CatalogueLine.self, from: Data(bytes)), let moment = line.moment,
      moment.isPlausible, line.finished.map({ $0.bytes >= 0 }) ?? true, line.hooked.map({ $0.tries >= 0 }) ?? true
    else { return nil }
    // These are only shown to people and hooks.
    if let film = line.finished {
      line.finished?.seconds = film.seconds.isFinite ? max(0, film.seconds) : 0
      line.finished?.frames = max(0, film.frames)
      line.finished?.lost = max(0, film.lost)
      // An impossible moment would make it the newest.
      if let begun = film.begun,
        !begun.isPlausible || begun.boot == film.finished.boot && begun.uptime > film.finished.uptime
      {
        line.finished?.begun = nil
      }
    }
    self = line
  }
}

/// A film that can be recorded at once.
public struct PreparedFilm {
  public let session: RecordingSession
  public internal(set) var path: String
  public let source: RecorderState.Source
  /// What stays of its file where nobody waits for its end, in a sentence.
  public internal(set) var leftover: String
  /// Says what is about to be recorded, and how it ended. Called by the thread that runs the recorder.
  public let announce: () -> Void
  /// `isContinued`: its camera went away, and is waited for.
  public let conclude: (_ summary: SessionSummary, _ isContinued: Bool) -> Void
  /// Of a film that has no name before it begins: what it is called since, and what stays of its file.
  public var naming: (() -> (path: String, leftover: String))?

  public init(
    session: RecordingSession, path: String, source: RecorderState.Source, leftover: String,
    announce: @escaping () -> Void, conclude: @escaping (_ summary: SessionSummary, _ isContinued: Bool) -> Void,
    naming: (() -> (path: String, leftover: String))? = nil
  ) {
    self.session = session
    self.path = path
    self.source = source
    self.leftover = leftover
    self.announce = announce
    self.conclude = conclude
    self.naming = naming
  }

  /// With the name that it has now.
  var named: PreparedFilm {
    guard let name = naming?() else { return self }
    var film = self
    (film.path, film.leftover) = name
    return film
  }
}

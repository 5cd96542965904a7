/// A film that can be recorded at once.
public struct PreparedFilm {
  public let session: RecordingSession
  /// As far as it has a name before it begins.
  public internal(set) var path: String
  public let source: RecorderState.Source
  /// What stays of one of its files where nobody waits for its end, in a sentence. Any thread.
  public let leftover: @Sendable (_ path: String) -> String
  /// Says what is about to be recorded, and how it ended. Called by the thread that runs the recorder.
  public let announce: (_ path: String) -> Void
  /// `isContinued`: its camera went away, and is waited for.
  public let conclude: (_ summary: SessionSummary, _ isContinued: Bool) -> Void

  public init(
    session: RecordingSession, path: String, source: RecorderState.Source,
    leftover: @escaping @Sendable (_ path: String) -> String, announce: @escaping (_ path: String) -> Void,
    conclude: @escaping (_ summary: SessionSummary, _ isContinued: Bool) -> Void
  ) {
    self.session = session
    self.path = path
    self.source = source
    self.leftover = leftover
    self.announce = announce
    self.conclude = conclude
  }
}

public import Frames
public import RecorderAPI

/// A film that can be recorded at once.
public struct PreparedFilm {
  public let session: RecordingSession
  /// The film's path, if it has one before it begins.
  public internal(set) var path: String
  public let source: RecorderState.Source
  /// Its camera as for `--camera`, if that is known.
  public let address: String?
  /// Why its camera takes no other size, rate or pixel format; `nil` if it takes them.
  public var modeRefusal: CamrecError?
  /// Describes what is left of a file if camrec does not wait for its end. Any thread.
  public let leftover: @Sendable (_ path: String) -> String
  /// Announces the film. Called by the thread that runs the recorder.
  public let announce: (_ path: String) -> Void
  /// Reports how the film ended, on the same thread. `isContinued`: the recorder waits for the film's camera.
  public let conclude: (_ summary: SessionSummary, _ isContinued: Bool) -> Void
  /// Gives up what was reserved for the film, which does not begin after all.
  public var abandon: () -> Void = {}

  public init(
    session: RecordingSession, path: String, source: RecorderState.Source, address: String? = nil,
    leftover: @escaping @Sendable (_ path: String) -> String, announce: @escaping (_ path: String) -> Void,
    conclude: @escaping (_ summary: SessionSummary, _ isContinued: Bool) -> Void
  ) {
    self.session = session
    self.path = path
    self.source = source
    self.address = address
    self.leftover = leftover
    self.announce = announce
    self.conclude = conclude
  }
}

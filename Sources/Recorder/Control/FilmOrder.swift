public import Audio
public import Exposure
public import Frames

/// What a film is to be made of, where it differs from what the recorder was started with.
public struct FilmOrder: Sendable {
  /// Films that this recorder has begun before.
  public var number = 0
  /// It is only to be found out whether it can be made.
  public var isTrial = false
  /// Its camera runs before it begins, and what was before is in it.
  public var isStanding = false
  /// Its camera was away, and is the one of the film before, wherever it is plugged in now.
  public var isReturn = false
  /// What was changed since the start, all together.
  public var source = SourceChange()
  /// `nil` where the camera is left alone.
  public var exposure: ExposureOptions?
  /// Microphones of films before, which are free when this one begins: opened anew they might be busy.
  public var microphones: [any Microphone] = []
  /// What this camera was set to last, and what was measured of it.
  public var setting: ExposureSetting?
  public var measurement: ExposureService.Measurement?

  public init(exposure: ExposureOptions?) { self.exposure = exposure }
}

/// Makes films of what a recorder was started with and an order.
///
/// Thread: the one that runs the recorder.
public protocol FilmFactory: AnyObject {
  /// Opens the source and checks everything; creates no file.
  ///
  /// - Throws: as the opening of cameras, microphones and films does.
  func prepare(_ order: FilmOrder) throws(CamrecError) -> PreparedFilm

  /// Whether the camera that is in use can do what is asked of it now. Nothing is set, and the camera goes on.
  ///
  /// - Throws: as `prepare`, as far as that can be seen from beside.
  func check(_ source: SourceChange) throws(CamrecError)

  /// The recorder stands by, and waits for the first command.
  func standsBy()

  /// Whether two orders name one device, which cannot be open for both.
  func isSameCamera(_ one: SourceChange, _ other: SourceChange) -> Bool
}

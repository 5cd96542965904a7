public import Audio
public import Exposure
public import Foundation
public import Frames

/// How to make a film, where that differs from the recorder's start.
public struct FilmOrder: Sendable {
  /// Films that this recorder has begun before.
  public var number = 0
  /// When it is to begin; `nil`: with the next frame.
  public var begin: MonotonicTime?
  /// The recording that the film continues; `nil` begins one.
  public var recording: UUID?
  /// Only check whether the film can be made.
  public var isTrial = false
  /// Its camera runs before the film begins, and the film includes the time before.
  public var isStanding = false
  /// Its camera was away. It is the camera of the previous film, wherever it is plugged in now.
  public var isReturn = false
  /// All changes since the start.
  public var source = SourceChange()
  /// `nil` leaves the camera's exposure alone.
  public var exposure: ExposureOptions?
  /// The camera runs on behind the film, so that one film may begin while another is finished.
  public var overlaps = false
  /// Microphones of earlier films, free when this one begins: reopened, they might be busy.
  public var microphones: [any Microphone] = []
  /// The camera that runs already, which the film is attached to; `nil` opens one.
  public var camera: CameraSession?
  /// Microphones that run, with the camera in use or with the one that the film's camera follows.
  public var sounds: [MicrophoneSession] = []
  /// The last exposure setting of this camera, and its calibration.
  public var setting: ExposureSetting?
  public var measurement: ExposureService.Measurement?

  public init(exposure: ExposureOptions?) { self.exposure = exposure }
}

/// Makes films from the recorder's options and an order.
///
/// Thread: the one that runs the recorder.
public protocol FilmFactory: AnyObject {
  /// Opens the source and checks everything; creates no file.
  ///
  /// - Throws: the errors of opening cameras, microphones and films.
  func prepare(_ order: FilmOrder) throws(CamrecError) -> PreparedFilm

  /// Checks whether the camera in use can make a change, and whether its disk takes the film that would follow. Sets
  /// nothing of the camera, which continues; where films make room for new ones, old ones may be deleted.
  ///
  /// - Throws: the errors of `prepare`, as far as they can be foreseen.
  func check(_ source: SourceChange) throws(CamrecError)

  /// This camera is closed: nothing may hold its device open any more.
  func closed(_ camera: CameraSession)

  /// Called when the recorder stands by and waits for the first command.
  func standsBy()

  /// Whether two orders name the same device, which cannot be open twice.
  func isSameCamera(_ one: SourceChange, _ other: SourceChange) -> Bool
}

extension FilmFactory {
  public func closed(_ camera: CameraSession) {}
}

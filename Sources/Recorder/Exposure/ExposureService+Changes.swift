public import Exposure
public import Frames
public import RecorderAPI

/// Requests to a service that is exposing a recording. Thread: any; nobody waits for a device or a frame.
extension ExposureService {
  /// The options with every change since; the service of the next film starts from these.
  public var options: ExposureOptions { desk.options }

  /// The camera's present setting; frames may not show it yet.
  public var setting: ExposureSetting { desk.setting }

  /// The ISO speeds that the camera has.
  var isoRange: ClosedRange<Double> { desk.isoRange }

  /// The exposure of the frame seen last.
  public var status: ExposureStatus { desk.status }

  /// As `summary`, for a film that begins now: with every change since the camera was opened.
  public var presentSummary: String { desk.summary ?? summary }

  /// The exposure does not fit the light yet.
  var isMoving: Bool { desk.isMoving }

  /// Checks a change, and applies it from the next frame on.
  ///
  /// - Throws: code `usage` for a change that the mode or a lock does not allow, a setting that this camera does not
  ///   have, and a change to the mode `camera`. An error changes nothing.
  public func change(_ change: ExposureChange) throws(CamrecError) { try desk.change(change) }

  /// - Throws: code `usage` for a change that does nothing while the exposure is locked.
  func check(_ change: ExposureChange) throws(CamrecError) { try desk.check(change) }

  /// `status` includes a change, and frames show an angle or ISO that it has set.
  func shows(_ change: ExposureChange) -> Bool { desk.shows(change) }
}

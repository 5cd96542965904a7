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

  /// Checks a change, and applies it from the next frame on.
  ///
  /// - Throws: code `usage` for a change that the mode does not allow, a setting that this camera does not have, and a
  ///   change to the mode `camera`. An error changes nothing.
  public func change(_ change: ExposureChange) throws(CamrecError) { try desk.change(change) }

  /// The last change does not apply yet: no frame has come since.
  var isBehind: Bool { desk.isBehind }
}

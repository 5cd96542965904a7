public import Exposure
public import Frames

/// What can be asked of a service while it exposes a recording. Thread: any; nobody waits for a device or a frame.
extension ExposureService {
  /// The options with every change since; what a service of the next film starts from.
  public var options: ExposureOptions { desk.options }

  /// What the camera is set to; of which frame that is the first setting, nobody has to know.
  public var setting: ExposureSetting { desk.setting }

  /// How the frame that was seen last is exposed.
  public var status: ExposureStatus { desk.status }

  /// Checks a change, and has it in force from the next frame that is seen.
  ///
  /// - Throws: code `usage` for what the mode does not leave to anybody, what this camera cannot be set to, and a
  ///   change to the mode `camera`. Everything goes on as before.
  public func change(_ change: ExposureChange) throws(CamrecError) { try desk.change(change) }

  /// The last change is not in force yet: no frame has come since.
  var isBehind: Bool { desk.isBehind }
}

public import Frames
public import RecorderAPI

/// Watches and controls a running recorder.
///
/// Thread: any; commands wait for each other.
public protocol RecorderControl: AnyObject, Sendable {
  /// Does not wait for a camera or a disk.
  var state: RecorderState { get }

  /// Rings when a command has changed the state, and when a film begins or ends.
  var changes: ChangeBell { get }

  /// What can be set now, and to what: the exposure, the camera's controls, and the source. Waits for the camera.
  ///
  /// - Throws: code `device` if the camera is gone or does not answer.
  func controls() throws(CamrecError) -> [ControlDescription]

  /// Carries out a command and returns the state afterwards. Waits for a start, a stop or a change of source.
  ///
  /// - Throws: code `usage` if the command is not possible now or its value is invalid, code `device` if the camera
  ///   lacks or refuses something, code `output` if a new film cannot be created. The recording continues as before.
  @discardableResult
  func perform(_ command: RecorderCommand) throws(CamrecError) -> RecorderState

  /// Like `perform`; for a start and a stop, the film's sidecar notes the origin: `ctl`, `schedule`.
  @discardableResult
  func perform(_ command: RecorderCommand, by origin: String) throws(CamrecError) -> RecorderState
}

extension RecorderControl {
  /// Ignores the origin.
  @discardableResult
  public func perform(_ command: RecorderCommand, by origin: String) throws(CamrecError) -> RecorderState {
    try perform(command)
  }
}

public import Frames

/// The seam through which a running recorder is watched and told what to do.
///
/// Thread: any; commands wait for each other.
public protocol RecorderControl: AnyObject, Sendable {
  var state: RecorderState { get }

  /// Does what was asked, and says how it goes then. A start, a stop or a change of source is waited for.
  ///
  /// - Throws: code `usage` for what cannot be asked now or takes no such value, code `device` for what the camera
  ///   lacks or refuses, code `output` where a new film cannot be created. The recording goes on as before.
  @discardableResult
  func perform(_ command: RecorderCommand) throws(CamrecError) -> RecorderState

  /// As `perform`; of a start and a stop the film's sidecar says who has asked for it: `ctl`, `schedule`.
  @discardableResult
  func perform(_ command: RecorderCommand, by origin: String) throws(CamrecError) -> RecorderState
}

extension RecorderControl {
  /// For those who write nothing down.
  @discardableResult
  public func perform(_ command: RecorderCommand, by origin: String) throws(CamrecError) -> RecorderState {
    try perform(command)
  }
}

public import Frames

/// The controls of one camera.
///
/// `restore` puts everything that was changed back as it was found.
///
/// Thread: any; calls wait for each other, and for a slow camera. Do not call them on the capture thread while it takes
/// frames.
public protocol CameraControls: AnyObject, Sendable {
  /// The camera's name for messages.
  var name: String { get }
  /// Identifies the device, whenever and wherever it is plugged in; calibrations are stored under it.
  var identity: String { get }

  /// Warnings about controls with impossible answers, one for each; `offers` adds to them.
  var warnings: [String] { get }

  /// Whether calls never wait for a device, so that the thread that takes the frames may make them.
  var answersAtOnce: Bool { get }

  /// The number of frames from the last captured frame to the first that shows a new setting; `nil` if it is unknown.
  var delay: Int? { get }

  /// The camera's controls in the order of `CameraControl.allCases`, in their present state: switching an automatic on
  /// or off changes the controls that it rules.
  ///
  /// - Throws: code `device` if the camera is gone or does not answer.
  func offers() throws(CamrecError) -> [ControlOffer]

  /// The present value.
  ///
  /// - Throws: code `device`; also for a control that it lacks.
  func value(of control: CameraControl) throws(CamrecError) -> ControlValue

  /// The value last seen by `set` or `changes`, without asking a slow camera; `nil` if neither has seen one.
  func known(_ control: CameraControl) -> ControlValue?

  /// Sets a control to the nearest value that the camera has, and reads it back.
  ///
  /// - Returns: the value that the camera now reports, whatever it is.
  /// - Throws: code `usage` for a value that has the wrong kind or is out of range, code `device` for a control that
  ///   the camera lacks (`CameraControl.absence`), or that is read-only, ruled by an automatic, or busy.
  @discardableResult
  func set(_ control: CameraControl, to value: ControlValue) throws(CamrecError) -> ControlValue

  /// Controls that changed by themselves or by other programs since the last call: from the driver's events if it has
  /// them, else by asking.
  func changes() throws(CamrecError) -> [ControlChange]

  /// Puts back everything that was changed.
  func restore()
}

extension CameraControls {
  public var warnings: [String] { [] }
  public var answersAtOnce: Bool { false }
  public var delay: Int? { nil }
  public func known(_ control: CameraControl) -> ControlValue? { try? value(of: control) }
}

/// A control's new value.
public struct ControlChange: Hashable, Sendable {
  public let control: CameraControl
  public let value: ControlValue

  public init(_ control: CameraControl, _ value: ControlValue) {
    self.control = control
    self.value = value
  }
}

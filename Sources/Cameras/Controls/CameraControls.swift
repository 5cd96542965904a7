public import Frames

/// The controls of one camera. Two cameras are two of these.
///
/// Everything that was changed is put back by `restore`, as it was found.
///
/// Thread: any; calls wait for each other, and for a camera that is slow to answer. Not the capture thread while it
/// takes frames.
public protocol CameraControls: AnyObject, Sendable {
  /// What to call the camera in messages.
  var name: String { get }
  /// The same for the same device whenever and wherever it is plugged in: what calibrations are kept under.
  var identity: String { get }

  /// Sentences about controls that answer what cannot be, each said once; they come with `offers`.
  var warnings: [String] { get }

  /// Calls do not wait for a device: they may be made on the thread that takes the frames.
  var answersAtOnce: Bool { get }

  /// How many frames after the one that was captured last a setting shows first; `nil` where that is not known.
  var delay: Int? { get }

  /// What the camera has, in the order of `CameraControl.allCases`, as it is now: an automatic that is switched on or
  /// off changes what it rules.
  ///
  /// - Throws: code `device` where the camera is gone or does not answer.
  func offers() throws(CamrecError) -> [ControlOffer]

  /// The value that the camera has now.
  ///
  /// - Throws: code `device`; also for a control that it lacks.
  func value(of control: CameraControl) throws(CamrecError) -> ControlValue

  /// The value as `set` or `changes` came to it last, without asking a slow camera; `nil` where neither has.
  func known(_ control: CameraControl) -> ControlValue?

  /// Sets a control to the nearest value that the camera has, and reads it back.
  ///
  /// - Returns: what the camera says it is set to now, whatever that is.
  /// - Throws: code `usage` for a value that is of another kind or out of range, code `device` for a control that the
  ///   camera lacks (`CameraControl.absence`), that is read-only, ruled by an automatic, or busy.
  @discardableResult
  func set(_ control: CameraControl, to value: ControlValue) throws(CamrecError) -> ControlValue

  /// What has changed by itself or by other programs since the last call, by the driver's events where it has them,
  /// else by asking.
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

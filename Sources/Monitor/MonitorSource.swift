public import Frames
public import Recorder
public import RecorderAPI

/// What pictures are made of: a recorder.
///
/// Thread: any.
public protocol MonitorSource: AnyObject, Sendable {
  /// The camera. One that rests is woken, and runs on while somebody reads its tap.
  ///
  /// - Throws: the errors of opening cameras.
  func runningCamera() throws(CamrecError) -> CameraSession

  /// Does not wait for a camera or a disk.
  var state: RecorderState { get }
}

extension RecorderService: MonitorSource {}

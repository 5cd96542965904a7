import Cameras
import Frames
import Platform

/// The present values of a camera's controls, for the records of its frames, so that the frames' thread never has to
/// ask.
///
/// A separate thread follows the camera, by the driver's events if it has them, otherwise by asking. Values that the
/// camera delivers with a frame take precedence.
final class ControlAccount: Sendable {
  private let follower: ControlFollower
  private let thread: WorkThread

  /// Between two looks. White balance and focus automatics change more slowly than that, and asking a USB camera
  /// (usually for four values that change by themselves) keeps its bus busy for some milliseconds.
  static let pause = Duration.milliseconds(200)

  /// Asks the camera once, which takes some milliseconds with a slow one.
  ///
  /// - Parameter withExposure: includes exposure time and gain, if nobody else keeps an account of them.
  /// - Returns: `nil` for a camera without controls that belong to a frame.
  init?(of camera: any Camera, withExposure: Bool) {
    guard let controls = camera.controls, let follower = ControlFollower(controls, withExposure: withExposure) else {
      return nil
    }
    self.follower = follower
    thread = WorkThread(name: "camrec-controls") {
      while !follower.isClosed, follower.look() { WorkThread.sleep(ControlAccount.pause) }
    }
  }

  deinit { close() }

  /// Adds what the camera did not deliver with the frame. Any thread; does not wait.
  func complete(_ frame: inout CapturedFrame) {
    let now = follower.now
    if frame.exposure == nil { frame.exposure = now.exposure }
    if frame.controls == nil { frame.controls = now.controls }
  }

  /// Ends the thread, within one look and one pause.
  func close() {
    follower.close()
    thread.join()
  }
}

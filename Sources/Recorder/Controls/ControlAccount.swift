import Cameras
import Frames

/// What a camera's controls are set to, for the records of its frames, kept so that their thread never asks.
///
/// A thread of its own follows the camera: by the driver's events where it has them, else by asking. What a frame's
/// camera tells itself counts before it.
final class ControlAccount: Sendable {
  private let follower: ControlFollower
  private let thread: WorkThread

  /// Between two looks: automatics take longer to get anywhere with white balance and focus, and what a USB camera is
  /// asked for (four values that move by themselves, as a rule) keeps its bus busy for some milliseconds.
  static let pause = Duration.milliseconds(200)

  /// Asks once, which takes a slow camera some milliseconds.
  ///
  /// - Parameter withExposure: exposure time and gain, too: nobody else has an account of them.
  /// - Returns: `nil` for a camera without controls, or with none that belong to a frame.
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

  /// Adds what the camera has not said with the frame. Any thread; does not wait.
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

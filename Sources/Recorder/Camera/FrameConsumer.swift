import Cameras
import Frames

/// Gets every frame of a camera while it is attached: a film, or a pre-roll.
///
/// Thread: the camera's. If the camera has ended already, the one that attaches it.
protocol FrameConsumer: AnyObject, Sendable {
  /// It wants nothing more: it is detached before the next event.
  var isOver: Bool { get }

  /// Its time has not come: it takes no frame yet.
  var isWaiting: Bool { get }

  /// It keeps a pre-roll: its film has not begun.
  var isStanding: Bool { get }

  /// Takes the camera's next event; must not wait, unless the camera waits for its consumers.
  ///
  /// - Parameter silence: how long the camera has delivered nothing intact.
  /// - Returns: false if it takes no more events.
  func take(_ event: consuming CameraEvent, _ silence: borrowing CameraSilence) -> Bool

  /// A sentence for people about the camera.
  func warn(_ sentence: String)

  /// The camera delivers nothing more.
  ///
  /// - Returns: whether people hear of it from this one.
  func cameraEnded(_ ending: CameraEnding) -> Bool

  /// The last call: it gets nothing more.
  func detached()
}

/// Why a camera delivers nothing more.
enum CameraEnding: Sendable {
  /// A clip or a script has ended.
  case finished
  /// It was closed.
  case closed
  /// It went away, or became another one.
  case lost(CameraLoss, CamrecError, CameraSilence)
  /// It failed. Any other code than `device` is a mistake that no camera makes.
  case failed(CamrecError, CameraSilence)

  /// How a film loses it; `nil` if it does not.
  var loss: CameraLoss? {
    switch self {
    case .finished, .closed: nil
    case .lost(let loss, _, _): loss
    case .failed: .failed
    }
  }

  /// What has happened to the camera, without what becomes of a film; `nil` if nothing has.
  var error: CamrecError? {
    switch self {
    case .finished, .closed: nil
    case .lost(_, let error, _), .failed(let error, _): error
    }
  }
}

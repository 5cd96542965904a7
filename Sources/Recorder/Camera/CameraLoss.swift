import Frames
import RecorderAPI

/// How a film lost its camera.
enum CameraLoss: Hashable, Sendable {
  case unplugged
  case changedFormat
  /// It delivers nothing that can be recorded, even after its stream was restarted.
  case silent
  /// It reported an error.
  case failed

  /// What to do if the recorder does not wait for the camera; `nil` if the failure says enough.
  var remedy: String? {
    switch self {
    case .changedFormat: "start again to record the new format"
    case .silent: "start again; if that does not help, unplug the camera and plug it in again"
    case .unplugged, .failed: nil
    }
  }

  /// What to do if a film that waited for its time does not begin.
  var remedyBeforeFilm: String {
    switch self {
    case .unplugged: "start again when the camera is back"
    case .failed: "start again when the camera works again"
    case .changedFormat, .silent: remedy ?? "start again"
    }
  }

  /// What is said when the recorder begins to wait for the camera.
  func departure(of camera: String) -> String {
    switch self {
    case .unplugged: "\(camera) is gone; the recording continues in a new film when it is back"
    case .changedFormat:
      "\(camera) changed its picture format; camrec opens it again, and the recording continues in a new film"
    case .silent:
      "\(camera) delivers no intact frames; camrec opens it again, and the recording continues in a new film"
    case .failed: "\(camera) failed; the recording continues in a new film when it works again"
    }
  }

  /// What is said of the camera when the recording could continue, and something else keeps it from that.
  ///
  /// - Parameter seconds: as in `returning`, up to now.
  func reappearance(of camera: String, after seconds: Double) -> String {
    let gap = CameraLoss.text(seconds)
    return self == .unplugged ? "\(camera) is back after \(gap)" : "\(camera) can be opened again after \(gap)"
  }

  /// A length of time, in tenths of a second.
  static func text(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10) s" }

  /// What is said when the recording has continued.
  ///
  /// - Parameters:
  ///   - source: what the new film records.
  ///   - seconds: to the beginning of the new film, from the last intact frame of a camera that was silent, else from
  ///     the end of the film before.
  func returning(of camera: String, as source: RecorderState.Source, after seconds: Double) -> String {
    let gap = CameraLoss.text(seconds)
    switch self {
    case .unplugged: return "\(camera) is back after \(gap)"
    case .changedFormat:
      return "\(camera) now delivers \(CameraLoss.mode(of: source)); the recording continued after \(gap)"
    case .silent: return "\(camera) delivers intact frames again after \(gap)"
    case .failed: return "\(camera) works again after \(gap)"
    }
  }

  /// What is said of a camera that ran in standby.
  ///
  /// - Parameter failure: what has happened to it.
  func departureInStandby(_ failure: CamrecError) -> String {
    let consequence =
      switch self {
      case .unplugged: "until it is back, no film can begin"
      case .changedFormat: "until camrec has opened it again, films begin without a pre-roll"
      case .silent: "until it delivers intact frames again, no film can begin"
      case .failed: "until it works again, films begin without a pre-roll"
      }
    return "\(failure.description); \(consequence)"
  }

  /// What is said when it runs again.
  ///
  /// - Parameter source: what it delivers now.
  static func returnToStandby(from loss: CameraLoss?, as source: RecorderState.Source) -> String {
    switch loss {
    case .unplugged?: "\(source.camera) is back"
    case .changedFormat?: "\(source.camera) now delivers \(mode(of: source))"
    case .silent?: "\(source.camera) delivers intact frames again"
    case .failed?: "\(source.camera) works again"
    // It did not open before.
    case nil: "\(source.camera) is open now"
    }
  }

  private static func mode(of source: RecorderState.Source) -> String {
    "\(source.width)x\(source.height) at \(source.frameRate) fps, \(source.pixelFormat)"
  }
}

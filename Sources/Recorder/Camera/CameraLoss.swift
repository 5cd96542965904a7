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

  /// What is said when the recording has continued.
  ///
  /// - Parameters:
  ///   - source: what the new film records.
  ///   - seconds: to the beginning of the new film, from the last intact frame of a camera that was silent, else from
  ///     the end of the film before.
  func returning(of camera: String, as source: RecorderState.Source, after seconds: Double) -> String {
    let gap = "\((seconds * 10).rounded() / 10) s"
    switch self {
    case .unplugged: return "\(camera) is back after \(gap)"
    case .changedFormat:
      let mode = "\(source.width)x\(source.height) at \(source.frameRate) fps, \(source.pixelFormat)"
      return "\(camera) now delivers \(mode); the recording continued after \(gap)"
    case .silent: return "\(camera) delivers intact frames again after \(gap)"
    case .failed: return "\(camera) works again after \(gap)"
    }
  }
}

import Cameras
import Exposure
import Frames
import RecorderAPI

/// What the next film needs to know of one that has captured its last frame. Its session keeps the camera's memory, and
/// so the device open.
struct FormerFilm {
  /// The recording, and its first file.
  let identity: RecordingIdentity
  /// Its last file.
  let path: String
  /// When its last frame ends; `nil` if it has none.
  let pictureEnd: MonotonicTime?
  let frameRate: FrameRate
  /// What it leaves of the recording's limit.
  let limit: RecordingLimit?
  let setting: ExposureSetting?
  let measurement: ExposureService.Measurement?

  init(_ take: RecorderRun.Take) {
    let session = take.session
    identity = session.parts.identity
    path = session.lastPath ?? take.film.path
    pictureEnd = session.pictureEnd
    frameRate = session.frameRate
    limit = session.remainingLimit
    setting = session.parts.exposure?.setting
    measurement = session.parts.exposure?.measurement
  }
}

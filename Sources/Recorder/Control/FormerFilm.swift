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
  private(set) var path: String
  /// When its last frame ends; `nil` if it has none.
  private(set) var pictureEnd: MonotonicTime?
  private(set) var frameRate: FrameRate
  /// What it leaves of the recording's limit.
  private(set) var limit: RecordingLimit?
  private(set) var setting: ExposureSetting?
  private(set) var measurement: ExposureService.Measurement?

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

  /// It is finished, and all is known of it.
  mutating func isFinished(_ take: RecorderRun.Take) {
    let last = FormerFilm(take)
    (path, pictureEnd, limit) = (last.path, last.pictureEnd, last.limit)
  }

  /// The next film is made with this one's camera, which has delivered no frame yet.
  mutating func isContinued(by session: RecordingSession) {
    frameRate = session.frameRate
    setting = session.parts.exposure?.setting
    measurement = session.parts.exposure?.measurement
  }
}

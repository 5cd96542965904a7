import Exposure
import Frames
import Movies

extension RecorderService {
  /// What of the film that is being recorded others may touch.
  struct Current {
    let session: RecordingSession
    let path: String
    let source: RecorderState.Source
    let leftover: @Sendable (_ path: String) -> String
    /// Its film has not begun.
    var isStanding = false
  }

  /// What its threads share.
  struct Shared {
    var phase = RecorderState.Phase.starting
    var current: Current?
    /// The film that was recorded last.
    var lastFilm: String?
    /// It had come to an end that nobody wanted.
    var lastFilmFailed = false
    var order: FilmOrder
    /// How the camera was exposed last, and which it was.
    var exposure: (source: SourceChange, setting: ExposureSetting?, measurement: ExposureService.Measurement?)?
    var ledger = RecorderLedger()
    /// Of the film that was concluded last.
    var lastAccount: RecorderState.FilmAccount?
    /// Of films that are concluded.
    var disk = DiskStatus()
    /// As whoever looks at the disk has said last.
    var room: (freeBytes: Int64?, secondsLeft: Double?, isMeasured: Bool?)?
    var deletedFilms: Int?
    /// Said while no film was recorded.
    var remarks: [SessionRemark] = []
    var totals = RecorderState.Totals()
    /// Sessions that are being finished, and not in `ledger` yet.
    var finishing: [RecordingSession] = []
    var failure: String?
    var settings = CameraSettings()
    /// In people's words, for the next start.
    var controls: [RecorderSettings.Control] = []
    /// Of the last run, and not set again so far.
    var resumed: [RecorderSettings.Control] = []
    /// From the first time on that somebody asks for it.
    var focus: FocusService?
    var errands: [RecorderErrand] = []
    var isQuitting = false
    var quits: (count: Int, latest: MonotonicTime?) = (0, nil)
    /// A film that ends by itself is followed by another.
    var holdsOn = false
    var hasEnded = false

    mutating func keepExposure(of session: RecordingSession) {
      guard let exposure = session.parts.exposure else { return }
      self.exposure = (order.source, exposure.setting, exposure.measurement)
    }
  }
}

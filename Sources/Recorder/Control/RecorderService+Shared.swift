import Exposure
import Foundation
import Frames
import Movies
import Platform
import RecorderAPI

extension RecorderService {
  /// The parts of the current film that other threads may use.
  struct Current {
    let session: RecordingSession
    let path: String
    let source: RecorderState.Source
    let address: String?
    let modeRefusal: CamrecError?
    let leftover: @Sendable (_ path: String) -> String
    /// Its film has not begun.
    var isStanding = false
  }

  /// A camera that runs, with or without a film.
  struct OpenCamera {
    let session: CameraSession
    let source: RecorderState.Source
    let modeRefusal: CamrecError?
  }

  /// The state shared by the recorder's threads.
  struct Shared {
    var phase = RecorderState.Phase.starting
    var current: Current?
    var camera: OpenCamera?
    /// The camera, unless it has just gone.
    var running: OpenCamera? { camera.flatMap { $0.session.ending == nil ? $0 : nil } }
    /// The film recorded last.
    var lastFilm: String?
    var lastIdentity: RecordingIdentity?
    var lastSegment: Int?
    /// The first of its segments, which have UUIDs of their own; without segments, itself.
    var lastBegun: UUID?
    /// The markers of a recording so far, over all its films.
    var markers: (recording: UUID?, count: Int) = (nil, 0)
    /// The last film ended because of a failure.
    var lastFilmFailed = false
    var order: FilmOrder
    /// The last exposure, and the camera that it belongs to.
    var exposure: (source: SourceChange, setting: ExposureSetting?, measurement: ExposureService.Measurement?)?
    var ledger = RecorderLedger()
    /// The account of the film concluded last.
    var lastAccount: RecorderState.FilmAccount?
    /// The disk status of concluded films.
    var disk = DiskStatus()
    /// The room on the disk, as last reported by `tell`.
    var room: (freeBytes: Int64?, secondsLeft: Double?, isMeasured: Bool?)?
    var deletedFilms: Int?
    /// Remarks made while no film was being recorded.
    var remarks: [SessionRemark] = []
    var totals = RecorderState.Totals()
    /// Sessions that are being finished and are not in `ledger` yet.
    var finishing: [RecordingSession] = []
    /// Why the film recorded last ended early.
    var failure: String?
    /// Why no film could begin, or nothing of it was kept: at the last start, or after a film that a change of its
    /// source had ended.
    var startFailure: String?
    /// Why the recorder waits for its camera, or stands by without it.
    var cameraFailure: CamrecError?
    /// That camera is back, and what failed is something else.
    var isCameraBack = false
    var settings = CameraSettings()
    /// The settings of the next start.
    var kept = RecorderSettings(exposure: nil)
    /// Controls of the last run that have not been set again yet.
    var resumed: [RecorderSettings.Control] = []
    /// Made when somebody first asks for focus.
    var focus: FocusService?
    var errands: [RecorderErrand] = []
    var isQuitting = false
    var quits: (count: Int, latest: MonotonicTime?) = (0, nil)
    /// When somebody first asked for the end.
    var endAsked: MonotonicTime?
    /// Who asked first for the recorder's end beside commands: `signal SIGTERM`.
    var endOrigin: String?
    /// Another film follows when this one ends by itself.
    var holdsOn = false
    var hasEnded = false

    /// The phase to tell of: a film is recorded from its first frame on, whenever the recorder's thread sees that.
    var phaseNow: RecorderState.Phase {
      guard [.starting, .waiting].contains(phase), let current, !current.isStanding, current.session.hasFirstFrame
      else { return phase }
      return .recording
    }

    /// The phase while nothing is recorded and no camera is awaited: the end comes when all films are finished.
    var phaseAtRest: RecorderState.Phase {
      guard isQuitting else { return .standby }
      return finishing.isEmpty ? .ended : .stopping
    }

    /// Why a change of the camera is refused while the recorder waits for that; `nil` if it does not wait.
    var awaitedCamera: CamrecError? {
      guard phaseNow == .waiting else { return nil }
      guard isCameraBack, let cameraFailure else { return RecorderService.cameraIsGone(because: cameraFailure) }
      return CamrecError(
        .usage, about: cameraFailure.field,
        "the change was refused, because the recording cannot continue yet (\(sentence: cameraFailure.sentence)); make"
          + " it when the recording continues", cause: cameraFailure.cause, reason: .awaitingCamera)
    }

    /// Why the camera takes no other mode now, while another camera can be chosen; `nil` if nothing is known of that.
    var modeRefusal: CamrecError? {
      if !isCameraBack, let awaitedCamera { return awaitedCamera }
      if let current { return current.modeRefusal }
      return running?.modeRefusal
    }

    mutating func isAskedToEnd() { endAsked = endAsked ?? .now() }

    /// The number of the next marker of a recording, from 1.
    func nextMarker(of recording: UUID) -> Int { markers.recording == recording ? markers.count + 1 : 1 }

    mutating func keepExposure(of session: RecordingSession) { keepExposure(session.parts.exposure) }

    mutating func keepExposure(_ exposure: ExposureService?) {
      guard let exposure else { return }
      self.exposure = (order.source, exposure.setting, exposure.measurement)
    }
  }
}

import Frames
import RecorderAPI
import Viewfinder

/// Recorders, states and pictures for tests.
enum Made {
  static let now = MonotonicTime(nanoseconds: 1_000_000_000_000)

  static func later(_ seconds: Double) -> MonotonicTime { now.advanced(by: Int64(seconds * 1e9)) }

  /// - Parameter age: of the frame at `now`, in seconds.
  static func picture(
    _ width: Int = 960, _ height: Int = 540, _ flags: MonitorFlags = .graded, part: PicturePart = .whole,
    age: Double = 0.02
  ) -> ViewedRecorder.Picture {
    var header = MonitorHeader(.picture, subscription: 2, sequence: 1)
    (header.width, header.height) = (UInt16(width), UInt16(height))
    header.flags = flags
    header.captureTime = later(-age)
    return ViewedRecorder.Picture(header, part: part, time: now)
  }

  static func state(
    _ phase: RecorderState.Phase, width: Int = 1920, height: Int = 1080, rate: String = "24"
  ) -> RecorderState {
    var state = RecorderState(phase: phase)
    state.source = .init(camera: "sim", width: width, height: height, frameRate: rate, pixelFormat: "nv12")
    state.seconds = 83
    state.timecode = "10:11:12:13"
    state.exposure = exposure()
    state.filmAccount = .init()
    var disk = DiskStatus()
    disk.secondsLeft = 11_520
    disk.isSecondsLeftMeasured = true
    state.disk = disk
    state.level = .init(peak: 0.25, held: 0.25, isClipped: false)
    return state
  }

  static func exposure(bias: Double = 0, missing: Double = 0, mode: String = "shutter-priority") -> ExposureStatus {
    ExposureStatus(
      mode: mode, state: .settled, exposureTime: 1.0 / 48, shutterAngle: 180, reachedShutterAngle: 180, iso: 800,
      isCalibrated: true, gain: 1, bias: bias, metering: "average", isLocked: false, missingEV: missing)
  }

  static func lost(_ count: Int) -> RecorderState.FilmAccount {
    var ledger = RecorderState.Ledger()
    ledger.lost = ["overload": count]
    return .init(ledger: ledger)
  }

  /// One recorder in the whole window.
  static func single(
    _ state: RecorderState?, _ picture: ViewedRecorder.Picture? = picture(), id: String = "front",
    control: ViewedRecorder.Control = .allowed
  ) -> ViewModel {
    var model = ViewModel()
    model.setRunning([id], at: now)
    model.update(id) { ($0.state, $0.picture, $0.control) = (state, picture, control) }
    return model
  }

  /// Several recorders beside one another.
  static func wall(_ ids: [String]) -> ViewModel {
    var model = ViewModel()
    model.setRunning(ids, at: now)
    for id in ids { model.update(id) { ($0.state, $0.picture, $0.control) = (state(.standby), picture(), .allowed) } }
    return model
  }
}

/// A window's size.
struct Window: Hashable, CustomStringConvertible {
  let width, height: Int
  var description: String { "\(width)x\(height)" }

  static let common = [
    Window(width: 1280, height: 720), Window(width: 800, height: 480), Window(width: 1920, height: 1080),
  ]
  /// As narrow, low and small as somebody may make one.
  static let odd = [
    Window(width: 321, height: 181), Window(width: 1001, height: 201), Window(width: 203, height: 999),
    Window(width: 1, height: 1),
  ]

  func commands(_ model: ViewModel, at now: MonotonicTime = Made.now) -> [DrawCommand] {
    ViewScreen.commands(model, width: width, height: height, at: now)
  }
}

extension [DrawCommand] {
  /// With their colours.
  var texts: [(text: String, color: ViewColor)] {
    compactMap { if case .text(let text, _, _, _, let color) = $0 { (text, color) } else { nil } }
  }

  var words: [String] { texts.map(\.text) }

  func fills(_ color: ViewColor) -> [ViewRect] {
    compactMap { if case .fill(let rect, color) = $0 { rect } else { nil } }
  }

  var pictures: [(id: String, part: PicturePart, rect: ViewRect)] {
    compactMap { if case .picture(let id, let part, let rect) = $0 { (id, part, rect) } else { nil } }
  }
}

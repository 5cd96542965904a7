import Cameras
import Exposure
import Frames
import Recorder
import Synchronization
import Testing

/// What metering, bracketing and calibrating leave of a camera, however they end.
@Suite struct MeteredCameraTests {
  /// A camera that notes when it is started, stopped and restored.
  private final class NotedCamera: Camera, CameraControls {
    private let camera: SimulatedCamera
    private let own: any CameraControls
    private let log = Mutex<[String]>([])

    init(_ options: String) throws {
      let camera = try SimulatedCamera(
        SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,\(options)"),
        request: CameraRequest(width: 96, height: 54, pixelFormat: "nv12"), clock: SimulatedClock(pace: .pulled),
        frames: 4)
      own = try #require(camera.controls)
      self.camera = camera
    }

    var notes: [String] { log.withLock { $0 } }
    private func note(_ word: String) { log.withLock { $0.append(word) } }

    var controls: (any CameraControls)? { self }
    var format: CameraFormat { camera.format }
    var warnings: [String] { camera.warnings }
    func start() throws(CamrecError) {
      note("start")
      try camera.start()
    }
    func stop() {
      note("stop")
      camera.stop()
    }
    func next() throws(CamrecError) -> CameraEvent { try camera.next() }

    var name: String { own.name }
    var identity: String { own.identity }
    var answersAtOnce: Bool { own.answersAtOnce }
    var delay: Int? { own.delay }
    func offers() throws(CamrecError) -> [ControlOffer] { try own.offers() }
    func value(of control: CameraControl) throws(CamrecError) -> ControlValue { try own.value(of: control) }
    func set(_ control: CameraControl, to value: ControlValue) throws(CamrecError) -> ControlValue {
      try own.set(control, to: value)
    }
    func changes() throws(CamrecError) -> [ControlChange] { try own.changes() }
    func restore() {
      note("restore")
      own.restore()
    }
  }

  private static let speeds = try! ["1/60"].map { try ShutterSpeed(parsing: $0) }

  @Test func itIsStoppedThenRestored() throws {
    let metered = try NotedCamera("sensitivity=gain")
    _ = try SpotMeter(metered, converter: nil).read(x: 0.5, y: 0.5)
    #expect(metered.notes == ["start", "stop", "restore"])
    let bracketed = try NotedCamera("sensitivity=gain")
    try BracketCapture(bracketed, converter: nil).take([Self.speeds], baseISO: 100) { _, _ in }
    #expect(bracketed.notes == ["start", "stop", "restore"])
    let calibrated = try NotedCamera("sensitivity=gain")
    _ = try GainCalibrator(calibrated, converter: nil).measure()
    #expect(calibrated.notes == ["start", "stop", "restore"])
  }

  @Test func anErrorRestoresIt() throws {
    let camera = try NotedCamera("sensitivity=gain")
    let error = #expect(throws: CamrecError.self) {
      try SpotMeter(camera, converter: nil, isStopped: { true }).read(x: 0.5, y: 0.5)
    }
    #expect(error?.code == .interrupted && camera.notes == ["start", "stop", "restore"])
  }

  /// Speeds are refused before the camera starts, and a camera without what is needed before it is touched.
  @Test func aRefusalRestoresItUnstarted() throws {
    let bracketed = try NotedCamera("sensitivity=gain")
    let long = try ShutterSpeed(parsing: "30\"")
    #expect(throws: CamrecError.self) {
      try BracketCapture(bracketed, converter: nil).take([[long]], baseISO: 100) { _, _ in }
    }
    #expect(bracketed.notes == ["restore"])
    let calibrated = try NotedCamera("sensitivity=fixed")
    #expect(throws: CamrecError.self) { try GainCalibrator(calibrated, converter: nil).measure() }
    #expect(calibrated.notes == [])
  }
}

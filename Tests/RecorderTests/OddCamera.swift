import Cameras
import Frames
import Synchronization

/// A simulated camera whose controls answer as a script wants them to.
final class OddCamera: Camera {
  let simulated: SimulatedCamera
  let oddities: OddControls

  init(
    _ options: String, identity: String = "odd", delay: Int? = 2, rate: String = "24", odd: OddControls.Script
  ) throws {
    simulated = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,\(options)"),
      request: CameraRequest(width: 192, height: 108, frameRate: FrameRate(parsing: rate), pixelFormat: "nv12"),
      clock: SimulatedClock(pace: .pulled), frames: 8)
    guard let controls = simulated.controls else { throw CamrecError(.defect, "no controls") }
    oddities = OddControls(controls, identity: identity, delay: delay, script: odd)
  }

  var name: String { "odd camera" }
  var format: CameraFormat { simulated.format }
  var warnings: [String] { [] }
  var controls: (any CameraControls)? { oddities }

  func start() throws(CamrecError) { try simulated.start() }
  func next() throws(CamrecError) -> CameraEvent { try simulated.next() }
  func stop() { simulated.stop() }
}

final class OddControls: CameraControls {
  /// What is other than in the simulated camera.
  struct Script: Sendable {
    /// What the camera makes of a number, instead of what it was told.
    var taken: @Sendable (CameraControl, Double) -> Double = { $1 }
    /// Thrown instead of setting, from the second setting on.
    var failure: CamrecError?
    var offer: @Sendable (ControlOffer) -> ControlOffer? = { $0 }
    /// What it reads back.
    var value: @Sendable (CameraControl) -> ControlValue? = { _ in nil }
  }

  let name = "odd camera"
  let identity: String
  let delay: Int?
  let answersAtOnce = true
  private let controls: any CameraControls
  private let script: Script
  private let settings = Atomic(0)

  init(_ controls: any CameraControls, identity: String, delay: Int?, script: Script) {
    self.controls = controls
    self.identity = identity
    self.delay = delay
    self.script = script
  }

  func offers() throws(CamrecError) -> [ControlOffer] { try controls.offers().compactMap(script.offer) }

  func value(of control: CameraControl) throws(CamrecError) -> ControlValue {
    if let value = script.value(control) { return value }
    return try controls.value(of: control)
  }

  func set(_ control: CameraControl, to value: ControlValue) throws(CamrecError) -> ControlValue {
    // Time and gain are set once at the start.
    if let failure = script.failure, settings.add(1, ordering: .relaxed).newValue > 2 { throw failure }
    guard case .number(let number) = value else { return try controls.set(control, to: value) }
    return try controls.set(control, to: .number(script.taken(control, number)))
  }

  func changes() throws(CamrecError) -> [ControlChange] { [] }
  func restore() { controls.restore() }
}

import Cameras
import Frames

/// A camera whose frames are metered or kept at exposures that are set for them: opened, started and, at the end,
/// restored.
///
/// Thread: one at a time.
struct MeteredCamera {
  private let camera: any Camera
  private let converter: (any ImageConverter)?
  private let isStopped: () -> Bool

  /// - Parameters:
  ///   - converter: required if the camera's images are encoded.
  ///   - isStopped: asked before each frame; if true, `ExposedStream` throws code `interrupted`.
  init(_ camera: any Camera, _ converter: (any ImageConverter)?, isStopped: @escaping () -> Bool) {
    self.camera = camera
    self.converter = converter
    self.isStopped = isStopped
  }

  var name: String { camera.name }
  var format: CameraFormat { camera.format }

  /// The camera's calibration on this machine; `nil` if there is none.
  var calibration: GainCalibration? { camera.controls.flatMap { GainCalibration.kept(identity: $0.identity) } }

  /// Calls `body` with the camera's exposure in manual mode. Afterwards, even after an error, a camera that was started
  /// is stopped, and its settings are restored.
  ///
  /// - Parameters:
  ///   - baseISO: the ISO of the lowest gain, for a camera that reports no ISO.
  ///   - calibration: of the gain.
  ///   - refusal: the sentence for a camera whose exposure time cannot be set.
  /// - Throws: code `device` if the exposure time cannot be set, or the camera does not answer; and the errors of
  ///   `body`.
  func opened<Result>(
    baseISO: Double, calibration: GainCalibration?, refusal: @autoclosure () -> String,
    _ body: (Opened) throws(CamrecError) -> Result
  ) throws(CamrecError) -> Result {
    guard let controls = camera.controls,
      let device = try ExposureDevice.open(controls, baseISO: baseISO, calibration: calibration)
    else { throw CamrecError(.device, refusal()) }
    let opened = Opened(self, controls, device, calibration)
    defer { opened.restore() }
    return try body(opened)
  }

  /// A camera in manual exposure.
  final class Opened {
    let controls: any CameraControls
    let device: ExposureDevice
    private let camera: MeteredCamera
    private let calibration: GainCalibration?
    private var isStarted = false

    fileprivate init(
      _ camera: MeteredCamera, _ controls: any CameraControls, _ device: ExposureDevice, _ calibration: GainCalibration?
    ) {
      self.camera = camera
      self.controls = controls
      self.device = device
      self.calibration = calibration
    }

    /// Starts the camera; once.
    ///
    /// - Parameter delay: frames until a setting shows; `nil`: what the camera reports or its calibration says.
    /// - Throws: code `device` if it does not start.
    func start(delay: Int? = nil) throws(CamrecError) -> ExposedStream {
      try camera.camera.start()
      isStarted = true
      return ExposedStream(
        camera.camera, camera.converter, device,
        delay: delay ?? controls.delay ?? calibration?.delay ?? ExposureService.usualDelay, isStopped: camera.isStopped)
    }

    fileprivate func restore() {
      if isStarted { camera.camera.stop() }
      controls.restore()
    }
  }
}

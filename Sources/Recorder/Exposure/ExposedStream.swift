import Cameras
import Exposure
import Frames

/// A camera's frames after its exposure was set, without those taken with an older setting or during the change.
///
/// Thread: one at a time; the camera is started.
final class ExposedStream {
  private let camera: any Camera
  private let converter: (any ImageConverter)?
  private let device: ExposureDevice
  private let delay: Int
  private let isStopped: () -> Bool
  private var meter: Meter?

  /// Frames that may lie in the camera's buffers, taken before the present setting.
  private static let held = 6
  /// Frames to wait for a setting beyond the camera's delay.
  private static let patience = 48
  /// How often in a row nothing may come, for at most about 100 ms each time.
  private static let silence = 100
  /// EV by which a frame may differ from what the change of exposure predicts.
  private static let tolerance = 0.25

  /// - Parameter isStopped: asked before each frame; if true, `next` throws code `interrupted`.
  init(
    _ camera: any Camera, _ converter: (any ImageConverter)?, _ device: ExposureDevice, delay: Int,
    isStopped: @escaping () -> Bool
  ) {
    self.camera = camera
    self.converter = converter
    self.device = device
    self.delay = delay
    self.isStopped = isStopped
  }

  /// Sets the exposure and waits until the camera reports it and two frames in a row show it.
  ///
  /// - Returns: the setting that the camera reports.
  /// - Throws: code `device` if it cannot be set, or does not show within two seconds of frames.
  func expose(_ setting: ExposureSetting) throws(CamrecError) -> ExposureSetting {
    for _ in 0..<ExposedStream.held { _ = try next() }
    let before = try device.current(), first = try level()
    // Unchanged values are not set again: with many numbers in a control, the account knows only some.
    let answer = try device.apply(setting, before: before)
    let change = answer.exposureStops.ev - before.exposureStops.ev
    for _ in 0..<ExposedStream.held + delay { _ = try next() }
    var last = try level()
    for _ in 0..<ExposedStream.patience {
      let now = try level()
      // If a frame before or after the change clips or drowns, only a steady level can be checked.
      let shows =
        first.isBlind || now.isBlind || abs(now.ev - first.ev - change) < ExposedStream.tolerance + 0.1 * abs(change)
      if shows, abs(now.ev - last.ev) < ExposedStream.tolerance, try isSet(answer) { return answer }
      last = now
    }
    throw CamrecError(
      .device, "\(camera.name) reports an exposure that its frames do not show; nothing was kept")
  }

  /// Sets a control. A busy camera sometimes takes too long to answer, so this tries four times, with a frame between
  /// tries.
  ///
  /// - Throws: the errors of `controls` and of `reading`.
  func set(_ control: CameraControl, _ number: Double, by controls: any CameraControls) throws(CamrecError) {
    for _ in 0..<3 {
      do throws(CamrecError) {
        try controls.set(control, to: .number(number))
        return
      } catch {
        if error.code != .device { throw error }
        _ = try reading()
      }
    }
    try controls.set(control, to: .number(number))
  }

  /// The next frame.
  ///
  /// - Throws: code `device` if the camera ends or fails, code `interrupted`.
  func next() throws(CamrecError) -> Frame {
    var waits = 0
    while true {
      if isStopped() { throw CamrecError(.interrupted, "interrupted; restored the settings of \(camera.name)") }
      switch try camera.next() {
      case .frame(let captured):
        switch captured.takeImage() {
        case .frame(let frame): return frame
        case .encoded(let image):
          guard let converter else { throw CamrecError(.defect, "an encoded image arrived, but there is no converter") }
          do throws(CamrecError) {
            return try converter.convert(image)
          } catch {
            // A camera's first images are often broken.
            guard error.code == .device, waits < ExposedStream.silence else { throw error }
            waits += 1
          }
        }
      case .damaged: continue
      case .nothing:
        waits += 1
        guard waits < ExposedStream.silence else {
          throw CamrecError(.device, "\(camera.name) delivers no frames; unplug it and plug it in again")
        }
      case .ended: throw CamrecError(.device, "\(camera.name) ended")
      }
    }
  }

  private func isSet(_ setting: ExposureSetting) throws(CamrecError) -> Bool {
    let now = try device.current()
    return (now.exposureStops - setting.exposureStops).magnitude <= Stops(0.02)
  }

  /// The average brightness of the next frame.
  func reading() throws(CamrecError) -> MeterReading {
    let frame = try next()
    if meter == nil { meter = Meter(format: frame.format, mode: .average) }
    guard let reading = meter?.read(frame) else { preconditionFailure("a meter was made") }
    return reading
  }

  private func level() throws(CamrecError) -> (ev: Double, isBlind: Bool) {
    let reading = try reading()
    let blind = reading.clipped * 10 > MeterReading.whole || reading.crushed * 10 > MeterReading.whole
    return (reading.level.ev, blind)
  }
}

import Cameras
import Exposure
import Frames

/// A camera's pictures after its exposure was set: none that was taken with an older setting, or while it changed.
///
/// Thread: one at a time; the camera is started.
final class ExposedStream {
  private let camera: any Camera
  private let converter: (any ImageConverter)?
  private let device: ExposureDevice
  private let delay: Int
  private let isStopped: () -> Bool
  private var meter: Meter?

  /// Pictures that may lie in the camera's buffers, taken before whatever is set now.
  private static let held = 6
  /// Pictures that a setting is waited for beyond the camera's delay.
  private static let patience = 48
  /// Times that nothing may come, each at most about 100 ms.
  private static let silence = 100
  /// EV that a picture may be from what the change of exposure makes of the one before.
  private static let tolerance = 0.25

  /// - Parameter isStopped: asked before each picture; then `next` throws code `interrupted`.
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

  /// Sets the exposure and waits until the camera reads it back and two pictures in a row show it.
  ///
  /// - Returns: what the camera reads back.
  /// - Throws: code `device` where it cannot be set, or does not show in two seconds of pictures.
  func expose(_ setting: ExposureSetting) throws(CamrecError) -> ExposureSetting {
    for _ in 0..<ExposedStream.held { _ = try next() }
    let before = try device.current(), first = try level()
    // What is as it was is not set again: of a control of many numbers the account knows only some.
    let answer = try device.apply(setting, before: before)
    let change = answer.exposureStops.ev - before.exposureStops.ev
    for _ in 0..<ExposedStream.held + delay { _ = try next() }
    var last = try level()
    for _ in 0..<ExposedStream.patience {
      let now = try level()
      // A picture that clips or drowns before or after says little; then rest is all there is to be seen.
      let shows =
        first.isBlind || now.isBlind || abs(now.ev - first.ev - change) < ExposedStream.tolerance + 0.1 * abs(change)
      if shows, abs(now.ev - last.ev) < ExposedStream.tolerance, try isSet(answer) { return answer }
      last = now
    }
    throw CamrecError(
      .device, "\(camera.name) says that it is set to an exposure that its pictures do not show; nothing of it was kept"
    )
  }

  /// Cameras that are busy with their pictures let a control wait too long now and then: it is tried four times, a
  /// picture after each.
  ///
  /// - Throws: as `controls` does, and as `reading`.
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

  /// The next picture.
  ///
  /// - Throws: code `device` where the camera ends or fails, code `interrupted`.
  func next() throws(CamrecError) -> Frame {
    var waits = 0
    while true {
      if isStopped() { throw CamrecError(.interrupted, "interrupted; \(camera.name) is as it was found") }
      switch try camera.next() {
      case .frame(let captured):
        switch captured.takeImage() {
        case .frame(let frame): return frame
        case .encoded(let image):
          guard let converter else { throw CamrecError(.defect, "an encoded image, and nothing to convert it") }
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
          throw CamrecError(.device, "\(camera.name) delivers no pictures; unplug it and plug it in again")
        }
      case .ended: throw CamrecError(.device, "\(camera.name) ended")
      }
    }
  }

  private func isSet(_ setting: ExposureSetting) throws(CamrecError) -> Bool {
    let now = try device.current()
    return (now.exposureStops - setting.exposureStops).magnitude <= Stops(0.02)
  }

  /// How bright the next picture is on average.
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

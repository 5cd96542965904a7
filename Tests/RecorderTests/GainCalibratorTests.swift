import Cameras
import Foundation
import Frames
import Recorder
import Testing

/// What a gain comes to in EV, measured on the simulated camera, which knows: 60.2 of its tenths of a decibel are a
/// stop.
@Suite struct GainCalibratorTests {
  private static func camera(_ options: String) throws -> SimulatedCamera {
    try SimulatedCamera(
      SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,\(options)"),
      request: CameraRequest(width: 160, height: 90, frameRate: FrameRate(Rational(24)), pixelFormat: "nv12"),
      clock: SimulatedClock(pace: .pulled), frames: 2)
  }

  @Test(arguments: 1...5, ["rec709", "apple-log"])
  func gainAndDelayAreFound(delay: Int, transfer: String) throws {
    let camera = try Self.camera("sensitivity=gain,delay=\(delay),transfer=\(transfer)")
    let controls = try #require(camera.controls)
    let before = try controls.value(of: .gain)
    let calibration = try GainCalibrator(camera, converter: nil).measure()
    #expect(calibration.delay == delay)
    // Where noise fills the shadows, from ISO 800 on, the mean of its logarithm lies lower.
    for point in calibration.points where point.number < 300 {
      #expect(abs(point.ev - point.number / 60.206) < 0.12, "\(point)")
    }
    #expect(calibration.points.first?.number == 0 && calibration.points.count > 8)
    #expect(try controls.value(of: .gain) == before, "the camera is as it was found")
  }

  /// Of a gain that multiplies, and of one that counts tenths of a decibel.
  @Test(arguments: [true, false]) func whatWasNotSeenGoesOnLikeTheRest(multiplies: Bool) throws {
    func ev(_ number: Double) -> Double { multiplies ? log2(number / 4) : (number - 4) / 60.2 }
    let points = [4, 7, 12, 20, 34].map { GainCalibration.Point(number: $0, ev: ev($0)) }
    let measured = try #require(GainCalibration(points: points, delay: 2))
    let extended = measured.extended(to: 255)
    #expect(Array(extended.points.prefix(5)) == points && extended.points.last?.number == 255)
    for point in extended.points { #expect(abs(point.ev - ev(point.number)) < 0.01, "\(point)") }
    #expect(measured.extended(to: 34) == measured && measured.extended(to: 20) == measured)
    let lower = measured.extended(down: [1, 2])
    #expect(lower.points.map(\.number) == [1, 2, 4, 7, 12, 20, 34] && lower.points[0].ev == 0)
    for point in lower.points { #expect(abs(point.ev - ev(point.number) + ev(1)) < 0.01, "\(point)") }
    #expect(measured.extended(down: [0, 2]) == measured && measured.extended(down: [5]) == measured)
  }

  @Test func itIsKeptByTheCamerasIdentity() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gain-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let points = [GainCalibration.Point(number: 0, ev: 0), GainCalibration.Point(number: 255, ev: 3.5)]
    let calibration = try #require(GainCalibration(points: points, delay: 2))
    let identity = "usb/046d:0825 \"…\"/../.."
    #expect(GainCalibration.kept(identity: identity, folder: folder) == nil)
    try calibration.keep(identity: identity, folder: folder)
    #expect(GainCalibration.kept(identity: identity, folder: folder) == calibration)
    #expect(GainCalibration.kept(identity: "another", folder: folder) == nil)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.count == 1)
    try Data("{\"points\":[{\"number\":1,\"ev\":0}],\"delay\":2}".utf8).write(
      to: URL(fileURLWithPath: folder + "/" + files[0]))
    #expect(GainCalibration.kept(identity: identity, folder: folder) == nil, "one point is no scale")
  }

  @Test(arguments: [([0.0, 1, 2], 2), ([0, 2, 1], 0), ([0], 0)])
  func pointsRise(evs: [Double], count: Int) {
    let points = evs.enumerated().map { GainCalibration.Point(number: Double($0.offset), ev: $0.element) }
    #expect((GainCalibration(points: points, delay: 1) != nil) == (count > 0))
    #expect(GainCalibration(points: points, delay: 0) == nil)
  }

  @Test(arguments: [
    ("sensitivity=iso", "there is nothing to calibrate: simulated camera reports ISO, so its EV are known"),
    ("sensitivity=thirds", "there is nothing to calibrate: simulated camera reports ISO, so its EV are known"),
    (
      "sensitivity=fixed",
      "cannot calibrate simulated camera: its exposure time and its gain cannot both be set"
    ),
  ])
  func whatHasNoGainIsRefused(options: String, sentence: String) throws {
    let camera = try Self.camera(options)
    let error = #expect(throws: CamrecError.self) { try GainCalibrator(camera, converter: nil).measure() }
    #expect(error?.message == sentence)
  }

  @Test func lightThatChangesIsSaid() throws {
    let script = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt").path
    // Between the first two levels of 12 frames each.
    try "light 22 1.5".write(toFile: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: script) }
    let camera = try Self.camera("sensitivity=gain,light=0.3,faults=\(script)")
    let error = #expect(throws: CamrecError.self) { try GainCalibrator(camera, converter: nil).measure() }
    #expect(error?.message.hasPrefix("the light changed while simulated camera was calibrated") == true)
  }

  @Test func aCoveredLensIsSaid() throws {
    let script = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt").path
    try "light 0 0.001".write(toFile: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: script) }
    let camera = try Self.camera("sensitivity=gain,light=0.001,faults=\(script)")
    let error = #expect(throws: CamrecError.self) { try GainCalibrator(camera, converter: nil).measure() }
    #expect(
      error?.message == "the frames of simulated camera do not get brighter with its gain; is the lens covered?")
  }
}

import Cameras
import Color
import Foundation
import Frames
import Testing

/// What is set on a simulated camera shows in its pictures, and when.
@Suite struct SimulatedControlsTests {
  private static func camera(_ options: String = "") throws -> SimulatedCamera {
    let clock = SimulatedClock(pace: .pulled)
    let camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,\(options)"),
      request: CameraRequest(width: 160, height: 90, frameRate: FrameRate(Rational(24)), pixelFormat: "yuv422p10"),
      clock: clock, frames: 2)
    try camera.start()
    return camera
  }

  /// The next frame's mean of each component below the marks, and what it says it was taken with.
  private static func next(
    _ camera: SimulatedCamera
  ) throws -> (y: Double, cb: Double, cr: Double, exposure: ExposureRecord?) {
    while true {
      switch try camera.next() {
      case .frame(let captured):
        let exposure = captured.exposure
        guard case .frame(let frame) = captured.takeImage() else { throw CamrecError(.defect, "a raw frame") }
        func mean(_ plane: Int) -> Double {
          frame.withPlane(plane) { bytes in
            let codes = bytes.withMemoryRebound(to: UInt16.self) { Array($0.dropFirst($0.count / 4)) }
            return codes.reduce(0.0) { $0 + Double($1) } / Double(codes.count)
          }
        }
        return (mean(0), mean(1), mean(2), exposure)
      default: continue
      }
    }
  }

  // MARK: Exposure

  @Test(arguments: 1...5)
  func aSettingShowsAfterAsManyFramesAsTheOptionsSay(delay: Int) throws {
    let camera = try Self.camera("transfer=apple-log,delay=\(delay)")
    let controls = try #require(camera.controls)
    let before = (0..<3).map { _ in try? Self.next(camera) }.compactMap(\.self)
    #expect(before.count == 3)
    #expect(try controls.set(.iso, to: .number(200)) == .number(200))
    let after = try (0..<8).map { _ in try Self.next(camera) }
    // A stop is γ·876 codes of Apple Log: 75; what clips and lies below the curve's knee takes some of it.
    let rise = after.map { $0.y - before[2].y }
    #expect(rise.prefix(delay - 1).allSatisfy { abs($0) < 2 }, "\(rise)")
    #expect(rise.dropFirst(delay - 1).allSatisfy { $0 > 55 && $0 < 76 }, "\(rise)")
    #expect(after.map { $0.exposure?.iso.rounded() } == (0..<8).map { $0 < delay - 1 ? 100 : 200 })
  }

  @Test func timeAndSensitivityCountAlike() throws {
    let camera = try Self.camera("transfer=apple-log,delay=1")
    let controls = try #require(camera.controls)
    try controls.set(.iso, to: .number(400))
    try controls.set(.exposureTime, to: .number(1.0 / 192))
    let short = try Self.next(camera)
    #expect(short.exposure == ExposureRecord(exposureTime: 1.0 / 192, iso: 400, gainEV: 4))
    controls.restore()
    let found = try Self.next(camera)
    #expect(found.exposure?.exposureTime == 1.0 / 48 && found.exposure?.iso.rounded() == 100)
    #expect(abs(short.y - found.y) < 1.5)
  }

  @Test func aSettingBeforeTheFirstFrameIsTheFirstFrames() throws {
    let camera = try Self.camera("delay=5")
    try #require(camera.controls).set(.iso, to: .number(50))
    #expect(try Self.next(camera).exposure?.iso == 50)
  }

  @Test func sensitivitiesAreWhatTheOptionsSay() throws {
    let thirds = try #require(try Self.camera("sensitivity=thirds").controls)
    #expect(try thirds.set(.iso, to: .number(700)) == .number(640))
    #expect(try thirds.set(.iso, to: .number(12800)) == .number(12800))
    let gain = try #require(try Self.camera("sensitivity=gain").controls)
    #expect(try gain.value(of: .gain) == .number(120), "12 dB above ISO 25 is ISO 100")
    #expect(try !gain.offers().contains { $0.control == .iso })
    let camera = try Self.camera("sensitivity=gain,delay=1,transfer=apple-log")
    let before = try Self.next(camera)
    try #require(camera.controls).set(.gain, to: .number(180))
    let louder = try Self.next(camera)
    #expect(louder.y - before.y > 55 && louder.y - before.y < 76, "6 dB are a stop")
    #expect(louder.exposure == nil, "it does not tell its ISO")
  }

  @Test func exposureTimesHaveSteps_andEndWithTheFrame() throws {
    let controls = try #require(try Self.camera("time-step=100us").controls)
    let set = try controls.set(.exposureTime, to: .number(1.0 / 48))
    #expect(set == .number(0.0001 + 207 * 0.0001), "\(set)")
    let error = #expect(throws: CamrecError.self) { try controls.set(.exposureTime, to: .number(0.05)) }
    #expect(error?.code == .usage)
    #expect(error?.message == "exposure-time of simulated camera takes 0.0001 to 0.0416 s, not 0.05 s")
  }

  @Test(arguments: ["iso=400", "shutter=90deg", "sensitivity=fixed"])
  func whatTheOptionsFixCannotBeSet(options: String) throws {
    let camera = try Self.camera(options)
    let controls = try #require(camera.controls)
    #expect(try !controls.offers().contains { [.exposureTime, .iso, .gain].contains($0.control) })
    let error = #expect(throws: CamrecError.self) { try controls.set(.iso, to: .number(100)) }
    #expect(error?.code == .device && error?.message == "simulated camera has no iso; camrec uses its gain")
    #expect(try Self.next(camera).exposure == nil)
  }

  // MARK: Colour, light, focus

  @Test func aHigherColourTemperatureThanTheLightsMakesThePictureWarmer() throws {
    let camera = try Self.camera("delay=1")
    let controls = try #require(camera.controls)
    let ruled = #expect(throws: CamrecError.self) { try controls.set(.whiteBalance, to: .number(8000)) }
    #expect(
      ruled?.message
        == "white-balance of simulated camera is controlled by its auto-white-balance; set auto-white-balance=off "
        + "first, or with it")
    let balanced = try Self.next(camera)
    try controls.set(.autoWhiteBalance, to: .flag(false))
    let same = try Self.next(camera)
    #expect(abs(same.cr - balanced.cr) < 0.5 && abs(same.cb - balanced.cb) < 0.5, "5600 K under 5600 K")
    try controls.set(.whiteBalance, to: .number(8000))
    let warm = try Self.next(camera)
    #expect(warm.cr > balanced.cr + 3 && warm.cb < balanced.cb - 3)
    try controls.set(.whiteBalance, to: .number(3200))
    let cold = try Self.next(camera)
    #expect(cold.cr < balanced.cr - 3 && cold.cb > balanced.cb + 3)
    try controls.set(.whiteBalance, to: .number(5600))
    try controls.set(.tint, to: .number(1))
    let magenta = try Self.next(camera)
    #expect(magenta.cr > balanced.cr + 3 && magenta.cb > balanced.cb + 3)
  }

  @Test func theTorchIsLight() throws {
    let camera = try Self.camera("delay=1")
    let before = try Self.next(camera)
    try #require(camera.controls).set(.torch, to: .choice("on"))
    #expect(try Self.next(camera).y > before.y + 20)
  }

  @Test func focusIsLookedForHalfASecond_andIsFoundOrNot() throws {
    let camera = try Self.camera()
    let controls = try #require(camera.controls)
    _ = try Self.next(camera)
    try controls.set(.autofocus, to: .flag(false))
    for (point, state, distance) in [
      ((0.2, 0.9), "reached", 160.0), ((0.88, 0.505), "failed", 160), ((0.2, 0.2), "reached", 60),
    ] {
      try controls.set(.focusPoint, to: .point(x: point.0, y: point.1))
      try controls.set(.focusTrigger, to: .none)
      #expect(try controls.value(of: .focusState) == .choice("busy"))
      for _ in 0..<12 { _ = try Self.next(camera) }
      #expect(try controls.changes() == [])
      _ = try Self.next(camera)
      #expect(try controls.changes() == [ControlChange(.focusState, .choice(state))])
      #expect(try controls.value(of: .focusDistance) == .number(distance))
    }
  }

  // MARK: Bad input

  @Test func valuesOfAnotherKindAreSentences() throws {
    let controls = try #require(try Self.camera().controls)
    func refusal(_ control: CameraControl, _ value: ControlValue) -> String? {
      (#expect(throws: CamrecError.self) { try controls.set(control, to: value) })?.message
    }
    #expect(refusal(.iso, .flag(true)) == "iso of simulated camera takes 25 to 12800, not on")
    #expect(refusal(.iso, .number(.nan)) == "iso of simulated camera takes 25 to 12800, not nan")
    #expect(refusal(.torch, .choice("dim")) == "torch of simulated camera takes off, on, not dim")
    #expect(
      refusal(.focusPoint, .point(x: 1.5, y: 0))
        == "focus-point of simulated camera takes a point X,Y, each from 0 to 1, not 1.5,0")
    #expect(refusal(.focusState, .choice("idle")) == "focus-state of simulated camera can only be read")
    #expect(refusal(.zoom, .number(2)) == CameraControl.zoom.absence(on: "simulated camera"))
    #expect(refusal(.autofocus, .number(1)) == "autofocus of simulated camera takes on or off, not 1")
  }

  @Test func aControlThatItLacksIsNotOffered() throws {
    let controls = try #require(try Self.camera().controls)
    let error = #expect(throws: CamrecError.self) { try controls.set(.zoom, to: .number(2)) }
    #expect(error?.reason == .notOffered)
    // What it has instead is no reason to say that nobody can set it.
    for (change, remedy): (ControlChange, String) in [
      (ControlChange(.gain, .number(10)), "use iso if it has it"),
      (ControlChange(.exposureMode, .choice("manual")), "use exposure-time, and gain or iso, if it has them"),
    ] {
      let error = #expect(throws: CamrecError.self) { try controls.set([change]) }
      #expect(error?.message == "simulated camera has no \(change.control.rawValue); \(remedy)")
    }
    let several = #expect(throws: CamrecError.self) {
      try controls.set([ControlChange(.zoom, .number(2))])
    }
    #expect(several?.reason == .notOffered)
  }
}

import Cameras
import Exposure
import Foundation
import Frames
import Recorder
import RecorderAPI
import Testing

/// The exposure service in closed loop with the simulated camera.
@Suite struct ExposureServiceTests {
  /// A recording's exposure, frame by frame.
  private struct Run {
    var told: [ExposureRecord] = []
    var account: [ExposureRecord] = []
    var warnings: [String] = []
    var summary = ""
    var left: [ControlValue] = []
  }

  private static func run(
    _ options: String, exposure: ExposureOptions = ExposureOptions(), faults: String = "", rate: String = "24",
    frames: Int = 96
  ) throws -> Run {
    let script = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt").path
    try faults.write(toFile: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: script) }
    let camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "pace=pulled,physics=fast,faults=\(script),\(options)"),
      request: CameraRequest(width: 192, height: 108, frameRate: FrameRate(parsing: rate), pixelFormat: "nv12"),
      clock: SimulatedClock(pace: .pulled), frames: 2)
    let opened = try ExposureService.open(camera, options: exposure)
    var run = Run()
    run.warnings = opened.sentence.map { [$0] } ?? opened.service?.warnings ?? []
    run.summary = opened.service?.summary ?? ""
    let service = try #require(opened.service)
    try camera.start()
    var warnings: [String] = []
    while run.account.count < frames {
      switch try camera.next() {
      case .frame(let captured):
        let sequence = captured.sequence, told = captured.exposure
        let seen = captured.image.withFrame { frame in
          service.see(frame, sequence: sequence, told: nil) { warnings.append($0) }
        }
        run.account.append(try #require(seen))
        if let told { run.told.append(told) }
      case .ended: return run
      default: continue
      }
    }
    run.warnings += warnings
    service.close()
    let controls = try #require(camera.controls)
    run.left = try [.exposureTime, .iso].map { try controls.value(of: $0) }
    return run
  }

  // MARK: The loop

  /// The light's change, what the light is before it (so that the range of ISO has room), and the camera.
  private static let steps: [(factor: Double, light: Double)] = [
    (2, 0.25), (0.5, 0.25), (8, 0.0625), (0.125, 0.5), (64, 1.0 / 64), (1.0 / 64, 3.5),
  ]

  @Test(arguments: steps.indices, [1, 3, 5])
  func aStepOfLightIsMetWithinASecond(index: Int, delay: Int) throws {
    let (factor, light) = Self.steps[index]
    for sensitivity in ["iso", "thirds"] {
      let run = try Self.run(
        "light=\(light),sensitivity=\(sensitivity),delay=\(delay)", faults: "light 60 \(factor)", frames: 120)
      // Relative to what the light asks for: the ISO that it was met with before, over the factor.
      let before = log2(run.told[59].iso)
      let errors = run.told.dropFirst(60).map { log2($0.iso) - (before - log2(factor)) }
      let halfStep = sensitivity == "thirds" ? 1.0 / 6 : 0
      // A third of a stop may have been met from either side.
      let slack = 0.1 + 2 * halfStep
      #expect(errors.dropFirst(24).allSatisfy { abs($0) <= slack }, "\(sensitivity), \(factor): \(errors)")
      let overshoot = factor > 1 ? -(errors.min() ?? 0) : errors.max() ?? 0
      #expect(overshoot <= 0.15 + 2 * halfStep, "\(sensitivity), \(factor): \(overshoot)")
      #expect(run.told.allSatisfy { abs($0.exposureTime - 1.0 / 48) < 1e-9 }, "the angle is held")
    }
  }

  @Test func constantLightChangesNothing() throws {
    let run = try Self.run("light=0.1,seed=3", frames: 600)
    #expect(Set(run.told.dropFirst(24).map(\.iso)).count == 1)
  }

  @Test(arguments: ["23.976", "25", "29.97", "60", "120"])
  func theAngleIsHeldAtEveryRate(rate: String) throws {
    let run = try Self.run("light=0.1", rate: rate, frames: 40)
    let frame = try #require(FrameRate(parsing: rate)).frameDuration.doubleValue
    #expect(run.told.allSatisfy { abs($0.exposureTime / frame - 0.5) < 1e-6 })
  }

  /// 24 frames a second in steps of 100 µs, as of a webcam: 208 units.
  @Test func whatTheCameraReachesIsSaid() throws {
    let run = try Self.run("light=0.1,time-step=100us", frames: 4)
    #expect(run.told.allSatisfy { abs($0.exposureTime - 0.0208) < 1e-9 })
    #expect(run.summary == "1/48.1 s (179.71°), ISO follows the light", "no number: the first frame has another")
    let auto = try Self.run("light=0.1", exposure: ExposureOptions(mode: .auto), frames: 4)
    #expect(auto.summary == "exposure time and ISO follow the light")
    let locked = try Self.run("light=0.1", exposure: ExposureOptions(mode: .auto, isLocked: true), frames: 4)
    #expect(locked.summary == "exposure time and ISO are set to the light at the start, then locked")
    let whole = try Self.run("light=0.1", exposure: ExposureOptions(locksWhileRecording: true), frames: 4)
    #expect(whole.summary == "1/48 s (180.00°), ISO is set to the light at the start, then locked")
  }

  /// As info and the state say it.
  @Test(arguments: [
    ("29.97", "1/59.9 s (180.00°)"), ("59.94", "1/119.9 s (180.00°)"), ("23.976", "1/48 s (180.00°)"),
    ("30", "1/60 s (180.00°)"),
  ])
  func exposureTime_isNotRoundedToAnotherAngle(rate: String, time: String) throws {
    let run = try Self.run("light=0.1", rate: rate, frames: 4)
    #expect(run.summary == "\(time), ISO follows the light")
  }

  @Test(arguments: [
    (1.0 / 48, "1/48 s"), (1001.0 / 60_000, "1/59.9 s"), (1 / 1234.4, "1/1234 s"), (0.25, "1/4 s"), (0.5, "0.5 s"),
    (0, "0 s"), (2, "2 s"), (.infinity, "0 s"), (-1, "0 s"),
  ] as [(Double, String)])
  func exposureTime_inWords(seconds: Double, words: String) { #expect(TimeText.exposure(seconds) == words) }

  @Test func theAccountIsWhatTheCameraTells() throws {
    for delay in 1...5 {
      let run = try Self.run("light=0.25,delay=\(delay)", faults: "light 30 0.25", frames: 80)
      for (told, account) in zip(run.told, run.account) {
        #expect(abs(log2(told.iso / account.iso)) < 0.002 && abs(told.exposureTime - account.exposureTime) < 1e-8)
      }
    }
  }

  // MARK: Modes

  @Test func manualAndLockedDoNotFollow() throws {
    let manual = try Self.run(
      "", exposure: ExposureOptions(mode: .manual, angle: ShutterAngle(degrees: Rational(90)), iso: 400),
      faults: "light 10 4", frames: 40)
    #expect(Set(manual.told).count == 1 && abs(manual.told[0].iso - 400) < 0.5)
    #expect(abs(manual.told[0].exposureTime - 1.0 / 96) < 1e-8)
    let locked = try Self.run("", exposure: ExposureOptions(mode: .locked), faults: "light 10 4", frames: 40)
    #expect(Set(locked.told.map(\.iso)).count == 1 && abs(locked.told[0].iso - 100) < 0.1)
  }

  /// As before a restart, after which the camera has its own exposure time again.
  @Test func whatWasLockedBeginsWithItsAngle() throws {
    let angle = try ShutterAngle(degrees: Rational(90))
    let found = try Self.run("", exposure: ExposureOptions(mode: .locked, angle: angle), frames: 4)
    #expect(found.told.allSatisfy { abs($0.exposureTime - 1.0 / 96) > 1e-3 }, "the camera's own")
    let options = ExposureOptions(mode: .locked, angle: angle, locksWithAngle: true)
    let kept = try Self.run("", exposure: options, faults: "light 10 4", frames: 40)
    #expect(kept.told.allSatisfy { abs($0.exposureTime - 1.0 / 96) < 1e-8 })
    #expect(Set(kept.told.map(\.iso)).count == 1 && abs(kept.told[0].iso - 100) < 0.1, "the camera's own")
    let mains = try Self.run(
      "", exposure: ExposureOptions(mode: .locked, mains: .hz50, locksWithAngle: true), rate: "20", frames: 4)
    #expect(mains.told.allSatisfy { abs($0.exposureTime - 0.03) < 1e-8 }, "free of flicker, as it says")
    #expect(mains.summary.hasPrefix("1/33.3 s (216.00°), ISO "), "\(mains.summary)")
  }

  @Test func aLockHoldsWhatTheLightWasMetWith() throws {
    let run = try Self.run(
      "light=0.1", exposure: ExposureOptions(locksWhileRecording: true), faults: "light 48 3", frames: 120)
    #expect(abs(log2(run.told[40].iso / 100)) > 2, "the light was met")
    #expect(Set(run.told.dropFirst(40)).count == 1)
  }

  @Test func autoTakesTimeWhereGainEnds() throws {
    let run = try Self.run("light=40", exposure: ExposureOptions(mode: .auto), frames: 60)
    let last = try #require(run.told.last)
    #expect(last.iso < 25.1 && last.exposureTime < 1.0 / 96)
  }

  /// The whole frame is no whole number of nanoseconds at most rates.
  @Test(arguments: ["24", "23.976", "29.97", "60", "120"])
  func theWholeFrameCanBeExposed(rate: String) throws {
    let run = try Self.run(
      "light=0.1", exposure: ExposureOptions(angle: ShutterAngle(degrees: Rational(360))), rate: rate, frames: 30)
    let frame = try #require(FrameRate(parsing: rate)).frameDuration.doubleValue
    #expect(run.told.allSatisfy { $0.exposureTime <= frame * 1.000_001 && $0.exposureTime > frame * 0.999_99 })
  }

  /// In steps of 100 µs no time is longer than the frame: such a camera would lower its rate.
  @Test func coarseTimesStayWithinTheFrame() throws {
    let run = try Self.run(
      "light=0.002,time-step=100us", exposure: ExposureOptions(mode: .auto), rate: "60", frames: 120)
    #expect(run.told.allSatisfy { $0.exposureTime < 1.0 / 60 } && run.warnings.count == 1, "\(run.warnings)")
    #expect(abs(try #require(run.told.last).exposureTime - 0.0166) < 1e-9)
  }

  @Test func aTraceIsNotWrittenOverAnother_norBeforeTheCameraIsSet() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trace-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/a.trace", second = folder.path + "/a-2.trace"
    func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
    #expect(try ExposureTraceFile(path: path, overwrite: false).remark == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    try "kept".write(toFile: path, atomically: true, encoding: .utf8)
    let words = "'\(path)' already exists; the exposure trace is '\(second)'"
    for overwrite in [false, true] {
      #expect(try ExposureTraceFile(path: path, overwrite: overwrite).remark == words)
    }
    #expect(try text(path) == "kept" && !FileManager.default.fileExists(atPath: second))
    try "\(ExposureTrace.heading)\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try ExposureTraceFile(path: path, overwrite: true).remark == nil)
    #expect(try text(path) == "\(ExposureTrace.heading)\n", "before the camera is set")
    // Another recorder takes the name behind the look.
    let loop = try ExposureLoop("light=0.25", trace: path) {
      try "taken".write(toFile: path, atomically: true, encoding: .utf8)
    }
    for _ in 0..<2000 where loop.warnings.isEmpty { try loop.go(1) }
    loop.close()
    #expect(loop.warnings.first == words && loop.warnings.count == 1, "\(loop.warnings)")
    #expect(try text(path) == "taken" && text(second).hasPrefix(ExposureTrace.heading + "\n"))
    let foreign = #expect(throws: CamrecError.self) {
      try ExposureTraceFile(path: folder.path + "/a.MOV", overwrite: true)
    }
    #expect(foreign?.message.contains("a trace is text; choose another name for --exposure-trace") == true)
  }

  @Test func aTraceThatCannotBeWrittenOnIsSaidOnce() throws {
    let loop = try ExposureLoop("light=0.25", trace: "/dev/full")
    // Another thread writes: it is said behind the frame after.
    for _ in 0..<2000 where loop.warnings.isEmpty { try loop.go(1) }
    try loop.go(5)
    loop.close()
    #expect(loop.warnings.count == 1, "\(loop.warnings)")
    #expect(loop.warnings.first?.hasPrefix("cannot write the exposure trace '/dev/full' (") == true)
  }

  @Test func biasIsInEV() throws {
    let plain = try Self.run("light=0.1", frames: 48), brighter = try Self.run(
      "light=0.1", exposure: ExposureOptions(bias: Stops(1)), frames: 48)
    let difference = log2(try #require(brighter.told.last).iso / (try #require(plain.told.last).iso))
    #expect(abs(difference - 1) < 0.15, "\(difference)")
  }

  @Test func mainsMoveTheAngle() throws {
    let run = try Self.run("light=0.1", exposure: ExposureOptions(mains: .hz50), frames: 4)
    #expect(run.told.allSatisfy { abs($0.exposureTime - 0.02) < 1e-9 } && run.summary.contains("(172.80°)"))
    let none = try Self.run("light=0.1", exposure: ExposureOptions(mains: .hz50), rate: "120", frames: 4)
    #expect(none.warnings.count == 1 && none.warnings[0].contains("120"), "\(none.warnings)")
  }

  /// The mode is kept from run time, and the mains frequency is that of the rig file.
  @Test func anExposureTimeThatIsKept_isNotSaidToBeFreeOfFlicker() throws {
    let other = try Self.run("light=0.1", exposure: ExposureOptions(mode: .locked, mains: .hz50), frames: 4)
    #expect(other.summary == "1/48 s (180.00°), ISO 100, both fixed")
    let same = try Self.run(
      "light=0.1", exposure: ExposureOptions(mode: .locked, mains: .hz50), rate: "25", frames: 4)
    #expect(same.summary.hasPrefix("1/50 s (180.00°), ISO 104, both fixed; at 25 fps 180° is free of flicker"))
  }

  // MARK: What is said and left

  @Test func lightBeyondTheRangeIsSaidOnce() throws {
    let run = try Self.run("light=0.002", frames: 120)
    #expect(run.warnings.count == 1, "\(run.warnings)")
    #expect(
      run.warnings.first?.hasSuffix(
        "EV too dark at the highest gain of simulated camera; add light, or open the aperture") == true)
    #expect(try #require(run.told.last).iso > 12799)
  }

  /// Noise below black looks darker than the scene is.
  @Test(arguments: [0.00125, 0.001]) func lightThatIsMissing_isNoLessThanIsSaid(light: Double) throws {
    let grey = try #require(try Self.run("", frames: 96).told.last).iso
    let missing = log2(1 / light) - log2(12_800 / grey)
    let run = try Self.run("light=\(light)", frames: 120)
    let words = try #require(run.warnings.first).split(separator: " ")
    let place = try #require(words.firstIndex(of: "least")), said = try #require(Double(words[place + 1]))
    #expect(said > 1 && said <= missing + 0.05, "\(said) of \(missing)")
  }

  /// The dark frames say nothing of how far light reaches beyond a frame that clips.
  @Test func lightBeyondBothEndsIsSaidTwice_andNoMoreThanIsSeen() throws {
    let run = try Self.run("", faults: "light 30 0.001\nlight 90 500", frames: 180)
    try #require(run.warnings.count == 2, "\(run.warnings)")
    #expect(run.warnings[0].contains("EV too dark at the highest gain"))
    #expect(run.warnings[1].hasPrefix("the picture is at least 2."), "\(run.warnings[1])")
    #expect(run.warnings[1].contains("EV too bright at the lowest gain"))
    let bright = try Self.run("", faults: "light 90 500", frames: 180)
    #expect(bright.warnings.count == 1 && bright.warnings[0].hasPrefix("the picture is at least 2."))
  }

  @Test func everythingIsPutBack() throws {
    let run = try Self.run("light=0.1", exposure: ExposureOptions(angle: ShutterAngle(degrees: Rational(90))))
    #expect(run.left == [.number(1.0 / 48), .number(100.00000000000001)])
  }

  @Test func aCameraWithoutControlsIsSaid() throws {
    let camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "sensitivity=fixed,pace=pulled"), clock: SimulatedClock(pace: .pulled))
    let opened = try ExposureService.open(camera, options: ExposureOptions())
    #expect(opened.service == nil)
    #expect(
      opened.sentence == "simulated camera has no exposure-time; the camera sets its own exposure")
    let untouched = try ExposureService.open(camera, options: ExposureOptions(mode: .camera))
    #expect(untouched.service == nil && untouched.sentence == nil)
  }

  @Test func anISOBeyondTheCameraIsRefused_andTheCameraLeftAlone() throws {
    let camera = try SimulatedCamera(
      SimulatedCamera.Options(parsing: "pace=pulled"), clock: SimulatedClock(pace: .pulled))
    let error = #expect(throws: CamrecError.self) {
      try ExposureService.open(camera, options: ExposureOptions(mode: .manual, iso: 50_000))
    }
    #expect(error?.code == .usage)
    #expect(error?.message == "the camera has no ISO 50000; choose 25 to 12800")
    #expect(try #require(camera.controls).value(of: .exposureTime) == .number(1.0 / 48))
  }
}

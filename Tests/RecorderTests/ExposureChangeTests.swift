import Cameras
import Exposure
import Foundation
import Frames
import Recorder
import RecorderAPI
import Testing

/// What is changed while a camera is exposed, and what its mode does not leave to anybody.
@Suite struct ExposureChangeTests {
  // MARK: Rules

  private static let refusals: [(ExposureOptions, ExposureChange, String)] = [
    (
      ExposureOptions(), .lock(true),
      "the exposure cannot be locked or unlocked in shutter-priority; choose auto"
    ),
    (
      ExposureOptions(), .lock(false),
      "the exposure cannot be locked or unlocked in shutter-priority; choose auto"
    ),
    (
      ExposureOptions(mode: .manual), .lock(true),
      "the exposure cannot be locked or unlocked: --exposure manual holds the exposure already"
    ),
    (
      ExposureOptions(mode: .locked), .lock(false),
      "the exposure cannot be locked or unlocked: --exposure locked holds the exposure already"
    ),
    (
      ExposureOptions(mode: .camera), .lock(true),
      "the exposure cannot be locked or unlocked: --exposure camera leaves everything to the camera"
    ),
    (
      ExposureOptions(mode: .auto, locksWhileRecording: true), .lock(true),
      "the exposure cannot be locked or unlocked: --lock-exposure-while-recording holds it already"
    ),
    (
      ExposureOptions(locksWhileRecording: true), .lock(false),
      "the exposure cannot be locked or unlocked: --lock-exposure-while-recording holds it already"
    ),
    (
      ExposureOptions(), .iso(400),
      "an ISO speed cannot be set: --exposure shutter-priority lets ISO follow the light; choose manual"
    ),
    (
      ExposureOptions(mode: .auto), .iso(400),
      "an ISO speed cannot be set: --exposure auto lets ISO follow the light; choose manual"
    ),
    (
      ExposureOptions(mode: .manual), .iso(0), "an ISO speed must be 1 to 10000000, not 0.0"
    ),
    (
      ExposureOptions(mode: .manual), .bias(Stops(1)),
      "an offset in EV cannot be set: --exposure manual does not follow the light; choose auto or shutter-priority"
    ),
    (ExposureOptions(), .bias(Stops(17)), "an offset in EV must be -16 to 16, not 17.0"),
    (
      ExposureOptions(mode: .locked), .metering(.average),
      "the metering cannot be set: --exposure locked does not follow the light; choose auto or shutter-priority"
    ),
    (
      ExposureOptions(), .metering(.spot(x: 0.5, y: 1.5)),
      "a spot is X,Y, each from 0 (left, top) to 1 (right, bottom), as in 0.5,0.25, not 0.5,1.5"
    ),
    (
      ExposureOptions(mode: .locked), .angle(.standard),
      "a shutter angle cannot be set: --exposure locked keeps the exposure time as it is"
    ),
    (
      ExposureOptions(mode: .camera), .angle(.standard),
      "a shutter angle cannot be set: --exposure camera leaves everything to the camera"
    ),
  ]

  @Test(arguments: refusals.indices)
  func whatAModeLeavesToNobodyIsRefused(index: Int) {
    let (options, change, sentence) = Self.refusals[index]
    var changed = options
    let error = #expect(throws: CamrecError.self) { try changed.apply(change) }
    #expect(error?.code == .usage && error?.message == sentence)
    #expect(changed == options, "after a refusal everything is as it was")
  }

  @Test func whatAModeHadForItselfGoesWithIt() throws {
    var options = ExposureOptions(mode: .auto)
    try options.apply(.lock(true))
    #expect(options.isLocked)
    try options.apply(.mode(.manual))
    try options.apply(.iso(400))
    #expect(!options.isLocked && options.iso == 400)
    try options.apply(.mode(.shutterPriority))
    #expect(options.iso == nil)
  }

  /// They count once the mode is another one.
  @Test(arguments: ExposureOptions.Mode.allCases)
  func whatTheModeDoesNotUseIsRestoredAllTheSame(mode: ExposureOptions.Mode) throws {
    let angle = try ShutterAngle(degrees: Rational(90))
    var options = ExposureOptions(mode: mode)
    for change in [ExposureChange.angle(angle), .bias(Stops(1)), .metering(.average)] { try options.restore(change) }
    let restored = ExposureOptions(mode: mode, angle: angle, bias: Stops(1), metering: .average)
    #expect(options == restored)
    #expect(throws: CamrecError.self) { try options.restore(.bias(Stops(17))) }
    #expect(options == restored)
  }

  /// It was for the start.
  @Test(arguments: [ExposureOptions.Mode.auto, .locked]) func aModeEndsALockWithTheAngle(
    mode: ExposureOptions.Mode
  ) throws {
    var options = ExposureOptions(mode: .locked, locksWithAngle: true)
    try options.apply(.mode(mode))
    #expect(options == ExposureOptions(mode: mode))
  }

  // MARK: While it records

  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).trace").path

  /// EV between the brightness of two frames.
  private static func ev(_ a: ExposureRecord, _ b: ExposureRecord) -> Double {
    abs(log2(a.iso * a.exposureTime / (b.iso * b.exposureTime)))
  }

  private func isReplayed() throws -> Bool {
    var replay = ExposureReplay(name: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for line in text.split(separator: "\n") { try replay.take(String(line)) }
    try replay.finish(isCut: !text.hasSuffix("\n"))
    return replay.difference == nil && replay.decisions > 100
  }

  /// Every kind of change, one after the other: each is in force after the camera's delay, and the trace has them all.
  @Test(arguments: [1, 2, 5])
  func everythingCanBeChanged(delay: Int) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let loop = try ExposureLoop("light=0.25,delay=\(delay)", trace: path)
    try loop.go(24)
    let met = try loop.last()
    func shows(_ change: ExposureChange, after frames: Int = 1) throws -> ExposureRecord {
      try loop.service.change(change)
      // It is taken on behind the next frame, and shows as many frames later.
      try loop.go(1)
      let before = try loop.last()
      try loop.go(delay - 1)
      #expect(Self.ev(try loop.last(), before) < 0.05, "nothing changes before the camera can show it")
      try loop.go(frames)
      return try loop.last()
    }
    let narrow = try shows(.angle(ShutterAngle(degrees: Rational(90))))
    #expect(abs(narrow.exposureTime - 1.0 / 96) < 1e-8)
    #expect(abs(log2(narrow.iso / met.iso) - 1) < 0.05, "as bright as before, with the new angle's time at once")
    let brighter = try shows(.bias(Stops(1)), after: 24)
    #expect(abs(log2(brighter.iso / narrow.iso) - 1) < 0.1)
    let manual = try shows(.mode(.manual))
    #expect(Self.ev(manual, brighter) < 0.05 && manual.exposureTime == brighter.exposureTime)
    #expect(abs(try shows(.iso(400)).iso - 400) < 0.5)
    #expect(loop.service.status.mode == "manual" && loop.service.status.state == .held)
    let automatic = try shows(.mode(.auto), after: 24)
    #expect(Self.ev(automatic, brighter) < 0.15)
    let spot = try shows(.metering(.spot(x: 0.9, y: 0.5)), after: 24)
    #expect(Self.ev(spot, automatic) > 0.3)
    #expect(loop.service.status.metering == "spot:0.9,0.5")
    loop.close()
    #expect(try isReplayed())
    #expect(loop.warnings == [])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & ~0o640 } == 0, "others may read the trace")
  }

  @Test func theOrdinaryLockHoldsTimeAndGain_untilItIsOpened() throws {
    let script = path + ".faults"
    try "light 40 4".write(toFile: script, atomically: true, encoding: .utf8)
    defer {
      for file in [path, script] { try? FileManager.default.removeItem(atPath: file) }
    }
    let loop = try ExposureLoop(
      "light=0.1,faults=\(script)", exposure: ExposureOptions(mode: .auto), trace: path)
    try loop.go(30)
    try loop.service.change(.lock(true))
    try loop.go(40)
    #expect(Set(loop.told.dropFirst(30)).count == 1 && loop.service.status.isLocked)
    let held = try loop.last()
    let idle: [(ExposureChange, String)] = [
      (.bias(Stops(1)), "an offset in EV"), (.metering(.average), "the metering"),
    ]
    for (change, what) in idle {
      let error = #expect(throws: CamrecError.self) { try loop.service.change(change) }
      #expect(error?.message == "\(what) has no effect while the exposure is locked; unlock it first")
    }
    #expect(loop.service.options.bias == .zero)
    try loop.service.change(.lock(false))
    try loop.go(40)
    let open = try loop.last()
    #expect(abs(log2(open.iso * open.exposureTime / (held.iso * held.exposureTime)) + 2) < 0.2)
    #expect(!loop.service.status.isLocked)
    loop.close()
    #expect(try isReplayed())
  }

  @Test func whatTheCameraCannotDoIsRefusedAtOnce_andNothingChanges() throws {
    let loop = try ExposureLoop("", exposure: ExposureOptions(mode: .manual, iso: 200))
    try loop.go(4)
    let error = #expect(throws: CamrecError.self) { try loop.service.change(.iso(50_000)) }
    #expect(error?.code == .usage)
    #expect(error?.message == "the camera has no ISO 50000; choose 25 to 12800")
    let camera = #expect(throws: CamrecError.self) { try loop.service.change(.mode(.camera)) }
    #expect(
      camera?.message
        == "cannot give the exposure back to the camera while recording; stop, and start with --exposure camera"
    )
    try loop.go(10)
    #expect(Set(loop.told).count == 1 && abs(loop.told[0].iso - 200) < 0.5)
    #expect(loop.service.options.iso == 200 && loop.service.options.mode == .manual)
    loop.close()
  }

  /// From other threads, as fast as they can: frames go on, and the last one wins.
  @Test func changesFromOtherThreadsKeepNoFrameWaiting() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let loop = try ExposureLoop("light=0.25", trace: path)
    let service = loop.service
    let done = DispatchGroup()
    for thread in 0..<3 {
      DispatchQueue.global().async(group: done) {
        for step in 0..<200 {
          try? service.change(.bias(Stops(Double((step + thread) % 5) / 2 - 1)))
          _ = service.status
        }
      }
    }
    try loop.go(100)
    done.wait()
    try service.change(.bias(.zero))
    try loop.go(60)
    let plain = try ExposureLoop("light=0.25")
    try plain.go(160)
    #expect(abs(log2(try loop.last().iso / (try plain.last().iso))) < 0.15)
    loop.close()
    plain.close()
    #expect(try isReplayed())
  }

  @Test func theStatusIsThatOfTheLastFrame() throws {
    let loop = try ExposureLoop("light=0.002,time-step=100us", exposure: ExposureOptions(bias: Stops(0.5)))
    try loop.go(60)
    let status = loop.service.status, last = try loop.last()
    #expect(status.mode == "shutter-priority" && status.state == .limited && status.missingEV > 0.5)
    #expect(abs(status.exposureTime - last.exposureTime) < 1e-8 && abs(log2(status.iso / last.iso)) < 0.002)
    #expect(status.shutterAngle == 180 && abs(status.reachedShutterAngle - 179.712) < 0.001)
    #expect(status.bias == 0.5 && status.metering == "centre" && !status.isLocked && status.isCalibrated)
    #expect(abs(status.gain - 9) < 0.002, "ISO 25 to 12800 are nine stops")
    loop.close()
  }

  /// Under lamps on 50 Hz, 10 and 20 ms are free of flicker.
  @Test(arguments: [ExposureOptions.Mode.shutterPriority, .auto])
  func theStatusHasTheAngleThatWasSet_andTheOneThatApplies(mode: ExposureOptions.Mode) throws {
    let loop = try ExposureLoop("light=0.25", exposure: ExposureOptions(mains: .hz50))
    try loop.go(30)
    try loop.service.change(.mode(mode))
    try loop.go(10)
    #expect(loop.service.status.shutterAngle == 180 && abs(loop.service.status.reachedShutterAngle - 172.8) < 0.1)
    try loop.service.change(.angle(try ShutterAngle(parsing: "45")))
    try loop.go(30)
    let status = loop.service.status
    #expect(status.shutterAngle == 45 && abs(status.reachedShutterAngle - 86.4) < 0.1, "\(status)")
    loop.close()
  }

  /// In standby the camera may be set long before its film begins.
  @Test func theSummaryOfAFilmThatBeginsNow_hasEveryChange() throws {
    let loop = try ExposureLoop("light=0.1", exposure: ExposureOptions(mode: .auto))
    try loop.go(30)
    #expect(loop.service.presentSummary == "exposure time and ISO follow the light")
    try loop.service.change(.lock(true))
    try loop.go(2)
    let locked = loop.service.presentSummary
    #expect(locked.hasPrefix("1/48 s (180.00°), ISO ") && locked.hasSuffix(", locked"), "\(locked)")
    try loop.service.change(.mode(.shutterPriority))
    try loop.go(2)
    #expect(loop.service.presentSummary == "1/48 s (180.00°), ISO follows the light")
    loop.close()
  }

  // MARK: Another rate

  /// The angle's time is that of the new rate from its first frame on, which is as bright as the last one before.
  @Test(arguments: [("24", "48"), ("48", "24"), ("25", "29.97")])
  func anotherRateHasItsOwnTime_andIsAsBright(from: String, to: String) throws {
    let old = try ExposureLoop("light=0.2", rate: from)
    try old.go(48)
    try old.service.change(.bias(Stops(-0.5)))
    try old.go(48)
    let (options, setting, before) = (old.service.options, old.service.setting, try old.last())
    old.close()
    let new = try ExposureLoop("light=0.2", exposure: options, rate: to, startingFrom: setting)
    try new.go(12)
    let frame = try #require(FrameRate(parsing: to)).frameDuration.doubleValue
    #expect(new.told.allSatisfy { abs($0.exposureTime / frame - 0.5) < 1e-6 }, "no frame has a stale angle")
    let brightness = new.told.map { log2($0.iso * $0.exposureTime / (before.iso * before.exposureTime)) }
    #expect(brightness.allSatisfy { abs($0) < 0.1 }, "\(brightness)")
    new.close()
  }

  @Test func theRecordingsLockSurvivesAnotherRate() throws {
    let script = path + ".faults"
    // The light of the second film changes when its lock is to have closed.
    try "light 30 4".write(toFile: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: script) }
    let old = try ExposureLoop("light=0.2", exposure: ExposureOptions(locksWhileRecording: true))
    try old.go(48)
    #expect(old.service.status.isLocked)
    let refusal = #expect(throws: CamrecError.self) { try old.service.change(.bias(Stops(1))) }
    #expect(
      refusal?.message
        == "an offset in EV has no effect now: --lock-exposure-while-recording has locked the exposure")
    let (options, setting) = (old.service.options, old.service.setting)
    old.close()
    let new = try ExposureLoop("light=0.4,faults=\(script)", exposure: options, rate: "30", startingFrom: setting)
    try new.go(28)
    #expect(new.service.status.isLocked && new.service.status.state == .held)
    try new.go(40)
    let last = try new.last()
    #expect(Set(new.told.dropFirst(20)).count == 1, "it is held through the change of light")
    #expect(abs(last.exposureTime - 1.0 / 60) < 1e-8)
    // Metered anew: twice the light at 4/5 of the time.
    let wanted = exp2(setting.gain) * 25 / 2 * 30 / 24
    #expect(abs(log2(last.iso / wanted)) < 0.15, "\(last.iso) instead of \(wanted)")
    new.close()
  }
}

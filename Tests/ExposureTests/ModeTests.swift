import Exposure
import Frames
import Testing

/// What the controller is told from outside, and at once.
struct ModeTests {
  static let film = FrameRate(parsing: "24")!

  /// Nanoseconds.
  static func time(_ loop: ClosedLoop) -> Int64 { loop.controller.decision.setting.nanoseconds }

  @Test func centre_isAlsoReadInAmericanSpelling() throws {
    for text in ["centre", "center"] { #expect(try MeteringMode(parsing: text) == .centreWeighted) }
  }

  @Test func angleIsTheDevicesAtEveryRate() throws {
    // 180° on UVC's grid of 100 µs.
    let rates = [("24", 208), ("23.976", 209), ("25", 200), ("30", 167), ("50", 100), ("60", 83), ("120", 42)]
    for (rate, units) in rates {
      let configuration = try ClosedLoop.configuration(rate: FrameRate(parsing: rate)!, gains: .fine, delay: 1)
      #expect(ExposureController(configuration).decision.setting.nanoseconds == Int64(units) * 100_000, "\(rate)")
    }
  }

  /// The controller's whole nanoseconds and the exact fractions of `ExposureGrid` mean the same unit.
  @Test func timesAreTheGridsUnits() throws {
    let grids = [
      try ExposureGrid.uvc(minimum: 1, maximum: 10_000), try ExposureGrid.uvc(minimum: 3, maximum: 5000, step: 3),
      try ExposureGrid.lines(lineTime: Rational(1, 67_500), minimum: 4, maximum: 60_000),
      try ExposureGrid.lines(lineTime: Rational(148_148, 10_000_000_000), minimum: 1, maximum: 2245),
    ]
    for grid in grids {
      for rate in ["24", "23.976", "25", "29.97", "50", "60", "119.88"].map({ FrameRate(parsing: $0)! }) {
        for degrees in [Rational(180), Rational(1728, 10), Rational(45), Rational(360), Rational(11)] {
          let angle = try ShutterAngle(degrees: degrees)
          let configuration = try ExposureConfiguration(
            mode: .shutterPriority, frameRate: rate, shutterAngle: angle.thousandths,
            limits: ExposureLimits(grid: grid, gains: .fine), delay: 1)
          let decided = ExposureController(configuration).decision.setting.nanoseconds
          let exact = try grid.nearest(to: angle, at: rate)
          let units = grid.unit.inverse.scaling(Rational(decided, 1_000_000_000))
          // Where the angle lies half-way between two units, either is the nearest.
          let wished = try angle.exposureTime(at: rate).doubleValue / grid.unit.doubleValue
          let isTie = abs(abs(wished - Double(exact.units)) - Double(grid.step) / 2) < 1e-3
          #expect(units == exact.units || isTie && abs(units - exact.units) == grid.step, "\(rate) \(degrees)")
        }
      }
    }
  }

  @Test(arguments: 1...5)
  func changeOfRateAppliesAtOnceAndKeepsTheBrightness(_ delay: Int) throws {
    for (from, to) in [("24", "60"), ("60", "24"), ("24", "23.976"), ("30", "120")] {
      var loop = try ClosedLoop(
        seed: 1, rate: FrameRate(parsing: from)!, gains: .fine, delay: delay, gain: 2.5)
      loop.run(seconds: 2)
      let start = loop.readings.count, before = loop.controller.decision.setting
      loop.take(.configure(
        try ClosedLoop.configuration(rate: FrameRate(parsing: to)!, gains: .fine, delay: delay), current: nil))
      let after = loop.controller.decision
      #expect(after.isChange && after.setting.nanoseconds != before.nanoseconds)
      #expect((after.setting.exposureStops - before.exposureStops).magnitude <= Stops(units: 1), "\(from) \(to)")
      loop.run(frames: 48)
      #expect(loop.readings[start...].allSatisfy { abs($0.level.ev) < 0.1 })
      #expect(loop.decisions[start...].allSatisfy { $0.setting.nanoseconds == after.setting.nanoseconds })
    }
  }

  @Test func changeOfAngleIsCompensatedByGain() throws {
    var loop = try ClosedLoop(seed: 1, rate: Self.film, gains: .thirds, delay: 2, gain: 3)
    loop.run(seconds: 2)
    let half = try ClosedLoop.configuration(rate: Self.film, gains: .thirds, delay: 2, angle: 90_000)
    loop.take(.configure(half, current: nil))
    #expect(Self.time(loop) == 10_400_000)
    let start = loop.readings.count
    loop.run(seconds: 2)
    #expect(loop.readings[start...].allSatisfy { abs($0.level.ev) < 0.1 + 1.0 / 6 })
  }

  @Test func autoKeepsTheAngleWhileGainSufficesThenLengthensAndShortens() throws {
    for (gain, light) in [(3.5, 0.0), (6.5, -1), (0.5, 2)] {
      for gains in [GainScale.fine, .thirds] {
        var loop = try ClosedLoop(seed: 3, rate: Self.film, gains: gains, delay: 2, gain: gain, mode: .auto)
        loop.run(seconds: 1)
        loop.scene.light = { _ in light }
        loop.run(seconds: 3)
        let setting = loop.controller.decision.setting
        // Within the range of gain the time fills what lies between its steps: a twelfth of a stop and less.
        #expect(abs(loop.readings.last!.level.ev) < 0.1)
        switch light {
        case 0: #expect(setting.nanoseconds <= 20_800_000 && setting.nanoseconds > 16_000_000)
        case -1: #expect(setting.nanoseconds > 20_800_000 && setting.nanoseconds <= 41_600_000 && setting.gain == 7)
        default: #expect(setting.nanoseconds < 8_000_000 && setting.gain < 0.05)
        }
      }
    }
  }

  @Test func manualStaysWhereItIsPutAndSaysHowFarOffItIs() throws {
    let setting = ExposureSetting(exposureTime: 0.01004, gain: 2)
    var loop = try ClosedLoop(seed: 2, rate: Self.film, gains: .thirds, delay: 2, gain: 3, mode: .manual(setting))
    loop.run(seconds: 3)
    #expect(loop.decisions.allSatisfy { $0.setting == ExposureSetting(nanoseconds: 10_000_000, gainStops: Stops(2)) })
    #expect(loop.decisions.allSatisfy { $0.state == .held && !$0.isChange && $0.missing == .zero })
    // A stop less gain and 1.06 less time than grey takes.
    let last = loop.decisions.last!
    #expect(abs(last.deviation.ev - 2.06) < 0.03)
    #expect(last.shownMissing == last.deviation && !last.isMissingLowerBound, "\(last)")
  }

  @Test func lockHoldsAndAutoComesBack() throws {
    func configuration(locked: Bool) throws -> ExposureConfiguration {
      try ClosedLoop.configuration(rate: Self.film, gains: .fine, delay: 2, isLocked: locked)
    }
    var loop = try ClosedLoop(seed: 2, rate: Self.film, gains: .fine, delay: 2, gain: 3)
    loop.run(seconds: 2)
    let held = loop.controller.decision.setting
    loop.take(.configure(try configuration(locked: true), current: nil))
    loop.scene.light = { _ in 2 }
    let start = loop.decisions.count
    loop.run(seconds: 3)
    #expect(loop.decisions[start...].allSatisfy { $0.setting == held && $0.state == .held && !$0.isChange })
    #expect(abs(loop.decisions.last!.deviation.ev + 2) < 0.3)
    loop.take(.configure(try configuration(locked: false), current: nil))
    loop.run(seconds: 2)
    #expect(abs(loop.readings.last!.level.ev) < 0.1 && loop.decisions.last!.state == .settled)
  }

  @Test(arguments: 1...5)
  func lockSurvivesAChangeOfCamera(_ delay: Int) throws {
    var loop = try ClosedLoop(seed: 2, rate: Self.film, gains: .fine, delay: delay, gain: 3)
    loop.run(seconds: 2)
    loop.take(.configure(
      try ClosedLoop.configuration(rate: Self.film, gains: .fine, delay: delay, isLocked: true), current: nil))
    loop.run(seconds: 1)
    // The other camera is a stop and a half more sensitive, and faster.
    let sixty = FrameRate(parsing: "60")!
    loop.take(.configure(
      try ClosedLoop.configuration(rate: sixty, gains: .fine, delay: delay, isLocked: true, source: 1), current: nil))
    #expect(Self.time(loop) == 8_300_000 && loop.controller.decision.state == .moving)
    loop.scene.light = { _ in 1.5 }
    loop.run(seconds: 1)
    #expect(loop.decisions.last!.state == .held && abs(loop.readings.last!.level.ev) < 0.1)
    let start = loop.decisions.count
    loop.scene.light = { _ in 0 }
    loop.run(seconds: 2)
    #expect(loop.decisions[start...].allSatisfy { $0.state == .held && !$0.isChange })
  }

  /// A lock that seeks the light anew in a picture of which much is clipped.
  ///
  /// - Parameter light: EV that it has become brighter.
  private static func relocked(light: Double) throws -> ClosedLoop {
    func configuration(angle: Int) throws -> ExposureConfiguration {
      try ClosedLoop.configuration(rate: film, gains: .fine, delay: 2, isLocked: true, angle: angle)
    }
    var loop = try ClosedLoop(seed: 2, rate: film, gains: .fine, delay: 2, gain: 3)
    loop.run(seconds: 2)
    loop.take(.configure(try configuration(angle: 180_000), current: nil))
    loop.scene.light = { _ in light }
    loop.run(seconds: 1)
    loop.take(.configure(try configuration(angle: 172_800), current: nil))
    return loop
  }

  /// The clipped picture says only "at least": what is still off shows behind the first step.
  @Test(arguments: [2, 2.3]) func aLockWaits_untilThePictureIsNotClipped(light: Double) throws {
    var loop = try Self.relocked(light: light)
    let before = loop.readings.last!
    #expect(before.clipped >= MeterReading.whole / 8 && before.level.ev < light - 0.1, "\(before)")
    loop.run(seconds: 3)
    #expect(loop.decisions.last!.state == .held && abs(loop.readings.last!.level.ev) < 0.1, "\(loop.readings.last!)")
    let held = loop.decisions.last!.setting, start = loop.decisions.count
    loop.scene.light = { _ in 0 }
    loop.run(seconds: 2)
    #expect(loop.decisions[start...].allSatisfy { $0.setting == held && !$0.isChange })
  }

  /// Whoever locks it from outside is told.
  @Test func aStepFromAClippedPicture_isProvenByTheNextFrames() throws {
    var controller = ExposureController(
      try ClosedLoop.configuration(rate: Self.film, gains: .fine, delay: 1), current: nil)
    var states: [(state: ExposureDecision.State, isProven: Bool)] = []
    func take(_ level: Double, clipped: Int = 0, frames: Range<Int>) {
      for frame in frames {
        let reading = MeterReading(level: Stops(level), clipped: clipped, spread: Stops(1.2))
        let state = controller.next(ExposureMeasurement(frame: frame, reading: reading)).state
        states.append((state, controller.isProven))
      }
    }
    take(-4, frames: 0..<1)
    take(0, frames: 1..<40)
    let rested = states.last!
    #expect(rested.state == .settled && rested.isProven)
    take(2, clipped: 300, frames: 40..<44)
    #expect(!states.last!.isProven, "\(states.suffix(4))")
    take(0, frames: 44..<80)
    let proven = states.last!
    #expect(proven.state == .settled && proven.isProven)
  }

  /// What the lowest gain leaves clipped keeps no lock open.
  @Test func aLockClosesWhereThePictureStaysClipped() throws {
    var loop = try Self.relocked(light: 6)
    loop.run(seconds: 3)
    #expect(loop.decisions.last!.state == .held && loop.controller.decision.setting.gain == 0)
    #expect(loop.readings.last!.clipped >= MeterReading.whole / 8)
  }

  @Test func biasIsObeyedHoweverSmall() throws {
    for bias in [0.05, -1, 2, 1.0 / 3] {
      var loop = try ClosedLoop(seed: 2, deviation: 0.5, rate: Self.film, gains: .fine, delay: 2, gain: 3)
      loop.scene.noise = 0
      loop.run(seconds: 2)
      let before = loop.readings.last!.level.ev
      let biased = try ClosedLoop.configuration(rate: Self.film, gains: .fine, delay: 2, bias: bias)
      loop.take(.configure(biased, current: nil))
      loop.run(seconds: 2)
      #expect(abs(loop.readings.last!.level.ev - before - bias) < 0.03, "\(bias)")
    }
  }

  @Test func badConfigurationsAreRefusedInASentence() throws {
    func message(_ body: () throws -> ExposureConfiguration) -> String {
      do { _ = try body() } catch { return (error as? CamrecError)?.message ?? "" }
      return "accepted"
    }
    let cases: [(String, () throws -> ExposureConfiguration)] = [
      ("a shutter angle is greater than 0° and at most 360°, not 0.0°", { try Self.configuration(angle: 0) }),
      ("a shutter angle is greater than 0° and at most 360°, not 360.001°", { try Self.configuration(angle: 360_001) }),
      ("a setting must show after 1 to 32 frames, not 0", { try Self.configuration(delay: 0) }),
      ("an exposure offset is -16 to 16 EV, not 17.0 EV", { try Self.configuration(bias: 17) }),
      ("exposure times are 1 ns to 1 h, not 0 to 5 ns", { try Self.configuration(times: 0...5) }),
      ("a step of exposure time is 1 ps to 1 h, not 0 ps", { try Self.configuration(step: 0) }),
      ("a gain has 1 to 65536 steps, not 0", { try Self.configuration(gains: .steps([])) }),
      (
        "gain 1.0 EV follows 1.0 EV; steps of gain must rise",
        { try Self.configuration(gains: .steps([Stops(1), Stops(1)])) }
      ),
      (
        "an exposure of 41700000 ns is longer than a frame at 24 frames per second, which is 41666667 ns; choose a "
          + "shorter time or a lower rate",
        { try Self.configuration(mode: .manual(ExposureSetting(nanoseconds: 41_700_000, gainStops: .zero))) }
      ),
    ]
    for (words, body) in cases { #expect(message(body) == words) }
    #expect(message { try Self.configuration() } == "accepted")
  }

  static func configuration(
    mode: ExposureMode = .auto, angle: Int = 180_000, delay: Int = 1, bias: Double = 0,
    times: ClosedRange<Int64> = 1...1_000_000_000, step: Int64 = 100_000, gains: GainScale = .fine
  ) throws -> ExposureConfiguration {
    try ExposureConfiguration(
      mode: mode, bias: Stops(bias), frameRate: film, shutterAngle: angle,
      limits: ExposureLimits(times: times, timeStep: step, gains: gains), delay: delay)
  }

  /// The estimate that moves the exposure extrapolates; what is told does not.
  @Test func whatAClippedFrameIsOff_isAtLeastWhatItShows() throws {
    let steps = GainScale.fine
    for spread in [Stops(1.2), Stops(3.5)] {
      var controller = ExposureController(
        try ClosedLoop.configuration(rate: Self.film, gains: steps, delay: 1), current: nil)
      for frame in 0..<20 {
        controller.next(ExposureMeasurement(frame: frame, reading: MeterReading(level: Stops(0), spread: spread)))
      }
      for frame in 20..<120 {
        let clipped = MeterReading(level: Stops(2.43), clipped: MeterReading.whole)
        controller.next(ExposureMeasurement(frame: frame, reading: clipped))
      }
      let decision = controller.decision
      #expect(decision.state == .limited && decision.isMissingLowerBound)
      #expect(abs(decision.shownMissing.ev + 2.43) < 0.02, "\(decision.shownMissing.ev)")
      #expect(decision.missing.ev < -2.43 - spread.ev, "\(decision.missing.ev)")
    }
  }

  /// What is decided on many frames of that reading, behind twenty that need no change.
  private static func decision(on reading: MeterReading) throws -> ExposureDecision {
    var controller = ExposureController(
      try ClosedLoop.configuration(rate: film, gains: GainScale.fine, delay: 1), current: nil)
    for frame in 0..<400 {
      let fits = MeterReading(level: .zero, spread: reading.spread)
      controller.next(ExposureMeasurement(frame: frame, reading: frame < 20 ? fits : reading))
    }
    return controller.decision
  }

  /// Noise may have taken the rest: it moves the exposure, and is not told.
  @Test func whatADarkFrameIsOff_isAtLeastWhatIsNotCrushed() throws {
    func decision(_ seen: Double?) throws -> ExposureDecision {
      try Self.decision(
        on: MeterReading(level: Stops(-3), crushed: 300, spread: Stops(1.2), seenLevel: seen.map { Stops($0) }))
    }
    let plain = try decision(nil)
    var told = try decision(-2.2)
    #expect(told.state == .limited && told.isMissingLowerBound)
    #expect(abs(plain.shownMissing.ev - told.shownMissing.ev - 0.8) < 0.02, "\(plain), \(told)")
    told.shownMissing = plain.shownMissing
    #expect(told == plain, "what moves the exposure is the same")
  }

  /// Its average is too low, or in the dark too high, long before half of it is clipped.
  @Test(arguments: [1.9, -3], [(127, false), (128, true), (490, true)])
  func whatAPartlyClippedFrameIsOff_isAtLeastWhatItShows(level: Double, share: (Int, Bool)) throws {
    let (clipped, crushed) = level > 0 ? (share.0, 0) : (0, share.0)
    let decision = try Self.decision(
      on: MeterReading(level: Stops(level), clipped: clipped, crushed: crushed, spread: Stops(1.2)))
    #expect(decision.state == .limited && decision.isMissingLowerBound == share.1, "\(decision)")
    #expect(level < 0 || abs(decision.shownMissing.ev + level) < 0.02, "\(decision.shownMissing.ev)")
  }
}

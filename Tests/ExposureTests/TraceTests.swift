import Exposure
import Frames
import TestKit
import Testing

/// What a trace keeps, what a replay makes of it, and what is refused.
struct TraceTests {
  /// A run with everything in it: light that jumps, every mode, two cameras, lost frames, settings read back.
  static func trace(seed: UInt64) throws -> [String] {
    var random = SplitMix(seed: seed)
    let gains: [GainScale] = [.thirds, .fine]
    func configuration() throws -> ExposureConfiguration {
      let modes: [ExposureMode] = [
        .auto, .shutterPriority, .shutterPriority,
        .manual(ExposureSetting(nanoseconds: Int64(random.unit() * 8e6) + 1, gainStops: Stops(random.unit() * 6))),
      ]
      return try ExposureConfiguration(
        mode: modes[Int(random.unit() * 4)], isLocked: random.unit() < 0.2, bias: Stops(random.unit() * 4 - 2),
        frameRate: FrameRate(parsing: ["24", "24000/1001", "60", "119.88"][Int(random.unit() * 4)])!,
        shutterAngle: 1 + Int(random.unit() * 359_999),
        limits: ExposureLimits(
          times: 10_000...50_000_000, timeStep: [1000, 14_814_815, 100_000_000][Int(random.unit() * 3)],
          gains: gains[Int(random.unit() * 2)]),
        delay: 1 + Int(random.unit() * 5), source: Int(random.unit() * 2))
    }
    let first = try configuration()
    var lines = [ExposureTrace.heading, ExposureTrace.line(.configure(first, current: nil))]
    var controller = ExposureController(first)
    lines.append(ExposureTrace.line(controller.decision))
    var frame = 0, light = 0.0
    for _ in 0..<400 {
      let event: ExposureEvent
      switch random.unit() {
      case ..<0.01:
        let current = random.unit() < 0.5 ? nil : controller.decision.setting
        event = .configure(try configuration(), current: current)
      case ..<0.02: event = .applied(ExposureSetting(nanoseconds: 9_999_999, gainStops: Stops(random.unit() * 7)))
      default:
        frame += random.unit() < 0.05 ? 1 + Int(random.unit() * 40) : 1
        if random.unit() < 0.03 { light = random.unit() * 12 - 6 }
        var cells = MeterCells()
        for cell in 0..<MeterCells.count where random.unit() < 0.9 { cells[cell] = Stops(light + random.unit()) }
        var reading = MeterReading(
          level: Stops(max(-8, min(light + random.unit() * 0.1, 2.47))), clipped: Int(random.unit() * 1025),
          crushed: Int(random.unit() * 1025), spread: Stops(random.unit() * 3))
        if random.unit() < 0.9 { reading.cells = cells }
        let shown = random.unit() < 0.1 ? ExposureSetting(nanoseconds: 12_345_678, gainStops: Stops(2)) : nil
        let newest = random.unit() < 0.1 ? frame + 1 + Int(random.unit() * 5) : frame
        event = .frame(ExposureMeasurement(frame: frame, newest: newest, reading: reading, shown: shown))
      }
      lines.append(ExposureTrace.line(event))
      lines.append(ExposureTrace.line(controller.receive(event)))
    }
    return lines
  }

  static func replay(_ lines: [String]) throws -> ExposureReplay {
    var replay = ExposureReplay(name: "a.trace")
    for line in lines { try replay.take(line) }
    try replay.finish(isCut: false)
    return replay
  }

  @Test(arguments: 1...20)
  func replayComesToTheSameBytes(_ seed: Int) throws {
    let lines = try Self.trace(seed: UInt64(seed))
    let replay = try Self.replay(lines)
    #expect(replay.difference == nil && replay.decisions == 401 && replay.lines == lines.count)
  }

  /// Any changed digit of a decision is found, and any changed reading that matters.
  @Test func firstDifferenceIsNamed() throws {
    let lines = try Self.trace(seed: 3)
    for line in [2, 40, 400, 802] {
      var changed = lines
      changed[line] = String(changed[line].dropLast()) + (changed[line].last == "7" ? "8" : "7")
      let difference = try Self.replay(changed).difference
      #expect(difference?.line == line + 1)
      #expect(difference?.recorded == changed[line] && difference?.replayed == lines[line])
    }
    var darker = lines
    let frame = lines.firstIndex { $0.hasPrefix("frame") }!
    darker[frame] = "frame n=1 level=-8000 clipped=0 crushed=0 spread=0"
    #expect(try Self.replay(darker).difference?.line == frame + 2)
  }

  static let head = """
    camrec exposure trace 1
    configure mode=auto lock=0 bias=0 rate=24 angle=180000 times=100000...40000000 step=100000000 gains=0...7168 \
    delay=2 source=0
    = setting=20800000/0 change=1 from=0 state=moving deviation=0 missing=0
    """

  @Test func headReplays() throws {
    #expect(try Self.replay(Self.head.split(separator: "\n").map(String.init)).decisions == 1)
  }

  @Test(arguments: [
    ("trace 1", "trace 2", 1, "this is version “2” of the format; camrec reads version 1"),
    ("camrec exposure trace 1", "hello", 1, "an exposure trace begins with “camrec exposure trace 1”, not “hello”"),
    ("mode=auto", "mode=Auto", 2, "mode is “Auto”; write auto, shutter-priority or manual:NANOSECONDS/GAIN"),
    ("mode=auto", "mode=manual:5", 2, "mode is “5”; write NANOSECONDS/GAIN"),
    ("lock=0", "lock=2", 2, "lock is “2”; write a whole number from 0 to 1"),
    ("bias=0 ", "", 2, "expected bias, found “rate”"),
    ("bias=0", "bias=+0", 2, "bias is “+0”; write a whole number from -65536 to 65536"),
    ("rate=24", "rate=0", 2, "rate is “0”; write frames per second"),
    ("times=100000...40000000", "times=9...8", 2, "times is “9...8”; write the smaller number first"),
    ("times=100000...40000000", "times=9", 2, "times is “9”; write LEAST...GREATEST"),
    ("gains=0...7168", "gains=0,0", 2, "gain 0.0 EV follows 0.0 EV; steps of gain must rise"),
    ("gains=0...7168", "gains=0,,", 2, "gains is “”; write a whole number from -65536 to 65536"),
    ("delay=2", "delay=0", 2, "delay is “0”; write a whole number from 1 to 32"),
    (" source=0", "", 2, "source is missing"),
    (" source=0", " source=0 more=1", 2, "expected the end of the line, found “more=1”"),
    (" source=0", " source", 2, "expected KEY=VALUE, found “source”"),
    ("configure ", "applied setting=1/0 ", 2, "expected the end of the line, found “mode=auto”"),
    ("configure ", "configured ", 2, "expected an event (configure, frame, applied), found “configured”"),
    ("= setting", "setting", 3, "expected the decision of line 2, found “setting=20800000/0 change=1 from…”"),
  ])
  func badLinesAreRefusedWithTheirNumber(_ old: String, _ new: String, _ line: Int, _ words: String) {
    let text = Self.head.replacing(old, with: new)
    #expect(throws: CamrecError(.input, "a.trace, line \(line): \(words)")) {
      try Self.replay(text.split(separator: "\n").map(String.init))
    }
  }

  @Test func partsThatAreNotTwelveAreRefused() throws {
    var replay = ExposureReplay(name: "a.trace")
    for line in Self.head.split(separator: "\n").map(String.init) { try replay.take(line) }
    let number = replay.lines + 1
    #expect(throws: CamrecError(.input, "a.trace, line \(number): cells is “1,-,3”; write 12 levels")) {
      try replay.take("frame n=0 level=0 clipped=0 crushed=0 spread=0 cells=1,-,3")
    }
  }

  @Test func endsThatAreNoneAreRefused() throws {
    let lines = Self.head.split(separator: "\n").map(String.init)
    for (count, isCut, words) in [
      (0, false, "line 1: the trace is empty; its first line is “camrec exposure trace 1”"),
      (1, false, "line 2: the trace ends without an event"),
      (2, false, "line 3: the trace ends before the decision of line 2"),
      (3, true, "line 4: the line has no line end; the trace was cut off while it was written"),
    ] {
      var replay = ExposureReplay(name: "a.trace")
      for line in lines[..<count] { try replay.take(line) }
      #expect(throws: CamrecError(.input, "a.trace, \(words)")) { try replay.finish(isCut: isCut) }
    }
  }

  /// Numbers as large as a trace may hold them neither trap nor wrap.
  @Test func extremesAreBorne() throws {
    var replay = ExposureReplay(name: "a.trace")
    for line in Self.head.split(separator: "\n") { try replay.take(String(line)) }
    for (frame, level) in [(0, -65536), (9_007_199_254_740_992, 65536), (1, 65536), (2, -65536), (3, 0)] {
      let shown = "shown=3600000000000/-65536"
      try replay.take("frame n=\(frame) level=\(level) clipped=1024 crushed=1024 spread=65536 \(shown)")
      try replay.take("= ?")
    }
    try replay.take(
      "configure mode=auto lock=0 bias=16384 rate=1/9223372036854775807 angle=1 times=1...3600000000000 "
        + "step=3600000000000000 gains=-65536...65536 delay=32 source=9007199254740992 current=1/65536")
    try replay.take("= ?")
    try replay.take("frame n=5 level=65536 clipped=1024 crushed=0 spread=-65536")
    try replay.take("= ?")
    try replay.finish(isCut: false)
    #expect(replay.lines == 17 && replay.difference?.line == 5)
  }
}

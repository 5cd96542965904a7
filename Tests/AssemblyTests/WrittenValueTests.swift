import Assembly
import Cameras
import Foundation
import Frames
import Recorder
import TestKit
import Testing
import Triggers

/// Values that are stored as the command line writes them read back as they were, to the nanosecond and the byte.
struct WrittenValueTests {
  private func expectKept<Value: WrittenValue & Equatable>(_ values: [Value]) throws {
    for value in values {
      #expect(try Value(parsing: value.written) == value, "\(value.written)")
      #expect(try StoredValue.readBack(value) == value, "\(value.written)")
    }
  }

  @Test func timesToTheNanosecond() throws {
    let spans: [Int64] = [
      0, 1, -1, 999, 1000, 1001, 999_999, 30_000_000, -20_000_001, 999_999_999, 1_000_000_000, 90_000_000_001,
      // More than floating point counts to.
      9_007_199_254_740_993, TimeSpan.limit - 1, TimeSpan.limit, 1 - TimeSpan.limit,
    ]
    try expectKept(spans.map { TimeSpan(nanoseconds: $0) })
    #expect(TimeSpan(nanoseconds: -20_000_001).written == "-0s20000.001us")
    #expect(TimeSpan(nanoseconds: 5_400_000_000_000).written == "5400s")
  }

  @Test func segments() throws {
    try expectKept([
      SegmentChoice(length: .clock(seconds: 600), mostBytes: nil),
      SegmentChoice(length: .seconds(Rational(5400)), mostBytes: nil),
      SegmentChoice(length: .seconds(Rational(3_600_000_000_001, 1_000_000_000)), mostBytes: nil),
      SegmentChoice(length: nil, mostBytes: 2_000_000_001), SegmentChoice(length: nil, mostBytes: 100_000),
    ])
    let both = SegmentChoice(length: .seconds(Rational(60)), mostBytes: 4 << 30)
    #expect(both.written == "60s", "only a disk's limit adds bytes to a length")
  }

  @Test func lights() throws {
    let lights = try ["torch", "torch@1", "led:tally", "led:tally@5@40", "led:/own/leds/a@b@100"].map {
      try LightChoice(parsing: $0)
    }
    try expectKept(lights)
    #expect(lights[0].written == "torch@100" && lights[3].written == "led:/sys/class/leds/tally@5@40")
  }

  @Test func heat() throws { try expectKept([HeatLimit.off, .auto, .degrees(80), .degrees(72.5)]) }

  @Test func coloursInEveryRange() throws {
    for (name, _) in ColorName.all {
      try expectKept(try [name, "\(name)-full", "\(name)-limited"].map { try ColorName(parsing: $0) })
    }
    for (long, short) in ColorName.spelledOut {
      #expect(try ColorName(parsing: long) == ColorName(parsing: short), "\(long)")
    }
    #expect(try ColorName(parsing: "sLog3/SGamut3.cine-FULL").written == "slog3-full")
  }

  @Test func sourcesAndMicrophones() throws {
    let cameras = ["/dev/video0", "sim", "sim:pace=pulled,seed=3", "clip:a film: one.mov"]
    let addresses = try cameras.map { try CameraAddress(parsing: $0) }
    try expectKept(addresses)
    #expect(addresses.map(\.written) == cameras)
    #expect(try CameraAddress(parsing: "sim:").written == "sim")
    try expectKept([MicrophoneChoice.auto, .none, .simulated, .named("hw:1,0")])
    try expectKept(try ["16x16", "1920x1080", "16384X16384"].map { try FrameSize(parsing: $0) })
    try expectKept(try ["24", "23.976", "12.5", "0.001", "1000", "30000/1001"].map { try FrameRate(argument: $0) })
  }

  @Test func turnsAndLabels() throws {
    try expectKept([RotationChoice.auto] + Rotation.allCases.map { .fixed($0) })
    try expectKept([TimecodeChoice.now, .label("10:00:00:00"), .label("01:00:00;02")])
  }

  @Test func schedulesButtonsAndDigests() throws {
    try expectKept(try ["00:00-24:00", "mon-fri 08:00-18:00", "sat,sun 22:00:30-02:00"].map {
      try ScheduleWindow(parsing: $0)
    })
    try expectKept(try ["KEY_RECORD@/dev/input/event3", "stop:28@/dev/input/by-id/a"].map {
      try ButtonChoice(parsing: $0)
    })
    try expectKept([try FileDigest(parsing: String(repeating: "aB01", count: 16))])
  }

  @Test func whatTheCommandLineRefusesIsRefused() {
    for text in ["12 parsecs", "400000s999999h", ""] {
      #expect(throws: CamrecError.self, "\(text)") {
        try JSONDecoder().decode([TimeSpan].self, from: try JSONEncoder().encode([text]))
      }
    }
    #expect(throws: CamrecError.self) {
      try JSONDecoder().decode([SegmentChoice].self, from: Data(#"["clock:7s"]"#.utf8))
    }
    #expect(throws: CamrecError.self) { try JSONDecoder().decode([FileDigest].self, from: Data(#"["abc"]"#.utf8)) }
  }
}

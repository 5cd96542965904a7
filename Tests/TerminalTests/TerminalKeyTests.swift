import Exposure
import Recorder
import RecorderAPI
import Terminal
import Testing

/// Which key means what.
@Suite struct TerminalKeyTests {
  private func state(
    _ phase: RecorderState.Phase = .recording, mode: String = "shutter-priority", bias: Double = 0,
    isLocked: Bool = false,
    whiteBalance: String? = nil
  ) -> RecorderState {
    var state = RecorderState(phase: phase)
    state.whiteBalance = whiteBalance
    state.exposure = ExposureStatus(
      mode: mode, state: .settled, exposureTime: 0.02, shutterAngle: 180, reachedShutterAngle: 180, iso: 400,
      isCalibrated: true, gain: 2, bias: bias, metering: "centre", isLocked: isLocked, missingEV: 0)
    return state
  }

  private func command(_ key: Character, _ state: RecorderState) -> RecorderCommand? {
    TerminalKey(key)?.command(for: state)
  }

  @Test func space_beginsAndEnds() {
    #expect(command(" ", state(.standby)) == .start)
    for phase in [RecorderState.Phase.starting, .recording, .stopping] { #expect(command(" ", state(phase)) == .stop) }
  }

  @Test func plusAndMinus_goByThirds_withoutDrift() {
    #expect(command("+", state()) == .exposure(.bias(Stops(1.0 / 3))))
    #expect(command("=", state(bias: 1.0 / 3)) == .exposure(.bias(Stops(2.0 / 3))))
    #expect(command("+", state(bias: Stops(2.0 / 3).ev)) == .exposure(.bias(Stops(1))))
    #expect(command("-", state(bias: Stops(1.0 / 3).ev)) == .exposure(.bias(.zero)))
    #expect(command("-", state(bias: 0.4)) == .exposure(.bias(.zero)), "what was set by hand comes to thirds")
    #expect(command("-", state(bias: -16)) == .exposure(.bias(Stops(-16))), "the end")
  }

  @Test func mode_goesToAndFro() {
    #expect(command("m", state()) == .exposure(.mode(.auto)))
    #expect(command("m", state(mode: "auto")) == .exposure(.mode(.shutterPriority)))
  }

  @Test func lock_goesToAndFro() {
    #expect(command("l", state()) == .exposure(.lock(true)))
    #expect(command("l", state(isLocked: true)) == .exposure(.lock(false)))
  }

  /// No camera is open then, and what the next film begins with is known all the same.
  @Test func exposureKeys_answerInStandby() {
    var standby = RecorderState(phase: .standby)
    standby.nextExposure = .init(mode: "auto", bias: Stops(1.0 / 3).ev, isLocked: true)
    #expect(command("+", standby) == .exposure(.bias(Stops(2.0 / 3))))
    #expect(command("m", standby) == .exposure(.mode(.shutterPriority)))
    #expect(command("l", standby) == .exposure(.lock(false)))
    let answers = ["+", "m", "l"].map { TerminalKey($0)?.outcome(in: standby) }
    #expect(answers == ["+0.33 EV", "exposure auto", "exposure locked"])
  }

  @Test(arguments: [
    (nil, "daylight"), ("auto", "daylight"), ("5500", "cloudy"), ("5510 K", "cloudy"), ("6500", "shade"),
    ("7500", "tungsten"), ("3200", "fluorescent"), ("4000", "auto"), ("2000", "fluorescent"),
  ])
  func whiteBalance_goesRound(_ now: String?, _ next: String) {
    #expect(command("w", state(whiteBalance: now)) == .control(name: "white-balance", value: next))
  }

  /// Most webcams have no shade: it would be refused, and the key would not get beyond it.
  @Test(arguments: [
    ("6500", ["auto", "daylight", "cloudy", "tungsten", "fluorescent"], "tungsten"),
    ("4000", ["auto", "daylight", "cloudy", "tungsten", "fluorescent"], "auto"),
    (nil, ["daylight", "cloudy"], "daylight"), ("6500", ["daylight", "cloudy"], "daylight"),
  ] as [(String?, [String], String)])
  func whiteBalance_leavesOutWhatTheCameraLacks(_ now: String?, _ presets: [String], _ next: String) {
    let command = TerminalKey("w")?.command(for: state(whiteBalance: now), presets: presets)
    #expect(command == .control(name: "white-balance", value: next))
  }

  @Test func theRest() {
    #expect(command("f", state()) == .focus(x: nil, y: nil))
    #expect(command("F", state()) == .releaseFocus)
    #expect(command("q", state()) == .quit)
    #expect(command("M", state()) == .marker(nil) && TerminalKey("M")?.outcome(in: state()) == nil)
    var marked = state()
    marked.marker = .init(text: "marker 3", seconds: 83.46, timecode: "17:33:09:05")
    #expect(TerminalKey("M")?.outcome(in: marked) == "marker 'marker 3' at 0:01:23.5 (17:33:09:05)")
    marked.marker = .init(text: "end", seconds: 59.96)
    #expect(TerminalKey("M")?.outcome(in: marked) == "marker 'end' at 0:01:00.0")
    #expect(TerminalKey("?") == .help && command("?", state()) == nil)
    for character: Character in ["x", "Q", "\u{4}", "\n", "é"] { #expect(TerminalKey(character) == nil) }
  }

  @Test func listNamesEveryKey() {
    let lines = TerminalKey.list.split(separator: "\n")
    #expect(lines.count == TerminalKey.allCases.count)
    #expect(lines.contains("  + =    1/3 EV brighter"))
    #expect(lines.contains { $0.contains("a command of 'camrec ctl' but watch and snapshot: ") })
    #expect(lines.allSatisfy { $0.count <= 90 }, "\(lines)")
  }
}

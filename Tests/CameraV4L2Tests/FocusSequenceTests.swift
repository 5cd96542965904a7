import CameraV4L2
import Cameras
import Frames
import Testing

/// Autofocus in two phases, on cameras with a trigger and on those that only focus all the time.
@Suite struct FocusSequenceTests {
  private let room = StateRoom()
  private let port = ScriptedControls()

  private func withTrigger() -> V4L2Controls {
    port.add(ID.focusStart, ControlFacts(id: UInt32(ID.focusStart), kind: .button, minimum: 0, maximum: 0), value: 0)
    port.add(ID.focusStatus, ControlFacts(id: UInt32(ID.focusStatus), kind: .bitmask, minimum: 0, maximum: 7), value: 0)
    port.add(ID.locks, ControlFacts(id: UInt32(ID.locks), kind: .bitmask, minimum: 0, maximum: 7), value: 1)
    return webcam()
  }

  private func webcam() -> V4L2Controls {
    port.addFlag(ID.autofocus, true)
    port.addNumber(ID.focus, 0...250, value: 10)
    port.rule(ID.focus, by: ID.autofocus, manual: 0)
    return room.open(port)
  }

  @Test func trigger_isWatchedAndThenLocked() throws {
    let controls = withTrigger()
    var focus = FocusSequence()
    try focus.begin(controls)
    #expect(port.log == ["\(ID.autofocus)=0", "\(ID.focusStart)=1"])
    #expect(try focus.step(controls) == .searching)
    port.change(ID.focusStatus) { $0.value = 1 }
    #expect(try focus.step(controls) == .searching)
    port.change(ID.focusStatus) { $0.value = 2 }
    #expect(try focus.step(controls) == .held)
    // The focus's bit is added to exposure's.
    #expect(port.value(ID.locks) == 0b101)
    try focus.release(controls)
    #expect(focus.state == .free && port.value(ID.locks) == 0b001 && port.value(ID.autofocus) == 1)
  }

  @Test func failure_isTheCameras_orTimes() throws {
    let controls = withTrigger()
    var focus = FocusSequence()
    try focus.begin(controls)
    port.change(ID.focusStatus) { $0.value = 4 }
    #expect(try focus.step(controls) == .failed)
    #expect(port.value(ID.locks) == 1)
    port.change(ID.focusStatus) { $0.value = 1 }
    try focus.begin(controls)
    var steps = 0
    while try focus.step(controls) == .searching { steps += 1 }
    #expect(focus.state == .failed && steps == 49)
  }

  @Test func withoutATrigger_theDistanceHasToStand() throws {
    let controls = webcam()
    port.change(ID.autofocus) { $0.value = 0 }
    var focus = FocusSequence()
    try focus.begin(controls)
    #expect(port.value(ID.autofocus) == 1)
    for distance in stride(from: 20, through: 120, by: 20) {
      port.change(ID.focus) { $0.value = Int64(distance) }
      #expect(try focus.step(controls) == .searching)
    }
    for _ in 0..<9 { #expect(try focus.step(controls) == .searching) }
    #expect(try focus.step(controls) == .held)
    #expect(port.value(ID.autofocus) == 0 && port.value(ID.focus) == 120)
  }

  @Test func hold_survivesASwitch() throws {
    let controls = webcam()
    var focus = FocusSequence()
    try focus.begin(controls)
    port.change(ID.focus) { $0.value = 120 }
    while try focus.step(controls) == .searching {}
    #expect(focus.state == .held)
    // The same camera after a change of format: it came up with its automatic on, somewhere else.
    port.change(ID.autofocus) { $0.value = 1 }
    port.change(ID.focus) { $0.value = 30 }
    try focus.resume(controls)
    #expect(focus.state == .held && port.value(ID.autofocus) == 0 && port.value(ID.focus) == 120)
    // Another camera looks anew.
    let other = ScriptedControls()
    other.addFlag(ID.autofocus, false)
    other.addNumber(ID.focus, 0...100, value: 3)
    let others = room.open(other, identity: "other")
    try focus.resume(others)
    #expect(focus.state == .searching && other.value(ID.autofocus) == 1)
  }

  @Test func cameraWithoutAutofocus_saysSo() {
    port.addNumber(ID.focus, 0...250, value: 10)
    let controls = room.open(port)
    var focus = FocusSequence()
    do throws(CamrecError) {
      try focus.begin(controls)
      Issue.record("it began")
    } catch {
      #expect(error.message == "cam has no autofocus; its focus stays where it is set")
    }
    #expect(focus.state == .free)
  }
}

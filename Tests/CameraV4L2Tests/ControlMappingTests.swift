import CameraV4L2
import Cameras
import Frames
import Testing

/// V4L2's numbers and menus on one side, our terms on the other.
@Suite struct ControlMappingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let id: Int32
    let control: CameraControl
    let before: ControlValue
    let wanted: ControlValue
    let raw: Int64
    let after: ControlValue
    let add: @Sendable (ScriptedControls) -> Void
    var testDescription: String { "\(control.rawValue)=\(wanted.text(in: .own))" }

    init(
      _ id: Int32, _ control: CameraControl, _ before: ControlValue, set wanted: ControlValue, raw: Int64,
      reads after: ControlValue, _ add: @escaping @Sendable (ScriptedControls) -> Void
    ) {
      (self.id, self.control, self.before, self.wanted) = (id, control, before, wanted)
      (self.raw, self.after, self.add) = (raw, after, add)
    }
  }

  static let modes: [Int64: Int64] = [0: 0, 1: 0, 2: 0, 3: 0]

  static let cases = [
    Case(
      ID.exposureMode, .exposureMode, .choice("aperture-priority"), set: .choice("manual"), raw: 1,
      reads: .choice("manual")
    ) { $0.addMenu(ID.exposureMode, [1: 0, 3: 0], value: 3) },
    Case(
      ID.exposureMode, .exposureMode, .choice("manual"), set: .choice("shutter-priority"), raw: 2,
      reads: .choice("shutter-priority")
    ) { $0.addMenu(ID.exposureMode, modes, value: 1) },
    Case(ID.exposureTime, .exposureTime, .number(0.0156), set: .number(1.0 / 48), raw: 208, reads: .number(0.0208)) {
      $0.addNumber(ID.exposureTime, 1...5000, value: 156)
    },
    Case(ID.exposureLines, .exposureTime, .number(100), set: .number(512.4), raw: 512, reads: .number(512)) {
      $0.addNumber(ID.exposureLines, 4...1000, value: 100)
    },
    Case(ID.analogueGain, .gain, .number(16), set: .number(20), raw: 20, reads: .number(20)) {
      $0.addNumber(ID.analogueGain, 16...255, value: 16)
    },
    Case(ID.iso, .iso, .number(100), set: .number(790), raw: 3, reads: .number(800)) {
      $0.addMenu(ID.iso, [0: 100_000, 1: 200_000, 2: 400_000, 3: 800_000], isNumbers: true, value: 0)
    },
    // A driver that lists the speeds themselves.
    Case(ID.iso, .iso, .number(400), set: .number(100), raw: 0, reads: .number(100)) {
      $0.addMenu(ID.iso, [0: 100, 1: 200, 2: 400], isNumbers: true, value: 2)
    },
    Case(ID.autoISO, .autoISO, .flag(true), set: .flag(false), raw: 0, reads: .flag(false)) {
      $0.addMenu(ID.autoISO, [0: 0, 1: 0], value: 1)
    },
    // A menu may fall.
    Case(ID.bias, .exposureBias, .number(0), set: .number(-0.6), raw: 3, reads: .number(-0.667)) {
      $0.addMenu(ID.bias, [0: 333, 1: 0, 2: -333, 3: -667], isNumbers: true, value: 1)
    },
    Case(ID.mains, .mains, .choice("auto"), set: .choice("50"), raw: 1, reads: .choice("50")) {
      $0.addMenu(ID.mains, modes, value: 3)
    },
    Case(ID.whiteBalance, .whiteBalance, .number(4600), set: .number(5604), raw: 5600, reads: .number(5600)) {
      $0.addNumber(ID.whiteBalance, 2800...6500, step: 10, value: 4600)
    },
    // The last step is the last that fits into the range.
    Case(ID.focus, .focusDistance, .number(10), set: .number(255), raw: 250, reads: .number(250)) {
      $0.addNumber(ID.focus, 10...255, step: 20, value: 10)
    },
    Case(ID.pan, .pan, .number(0), set: .number(-2.2), raw: -7200, reads: .number(-2)) {
      $0.addNumber(ID.pan, -36000...36000, step: 3600, value: 0)
    },
    Case(ID.torchMode, .torch, .choice("off"), set: .choice("on"), raw: 2, reads: .choice("on")) {
      $0.addMenu(ID.torchMode, [0: 0, 1: 0, 2: 0], value: 0)
    },
    Case(ID.torchIntensity, .torchIntensity, .number(50), set: .number(75), raw: 75, reads: .number(75)) {
      $0.addNumber(ID.torchIntensity, 0...200, step: 25, value: 50)
    },
    Case(ID.stabilization, .stabilization, .flag(false), set: .flag(true), raw: 1, reads: .flag(true)) {
      $0.addFlag(ID.stabilization, false)
    },
    Case(ID.aperture, .aperture, .number(3), set: .number(5), raw: 5, reads: .number(5)) {
      $0.addNumber(ID.aperture, 0...10, value: 3)
    },
    Case(ID.redBalance, .redBalance, .number(128), set: .number(140), raw: 140, reads: .number(140)) {
      $0.addNumber(ID.redBalance, 0...255, value: 128)
    },
  ]

  @Test(arguments: cases)
  func isReadAndSetInOurTerms(_ one: Case) throws {
    let room = StateRoom(), port = ScriptedControls()
    one.add(port)
    let controls = room.open(port)
    #expect(try controls.value(of: one.control) == one.before)
    #expect(try controls.set(one.control, to: one.wanted) == one.after)
    #expect(port.value(one.id) == one.raw)
    #expect(port.log == ["\(one.id)=\(one.raw)"])
    #expect(try controls.offers().map(\.control) == [one.control])
    controls.restore()
    #expect(try controls.value(of: one.control) == one.before)
  }

  /// Of two controls for one thing that whose unit is known is taken.
  @Test func exposureInLines_isTheLastResort() throws {
    let room = StateRoom(), port = ScriptedControls()
    port.addNumber(ID.exposureLines, 0...1000, value: 10)
    let controls = room.open(port)
    #expect(try controls.offers().first?.unit == .own)
    port.addNumber(ID.exposureTime, 1...5000, value: 200)
    #expect(try controls.offers().first?.unit == .seconds)
    #expect(try controls.value(of: .exposureTime) == .number(0.02))
  }

  @Test func menuOffersWhatTheCameraHas() throws {
    let room = StateRoom(), port = ScriptedControls()
    port.addMenu(ID.exposureMode, [1: 0, 3: 0], value: 3, standard: 3)
    let offer = try #require(try room.open(port).offers().first)
    #expect(offer.kind == .choice(["manual", "aperture-priority"]))
    #expect(offer.defaultValue == .choice("aperture-priority"))
  }

  @Test func locks_areBitsOfOneMask() throws {
    let room = StateRoom(), port = ScriptedControls()
    port.add(ID.locks, ControlFacts(id: UInt32(ID.locks), kind: .bitmask, minimum: 0, maximum: 7), value: 0b010)
    let controls = room.open(port)
    #expect(try controls.value(of: .whiteBalanceLock) == .flag(true))
    #expect(try controls.set(.focusLock, to: .flag(true)) == .flag(true))
    #expect(port.value(ID.locks) == 0b110)
    #expect(try controls.set(.whiteBalanceLock, to: .flag(false)) == .flag(false))
    #expect(port.value(ID.locks) == 0b100)
    #expect(try controls.value(of: .exposureLock) == .flag(false))
    controls.restore()
    #expect(port.value(ID.locks) == 0b010)
  }

  @Test func autofocus_isTriggeredWatchedAndGivenUp() throws {
    let room = StateRoom(), port = ScriptedControls()
    func button(_ id: Int32) {
      port.add(id, ControlFacts(id: UInt32(id), kind: .button, minimum: 0, maximum: 0), value: 0)
    }
    button(ID.focusStart)
    port.add(
      ID.focusStatus, ControlFacts(id: UInt32(ID.focusStatus), kind: .bitmask, minimum: 0, maximum: 7), value: 1)
    let controls = room.open(port)
    #expect(try controls.set(.focusTrigger, to: .none) == .none)
    #expect(port.log == ["\(ID.focusStart)=1"])
    #expect(try controls.value(of: .focusState) == .choice("busy"))
    port.change(ID.focusStatus) { $0.value = 2 }
    #expect(try controls.value(of: .focusState) == .choice("reached"))
    #expect(refusal { try controls.set(.focusTrigger, to: .flag(false)) }?.message
      == "focus-trigger of cam cannot be cancelled; it ends by itself")
    button(ID.focusStop)
    try controls.set(.focusTrigger, to: .flag(false))
    #expect(port.log.last == "\(ID.focusStop)=1")
    #expect(
      refusal { try controls.set(.focusState, to: .choice("idle")) }?.message == "focus-state of cam can only be read")
    #expect(room.files == [], "a trigger has nothing to put back")
  }
}

/// What a control call throws.
func refusal<Answer>(_ call: () throws -> Answer) -> CamrecError? {
  do {
    _ = try call()
    return nil
  } catch {
    return error as? CamrecError
  }
}

import CameraV4L2
import Cameras
import Frames
import Glibc
import Testing

/// Controls that cannot be set, and drivers that answer what cannot be: a sentence each, and nothing is written.
@Suite struct ControlRefusalTests {
  private let room = StateRoom()
  private let port = ScriptedControls()

  private func webcam() -> V4L2Controls {
    port.addMenu(ID.exposureMode, [1: 0, 3: 0], value: 3, standard: 3)
    port.addNumber(ID.exposureTime, 1...5000, value: 156)
    port.rule(ID.exposureTime, by: ID.exposureMode, manual: 1)
    port.addNumber(ID.gain, 0...255, value: 16)
    return room.open(port)
  }

  @Test func lacking_saysWhatIsDoneInstead() {
    let controls = webcam()
    let error = refusal { try controls.set(.iso, to: .number(800)) }
    #expect(error?.code == .device)
    #expect(error?.message == "cam has no iso; camrec uses its gain")
    #expect(
      refusal { try controls.value(of: .digitalZoom) }?.message
        == "cam has no digital-zoom; the whole frame is recorded")
  }

  /// Whether the driver says that it is ruled, or refuses with EACCES.
  @Test(arguments: [true, false])
  func ruled_namesItsRuler(tells: Bool) throws {
    let controls = webcam()
    port.change(ID.exposureTime) { $0.tellsRule = tells }
    let error = refusal { try controls.set(.exposureTime, to: .number(0.02)) }
    #expect(error?.code == .device)
    #expect(
      error?.message
        == "exposure-time of cam is controlled by its exposure-mode; set exposure-mode=manual first, or with it")
    #expect(port.log == [])
    #expect(try controls.offers().first { $0.control == .exposureTime }?.isRuled == tells)
  }

  @Test func gainWithoutAnAutomaticOfItsOwn_isRuledByTheExposureMode() {
    let controls = webcam()
    port.change(ID.gain) { $0.writeFailure = EACCES }
    #expect(
      refusal { try controls.set(.gain, to: .number(20)) }?.message
        == "gain of cam is controlled by its exposure-mode; set exposure-mode=manual first, or with it")
    port.addFlag(ID.autoGain, true)
    #expect(
      refusal { try controls.set(.gain, to: .number(20)) }?.message
        == "gain of cam is controlled by its auto-gain; set auto-gain=off first, or with it")
  }

  @Test func ruledByNothingKnown_saysThatMuch() {
    let controls = webcam()
    port.addNumber(ID.zoom, 1...5, value: 1)
    port.change(ID.zoom) { $0.writeFailure = EACCES }
    #expect(
      refusal { try controls.set(.zoom, to: .number(2)) }?.message
        == "zoom of cam cannot be set now: another setting of the camera controls it")
  }

  @Test(arguments: [
    (EBUSY, "gain of cam is busy and was not changed; try again, after the recording if one is running"),
    (ERANGE, "cam refuses this gain, although it reports it as possible; choose another"),
    (EINVAL, "cam refuses this gain, although it reports it as possible; choose another"),
    (EIO, "cam does not answer about its gain; try again, and plug it in again if that does not help"),
    (EPIPE, "cam does not answer about its gain; try again, and plug it in again if that does not help"),
    (ENODEV, "cam was unplugged"),
  ])
  func failure_isExplained(number: Int32, sentence: String) throws {
    let controls = webcam()
    port.change(ID.gain) { $0.writeFailure = number }
    let error = refusal { try controls.set(.gain, to: .number(20)) }
    #expect(error?.code == .device)
    #expect(error?.message == sentence)
    #expect(error?.cause?.hasPrefix("VIDIOC_S_CTRL: ") == true)
    #expect(port.value(ID.gain) == 16)
  }

  @Test func readOnlyAndWriteOnly() {
    let controls = webcam()
    port.change(ID.gain) { $0.facts.isReadOnly = true }
    #expect(refusal { try controls.set(.gain, to: .number(20)) }?.message == "gain of cam can only be read")
    port.change(ID.gain) {
      $0.facts.isReadOnly = false
      $0.facts.isWriteOnly = true
    }
    #expect(refusal { try controls.value(of: .gain) }?.message == "gain of cam can be set, but not read")
    #expect(refusal { try controls.set(.gain, to: .number(20)) } == nil)
    #expect(port.value(ID.gain) == 20)
  }

  static let unfit: [(CameraControl, ControlValue, String)] = [
    (.gain, .number(256), "gain of cam takes 0 to 255, not 256"),
    (.gain, .number(-1), "gain of cam takes 0 to 255, not -1"),
    (.gain, .number(.nan), "gain of cam takes 0 to 255, not nan"),
    (.gain, .flag(true), "gain of cam takes 0 to 255, not on"),
    (.exposureTime, .number(0.75), "exposure-time of cam takes 0.0001 to 0.5 s, not 0.75 s"),
    (.exposureTime, .number(1.0 / 16_000), "exposure-time of cam takes 0.0001 to 0.5 s, not 6.25e-05 s"),
    (.exposureMode, .choice("auto"), "exposure-mode of cam takes manual, aperture-priority, not auto"),
    (.exposureMode, .number(1), "exposure-mode of cam takes manual, aperture-priority, not 1"),
  ]

  @Test(arguments: unfit)
  func unfitValue_namesTheLimitsAndTheUnit(control: CameraControl, value: ControlValue, sentence: String) {
    let controls = webcam()
    let error = refusal { try controls.set(control, to: value) }
    #expect(error?.code == .usage)
    #expect(error?.message == sentence)
    #expect(port.log == [])
  }

  @Test func anotherValueThanAskedFor_isWhatIsReadBack() throws {
    let controls = webcam()
    port.change(ID.gain) { $0.applies = { min($0, 64) } }
    #expect(try controls.set(.gain, to: .number(200)) == .number(64))
  }

  // MARK: Nonsense

  static let nonsense: [(String, @Sendable (ScriptedControls) -> Void)] = [
    ("cam reports a range of 255 to 0 for its gain; camrec leaves it alone", { $0.change(ID.gain) { entry in
      (entry.facts.minimum, entry.facts.maximum) = (255, 0)
    } }),
    ("cam reports a range of -9223372036854775808 to 9223372036854775807 for its gain; camrec leaves it alone",
      { $0.change(ID.gain) { entry in (entry.facts.minimum, entry.facts.maximum) = (.min, .max) } }),
    ("cam reports the wrong kind of control for its gain; camrec leaves it alone",
      { $0.change(ID.gain) { entry in entry.facts.kind = .other } }),
    ("cam reports nothing to choose for its exposure-mode; camrec leaves it alone",
      { $0.change(ID.exposureMode) { entry in entry.menu = [:] } }),
    ("cam reports nothing to choose for its exposure-mode; camrec leaves it alone",
      { $0.change(ID.exposureMode) { entry in entry.menu = [7: 0]; entry.facts.maximum = 7 } }),
    ("cam reports nothing to choose for its exposure-mode; camrec leaves it alone",
      { $0.change(ID.exposureMode) { entry in entry.facts.maximum = 1 << 40 } }),
    ("gain of cam is busy and was not changed; try again, after the recording if one is running",
      { $0.change(ID.gain) { entry in entry.queryFailure = EBUSY } }),
  ]

  @Test(arguments: nonsense.indices)
  func uselessControl_isLeftAloneAndSaidOnce(_ index: Int) throws {
    let controls = webcam()
    let before = try controls.offers().count
    ControlRefusalTests.nonsense[index].1(port)
    #expect(try controls.offers().count == before - 1)
    #expect(try controls.offers().count == before - 1)
    #expect(controls.warnings == [ControlRefusalTests.nonsense[index].0])
    #expect(port.log == [])
  }

  @Test func stepZero_isOne() throws {
    let controls = webcam()
    port.change(ID.gain) { $0.facts.step = 0 }
    #expect(try controls.set(.gain, to: .number(17)) == .number(17))
    #expect(controls.warnings == ["cam reports steps of 0 for its gain; camrec uses 1"])
  }

  @Test func valueOutsideOfItsRange_isReportedAsItIs() throws {
    let controls = webcam()
    port.change(ID.gain) { $0.value = 300 }
    #expect(try controls.value(of: .gain) == .number(300))
    #expect(controls.warnings == ["cam reports 300 for its gain, outside its own range of 0 to 255"])
    port.change(ID.exposureMode) { $0.value = 9 }
    #expect(
      refusal { try controls.value(of: .exposureMode) }?.message
        == "cam reports 9 for its exposure-mode, which is not one of manual, aperture-priority")
  }

  @Test func cameraThatIsGone_isSaidToBe() {
    let controls = webcam()
    port.unplug()
    #expect(refusal { try controls.offers() }?.message == "cam was unplugged")
    #expect(refusal { try controls.value(of: .gain) }?.message == "cam was unplugged")
    #expect(refusal { try controls.changes() }?.message == "cam was unplugged")
  }

  // MARK: Several at once

  @Test func several_areSetWithAutomaticsFirst() throws {
    let controls = webcam()
    try controls.set([
      ControlChange(.exposureTime, .number(0.02)), ControlChange(.gain, .number(32)),
      ControlChange(.exposureMode, .choice("manual")),
    ])
    #expect(port.log == ["\(ID.exposureMode)=1", "\(ID.exposureTime)=200", "\(ID.gain)=32"])
  }

  @Test func several_withOneOutOfRange_setNone() {
    let controls = webcam()
    let settings = [ControlChange(.exposureMode, .choice("manual")), ControlChange(.gain, .number(999))]
    #expect(refusal { try controls.set(settings) }?.message == "gain of cam takes 0 to 255, not 999")
    #expect(refusal { try controls.set([settings[0], ControlChange(.tilt, .number(1))]) }?.message
      == "cam has no tilt; turn the camera by hand")
    #expect(port.log == [])
  }

  @Test func reset_switchesAutomaticsOnAndTheRestToItsDefault() throws {
    let controls = webcam()
    port.addFlag(ID.autofocus, false)
    port.addNumber(ID.focus, 0...250, value: 120)
    port.rule(ID.focus, by: ID.autofocus, manual: 0)
    port.add(ID.locks, ControlFacts(id: UInt32(ID.locks), kind: .bitmask, minimum: 0, maximum: 7), value: 1)
    port.change(ID.exposureMode) { $0.value = 1 }
    port.change(ID.gain) { $0.writeFailure = EBUSY }
    var done: [CameraControl: String] = [:]
    try controls.reset { offer, result in
      switch result {
      case .success(let value): done[offer.control] = value.text(in: offer.unit)
      case .failure: done[offer.control] = "failed"
      }
    }
    #expect(
      done == [
        .exposureLock: "off", .whiteBalanceLock: "off", .focusLock: "off", .exposureMode: "aperture-priority",
        .autofocus: "on", .gain: "failed",
      ])
    #expect(port.log == ["\(ID.locks)=0", "\(ID.exposureMode)=3", "\(ID.autofocus)=1"])
    #expect(port.value(ID.focus) == 120)
  }
}

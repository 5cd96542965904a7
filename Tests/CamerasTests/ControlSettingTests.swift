import Cameras
import Frames
import Testing

/// `NAME=VALUE` as people write it.
@Suite struct ControlSettingTests {
  private static let offers = [
    ControlOffer(.exposureMode, .choice(["manual", "auto"]), defaultValue: .choice("auto")),
    ControlOffer(.exposureTime, .number(minimum: 0.0001, maximum: 0.5, step: 0.0001)),
    ControlOffer(.gain, .number(minimum: 0, maximum: 255, step: 1), defaultValue: .number(16)),
    ControlOffer(.iso, .listed([100, 200, 400])),
    ControlOffer(.exposureBias, .listed([-1, 0, 1])),
    ControlOffer(.autoWhiteBalance, .flag),
    ControlOffer(.whiteBalance, .number(minimum: 2800, maximum: 6500, step: 10)),
    ControlOffer(.focusTrigger, .trigger), ControlOffer(.focusPoint, .point),
    ControlOffer(.digitalZoom, .number(minimum: 1, maximum: 8, step: 0)),
    ControlOffer(.pan, .number(minimum: -10, maximum: 10, step: 1)),
  ]

  private func changes(_ text: String, _ offers: [ControlOffer] = offers) throws -> [ControlChange] {
    try ControlSetting(parsing: text).changes(among: offers)
  }

  static let cases: [(String, ControlValue)] = [
    ("exposure-time=1/50", .number(0.02)), ("exposure-time=1/50s", .number(0.02)),
    ("exposure-time=0.02", .number(0.02)),
    ("exposure-time=0.02s", .number(0.02)), ("exposure-time=20ms", .number(0.02)),
    ("exposure-time=200us", .number(0.0002)), ("exposure-time=200µs", .number(0.0002)),
    ("EXPOSURE-MODE=Manual", .choice("manual")), ("exposure-mode=default", .choice("auto")),
    ("gain=default", .number(16)), ("gain=1e2", .number(100)), ("iso=400", .number(400)),
    ("exposure-bias=-1", .number(-1)), ("exposure-bias=+0.7EV", .number(0.7)), ("auto-white-balance=yes", .flag(true)),
    ("auto-white-balance=off", .flag(false)), ("focus-trigger=now", .none), ("focus-trigger=off", .flag(false)),
    ("focus-point=0.5,0.25", .point(x: 0.5, y: 0.25)), ("digital-zoom=2x", .number(2)), ("pan=-2.5°", .number(-2.5)),
    ("pan=3deg", .number(3)),
  ]

  @Test(arguments: cases)
  func isRead(text: String, value: ControlValue) throws {
    let changes = try changes(text)
    #expect(changes.map(\.value) == [value])
  }

  @Test(arguments: [
    ("daylight", 5500.0), ("cloudy", 6500), ("shade", 7500), ("tungsten", 3200), ("fluorescent", 4000),
    ("5600K", 5600), ("5600", 5600), ("Daylight", 5500),
  ])
  func fixedWhiteBalance_endsTheAutomatic(word: String, kelvin: Double) throws {
    #expect(
      try changes("white-balance=\(word)") == [
        ControlChange(.autoWhiteBalance, .flag(false)), ControlChange(.whiteBalance, .number(kelvin)),
      ])
    let fixed = [ControlOffer(.whiteBalance, .number(minimum: 2800, maximum: 6500, step: 10))]
    #expect(try changes("white-balance=\(word)", fixed) == [ControlChange(.whiteBalance, .number(kelvin))])
  }

  @Test func defaultWhiteBalance_endsTheAutomatic() throws {
    let kelvin = ControlOffer(
      .whiteBalance, .number(minimum: 2800, maximum: 6500, step: 10), defaultValue: .number(4600), isRuled: true)
    #expect(
      try changes("white-balance=default", [ControlOffer(.autoWhiteBalance, .flag), kelvin]) == [
        ControlChange(.autoWhiteBalance, .flag(false)), ControlChange(.whiteBalance, .number(4600)),
      ])
    #expect(try changes("white-balance=default", [kelvin]) == [ControlChange(.whiteBalance, .number(4600))])
  }

  @Test func automaticWhiteBalance_isTheSwitchAlone() throws {
    #expect(try changes("white-balance=auto") == [ControlChange(.autoWhiteBalance, .flag(true))])
  }

  static let refused = [
    ("exposure-time", "write a control and its value as NAME=VALUE, as in exposure-time=1/50"),
    ("=1", "write a control and its value as NAME=VALUE, as in exposure-time=1/50"),
    ("gain=", "write a control and its value as NAME=VALUE, as in exposure-time=1/50"),
    (
      "white-balance=candle",
      "white-balance takes kelvin, as in 5600K, or one of auto, daylight (5500 K), cloudy (6500 K), "
        + "shade (7500 K), tungsten (3200 K), fluorescent (4000 K), not 'candle'"
    ),
    ("exposure-time=1/0", "exposure-time takes 0.0001 to 0.5 s, as in 1/50, 0.02 or 20ms, not '1/0'"),
    ("exposure-time=1/2/3", "exposure-time takes 0.0001 to 0.5 s, as in 1/50, 0.02 or 20ms, not '1/2/3'"),
    ("gain=nan", "gain takes 0 to 255, not 'nan'"), ("gain=0x10", "gain takes 0 to 255, not '0x10'"),
    ("gain=16dB", "gain takes 0 to 255, not '16dB'"), ("gain=1e999", "gain takes 0 to 255, not '1e999'"),
    ("auto-white-balance=perhaps", "auto-white-balance takes on or off, not 'perhaps'"),
    ("focus-point=0.5", "focus-point takes a point X,Y, each from 0 to 1, not '0.5'"),
    ("iso=default", "the camera does not report the default of iso; give a value"),
  ]

  @Test(arguments: refused)
  func isRefusedInASentence(text: String, sentence: String) {
    do {
      _ = try changes(text)
      Issue.record("\(text) was taken")
    } catch {
      #expect((error as? CamrecError)?.code == .usage)
      #expect((error as? CamrecError)?.message == sentence)
    }
  }

  @Test func unknownControl_isRefusedWithTheList() {
    do {
      _ = try ControlSetting(parsing: "shutter=180")
      Issue.record("it was taken")
    } catch {
      #expect(error.message.hasPrefix("there is no control 'shutter'; the controls are exposure-mode, exposure-time, "))
      #expect(error.message.hasSuffix("torch, torch-intensity"))
    }
  }

  @Test func everyControlHasASentenceForItsAbsence() {
    let sentences = CameraControl.allCases.map { $0.absence(on: "cam") }
    for (control, sentence) in zip(CameraControl.allCases, sentences) {
      #expect(sentence.hasPrefix("cam has no \(control.rawValue); ") && !sentence.hasSuffix("."))
    }
  }

  @Test func stateFolder_isXDGsElseTheHomes() {
    #expect(StateFolder.path(environment: ["XDG_STATE_HOME": "/s"], home: "/h") == "/s/camrec")
    #expect(StateFolder.path(environment: ["XDG_STATE_HOME": "s"], home: "/h") == "/h/.local/state/camrec")
    #expect(StateFolder.path(environment: [:], home: "/h") == "/h/.local/state/camrec")
  }
}

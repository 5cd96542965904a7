import Foundation
import Frames
import Testing
import Triggers

/// Buttons and lights as the command line says them, and how a light shines.
struct ChoiceTests {
  @Test func buttons() throws {
    let record = try ButtonChoice(parsing: "KEY_RECORD@/dev/input/by-path/platform-button@4-event")
    #expect(
      record.code == 167 && record.action == .toggle && record.device == "/dev/input/by-path/platform-button@4-event")
    let start = try ButtonChoice(parsing: "start:btn_0@/dev/input/event3")
    #expect(start.code == 256 && start.action == .start && start.description == "start:btn_0@/dev/input/event3")
    #expect(try ButtonChoice(parsing: "stop:KEY_F24@/e").code == 194 && ButtonChoice(parsing: "700@/e").code == 700)
    #expect(try ButtonChoice(parsing: "KEY_F1@/e").code == 59 && ButtonChoice(parsing: "KEY_F10@/e").code == 68)
  }

  @Test(arguments: [
    (
      "KEY_RECORD",
      "'KEY_RECORD' is not a button; write a key and its device, as in KEY_RECORD@/dev/input/by-id/usb-…-event-kbd"
    ),
    ("KEY_RECORD@event3", "a button's device must be an absolute path, as in /dev/input/event3, not 'event3'"),
    ("press:KEY_RECORD@/e", "a button's action is toggle, start or stop, not 'press'"),
    (
      "KEY_REC@/e",
      "camrec knows no key named 'KEY_REC'; give its number instead (1 to 767), which 'evtest' shows"
    ),
    (
      "768@/e",
      "camrec knows no key named '768'; give its number instead (1 to 767), which 'evtest' shows"
    ),
  ])
  func buttonsThatAreNone(text: String, sentence: String) {
    let error = #expect(throws: CamrecError.self) { try ButtonChoice(parsing: text) }
    #expect(error?.message == sentence)
  }

  @Test func lights() throws {
    let led = try LightChoice(parsing: "led:red:tally@30")
    #expect(led.lamp == .led(folder: "/sys/class/leds/red:tally") && led.percent == 30)
    #expect(try LightChoice(parsing: "torch") == LightChoice(parsing: "torch@100"))
    #expect(try LightChoice(parsing: "led:/tmp/led").lamp == .led(folder: "/tmp/led"))
    for (text, sentence) in [
      ("led:", "a light must be led:NAME (from /sys/class/leds) or torch (the camera's own), not 'led:'"),
      ("led:../x", "a light must be led:NAME (from /sys/class/leds) or torch (the camera's own), not 'led:../x'"),
      ("lamp", "a light must be led:NAME (from /sys/class/leds) or torch (the camera's own), not 'lamp'"),
      ("torch@0", "a light's brightness is 1 to 100 per cent, as in led:tally@50, not 'torch@0'"),
    ] {
      let error = #expect(throws: CamrecError.self) { try LightChoice(parsing: text) }
      #expect(error?.message == sentence)
    }
  }

  @Test func patterns() {
    let pattern = LightPattern(startBlinks: 3)
    func text(_ sign: LightPattern.Sign, step: Int64) -> String {
      (0..<10).map { pattern.isLit(sign, for: $0 * step * 1_000_000 + 1) ? "#" : "." }.joined()
    }
    #expect(text(.steady, step: 150) == "#.#.#.####")
    #expect(text(.fault, step: 500) == "##..##..##")
    #expect(text(.off, step: 500) == "..........")
    #expect(LightPattern(startBlinks: 0).isLit(.steady, for: 0))
  }

  @Test func anLED_isSwitched_andLeftAsItWas() throws {
    let light = try MadeUpLED()
    let led = try light.takeOver()
    #expect(try light.read("trigger") == "none" && light.read("brightness").hasPrefix("0"))
    try light.write("", "brightness")
    try led.set(true)
    #expect(try light.read("brightness") == "50")
    try light.write("", "brightness")
    try light.write("", "trigger")
    led.restore()
    #expect(try light.read("brightness") == "12" && light.read("trigger") == "heartbeat")
    try FileManager.default.removeItem(at: light.folder)
    #expect(throws: CamrecError.self) { try led.set(true) }
    let error = #expect(throws: CamrecError.self) { try light.takeOver() }
    #expect(
      error?.message
        == "there is no light at '\(light.folder.path)'; list this machine's lights with 'ls /sys/class/leds'")
  }

  @Test func anLEDThatAKilledCamrecLeftLit_isLeftAsThatOneFoundIt() throws {
    let light = try MadeUpLED()
    var killed: LEDFolder? = try light.takeOver()
    try killed?.set(true)
    // One beside it knows no better than what it sees, and takes nothing away from it.
    try light.see(brightness: "50", trigger: "[none] heartbeat timer")
    try light.takeOver().restore()
    #expect(try light.read("brightness") == "50")
    killed = nil
    try light.see(brightness: "50", trigger: "[none] heartbeat timer")
    let led = try light.takeOver()
    try light.see(brightness: "", trigger: "")
    led.restore()
    #expect(try light.read("brightness") == "12" && light.read("trigger") == "heartbeat")
    // And that is over.
    try light.see(brightness: "7", trigger: "none heartbeat [timer]")
    let next = try light.takeOver()
    try light.see(brightness: "", trigger: "")
    next.restore()
    #expect(try light.read("brightness") == "7" && light.read("trigger") == "timer")
  }
}

/// A made-up folder, as the kernel's LED class has them: full at 200, at 12 with a heartbeat.
private final class MadeUpLED {
  let folder: URL
  private let notes: URL

  init() throws {
    let place = FileManager.default.temporaryDirectory
    folder = place.appendingPathComponent("camrec-\(UUID().uuidString)")
    notes = place.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write("200\n", "max_brightness")
    try see(brightness: "12", trigger: "none [heartbeat] timer")
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
    try? FileManager.default.removeItem(at: notes)
  }

  func takeOver() throws -> LEDFolder { try LEDFolder(path: folder.path, percent: 25, folder: notes.path) }

  func see(brightness: String, trigger: String) throws {
    try write(brightness + "\n", "brightness")
    try write(trigger + "\n", "trigger")
  }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).split(separator: "\n").first.map(
      String.init) ?? ""
  }
}

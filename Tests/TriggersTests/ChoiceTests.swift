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
      "a button is a key and its device, as in KEY_RECORD@/dev/input/by-id/usb-…-event-kbd; this is 'KEY_RECORD'"
    ),
    ("KEY_RECORD@event3", "a button's device is a whole path, as in /dev/input/event3; this is 'event3'"),
    ("press:KEY_RECORD@/e", "a button does toggle, start or stop; 'press' is none of them"),
    (
      "KEY_REC@/e",
      "'KEY_REC' is no key that camrec knows by name; 'evtest' shows a key's number, which may stand instead (1 to 767)"
    ),
    (
      "768@/e",
      "'768' is no key that camrec knows by name; 'evtest' shows a key's number, which may stand instead (1 to 767)"
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
      ("led:", "a light is led:NAME, one of /sys/class/leds, or torch, the camera's; this is 'led:'"),
      ("led:../x", "a light is led:NAME, one of /sys/class/leds, or torch, the camera's; this is 'led:../x'"),
      ("lamp", "a light is led:NAME, one of /sys/class/leds, or torch, the camera's; this is 'lamp'"),
      ("torch@0", "a light's brightness is 1 to 100 per cent, as in led:tally@50; this is 'torch@0'"),
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

  /// A made-up folder, as the kernel's LED class has them.
  @Test func anLED_isSwitched_andLeftAsItWas() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    func read(_ name: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).split(separator: "\n").first.map(
        String.init) ?? ""
    }
    for (name, text) in [("brightness", "12\n"), ("max_brightness", "200\n"), ("trigger", "none [heartbeat] timer\n")] {
      try write(text, name)
    }
    let led = try LEDFolder(path: folder.path, percent: 25)
    #expect(try read("trigger") == "none" && read("brightness").hasPrefix("0"))
    try write("", "brightness")
    try led.set(true)
    #expect(try read("brightness") == "50")
    try write("", "brightness")
    try write("", "trigger")
    led.restore()
    #expect(try read("brightness") == "12" && read("trigger") == "heartbeat")
    try FileManager.default.removeItem(at: folder)
    #expect(throws: CamrecError.self) { try led.set(true) }
    let error = #expect(throws: CamrecError.self) { try LEDFolder(path: folder.path, percent: 25) }
    #expect(error?.message == "there is no light at '\(folder.path)'; 'ls /sys/class/leds' names those of this machine")
  }
}

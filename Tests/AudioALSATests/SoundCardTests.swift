import AudioALSA
import Foundation
import Testing

/// Cards are known again by their serial number or port; /proc/asound and /sys are folders made for the test.
struct SoundCardTests {
  private final class Machine {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cards-\(UUID().uuidString)").path
    var sound: String { folder + "/asound" }
    var system: String { folder + "/sys" }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Plugs a card in: `cardN`, called `name`, at a port.
    func plug(_ number: Int, _ name: String, port: String, serial: String?) throws {
      let files = FileManager.default
      let device = "\(system)/devices/usb1/\(port)", interface = "\(device)/\(port):1.0"
      try files.createDirectory(atPath: interface, withIntermediateDirectories: true)
      try "046d\n".write(toFile: device + "/idVendor", atomically: true, encoding: .utf8)
      try "0825\n".write(toFile: device + "/idProduct", atomically: true, encoding: .utf8)
      if let serial { try (serial + "\n").write(toFile: device + "/serial", atomically: true, encoding: .utf8) }
      let card = "\(system)/class/sound/card\(number)"
      try files.createDirectory(atPath: card, withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: card + "/device", withDestinationPath: interface)
      let entry = "\(sound)/card\(number)"
      try files.createDirectory(atPath: entry, withIntermediateDirectories: true)
      try (name + "\n").write(toFile: entry + "/id", atomically: true, encoding: .utf8)
      try files.createSymbolicLink(atPath: "\(sound)/\(name)", withDestinationPath: "card\(number)")
    }

    func unplug(_ number: Int, _ name: String, port: String) throws {
      for path in ["\(sound)/\(name)", "\(sound)/card\(number)", "\(system)/class/sound/card\(number)",
        "\(system)/devices/usb1/\(port)"]
      { try FileManager.default.removeItem(atPath: path) }
    }

    func card(_ device: String) -> SoundCard? { SoundCard(ofDevice: device, sound: sound, system: system) }
    func device(_ card: SoundCard, _ name: String) -> String? { card.device(of: name, sound: sound, system: system) }
  }

  @Test func aSerialNumberIsKnownInAnyPort() throws {
    let machine = Machine(), name = "plughw:CARD=Webcam,DEV=0"
    try machine.plug(0, "Webcam", port: "1-2", serial: "A1")
    let card = try #require(machine.card(name))
    #expect(machine.device(card, name) == name)
    try machine.unplug(0, "Webcam", port: "1-2")
    #expect(machine.device(card, name) == nil)
    try machine.plug(0, "Webcam", port: "1-2", serial: "B2")
    #expect(machine.device(card, name) == nil, "another one of the same make in the same port")
    try machine.plug(1, "Webcam_1", port: "1-3", serial: "A1")
    #expect(machine.device(card, name) == "plughw:CARD=Webcam_1,DEV=0")
  }

  @Test func withoutASerialNumberThePortIsKnown() throws {
    let machine = Machine(), name = "hw:CARD=Mic,DEV=1"
    try machine.plug(0, "Mic", port: "1-2", serial: nil)
    let card = try #require(machine.card(name))
    try machine.unplug(0, "Mic", port: "1-2")
    try machine.plug(0, "Mic", port: "1-4", serial: nil)
    #expect(machine.device(card, name) == nil)
    try machine.plug(2, "Mic_1", port: "1-2", serial: nil)
    #expect(machine.device(card, name) == "hw:CARD=Mic_1,DEV=1")
  }

  @Test func oneSerialNumberOnSeveralIsToldByThePort() throws {
    let machine = Machine(), name = "hw:CARD=Cam"
    try machine.plug(0, "Cam", port: "1-1", serial: "SN0001")
    try machine.plug(1, "Cam_1", port: "1-2", serial: "SN0001")
    let card = try #require(machine.card(name))
    #expect(machine.device(card, name) == name)
    try machine.unplug(0, "Cam", port: "1-1")
    #expect(machine.device(card, name) == "hw:CARD=Cam_1", "the only one that is left")
    try machine.plug(3, "Cam_2", port: "1-5", serial: "SN0001")
    #expect(machine.device(card, name) == nil, "either could be it")
  }

  @Test func whatNamesNoCardIsNone() throws {
    let machine = Machine()
    for name in ["default", "hw:0", "CARD", "hw:CARD=Nobody"] { #expect(machine.card(name) == nil, "\(name)") }
  }
}

import CameraV4L2
import Cameras
import Foundation
import Frames
import Glibc
import Platform
import Synchronization
import Testing

/// Everything that was changed is as found again: after a recording, after a crash, whatever stood in the way.
@Suite struct ControlRestoringTests {
  private let room = StateRoom()
  private let port = ScriptedControls()

  /// A webcam in aperture priority.
  private func webcam() {
    port.addMenu(ID.exposureMode, [1: 0, 3: 0], value: 3, standard: 3)
    port.addNumber(ID.exposureTime, 1...5000, value: 156)
    port.rule(ID.exposureTime, by: ID.exposureMode, manual: 1)
    port.addNumber(ID.gain, 0...255, value: 16)
  }

  @Test func changes_areOnTheDiskBeforeTheyAreMade() throws {
    webcam()
    let controls = room.open(port)
    let seen = Mutex<[Int]>([])
    port.beforeWriting { [room] in
      let file = room.files.first.flatMap { FileManager.default.contents(atPath: room.path + "/" + $0) }
      let text = file.map { String(decoding: $0, as: UTF8.self) } ?? ""
      seen.withLock { $0.append(text.components(separatedBy: "\"value\"").count - 1) }
    }
    try controls.set(.gain, to: .number(20))
    try controls.set(.gain, to: .number(30))
    try controls.set(.exposureMode, to: .choice("manual"))
    #expect(seen.withLock { $0 } == [1, 1, 2])
    #expect(room.files == ["found-id.json"])
    controls.restore()
    #expect(port.value(ID.gain) == 16 && port.value(ID.exposureMode) == 3)
    #expect(room.files == [])
  }

  @Test func whatIsAsItWas_isNeitherNotedNorWritten() throws {
    webcam()
    let controls = room.open(port)
    try controls.set(.exposureMode, to: .choice("aperture-priority"))
    #expect(port.log == [] && room.files == [])
  }

  /// The driver may remember what was read before an automatic moved it.
  @Test func whatAnAutomaticMoves_isWrittenEvenWhereItSeemsToStandThere() throws {
    webcam()
    let controls = room.open(port)
    try controls.set(.gain, to: .number(16))
    #expect(port.log == ["\(ID.gain)=16"])
  }

  @Test func ruledValues_goBackWhileTheirAutomaticIsOff() throws {
    webcam()
    let controls = room.open(port)
    try controls.set([
      ControlChange(.exposureMode, .choice("manual")), ControlChange(.exposureTime, .number(0.02)),
    ])
    port.forgetLog()
    controls.restore()
    #expect(port.log == ["\(ID.exposureTime)=156", "\(ID.exposureMode)=3"])
  }

  /// Found manual, left automatic: first the automatic goes off, then the value back.
  @Test func valueThatAnAutomaticHasTaken_goesBackAfterIt() throws {
    webcam()
    port.change(ID.exposureMode) { $0.value = 1 }
    let controls = room.open(port)
    try controls.set(.exposureTime, to: .number(0.02))
    try controls.set(.exposureMode, to: .choice("aperture-priority"))
    controls.restore()
    #expect(port.value(ID.exposureMode) == 1 && port.value(ID.exposureTime) == 156)
    #expect(room.files == [] && controls.warnings == [])
  }

  @Test func closing_restores() throws {
    webcam()
    var controls: V4L2Controls? = room.open(port)
    try controls?.set(.gain, to: .number(20))
    controls = nil
    #expect(port.value(ID.gain) == 16 && room.files == [])
  }

  @Test func whatIsAskedForForGood_stays() throws {
    webcam()
    let controls = room.open(port, keeping: .forGood)
    try controls.set(.gain, to: .number(20))
    controls.restore()
    #expect(port.value(ID.gain) == 20 && room.files == [])
  }

  // MARK: Crashes

  /// What a camrec that was killed leaves: the file without a lock.
  private func leave(_ found: FoundControls, identity: String = "id") throws {
    var file = FoundFile<FoundControls>(folder: room.path, identity: identity, what: "controls")
    try #require(try file.tryLock())
    try file.write(found)
    file.unlock()
  }

  private let found = FoundControls(values: [
    .init(id: UInt32(ID.exposureMode), value: 3), .init(id: UInt32(ID.gain), value: 7),
  ])

  @Test func whatADeadCamrecLeft_goesBackAtTheNextStart() throws {
    webcam()
    port.change(ID.exposureMode) { $0.value = 1 }
    try leave(found)
    let controls = room.open(port, keeping: .forGood)
    #expect(port.value(ID.gain) == 7 && port.value(ID.exposureMode) == 3)
    #expect(room.files == [])
    #expect(
      controls.warnings
        == ["an earlier camrec left controls of cam changed; they have been put back as it found them"])
  }

  @Test func whatALivingCamrecHasChanged_isLeftAlone() throws {
    webcam()
    var living = FoundFile<FoundControls>(folder: room.path, identity: "id", what: "controls")
    try #require(try living.tryLock())
    try living.write(found)
    let controls = room.open(port)
    #expect(port.log == [] && controls.warnings == [])
    try controls.set(.gain, to: .number(20))
    #expect(
      controls.warnings
        == ["another camrec has changed controls of cam; if this camrec is killed, its changes stay"])
    controls.restore()
    #expect(port.value(ID.gain) == 16)
    #expect(try living.read() == found, "another's file is not ours to remove")
    living.unlock()
  }

  @Test func twoCamerasAtOnce_areTwoValues() throws {
    webcam()
    let other = ScriptedControls()
    other.addNumber(ID.gain, 0...255, value: 50)
    let controls = room.open(port), others = room.open(other, identity: "other")
    try controls.set(.gain, to: .number(20))
    try others.set(.gain, to: .number(60))
    #expect(port.value(ID.gain) == 20 && other.value(ID.gain) == 60)
    #expect(room.files.sorted() == ["found-id.json", "found-other.json"])
    controls.restore()
    #expect(port.value(ID.gain) == 16 && other.value(ID.gain) == 60 && room.files == ["found-other.json"])
    others.restore()
    #expect(other.value(ID.gain) == 50 && room.files == [])
  }

  @Test func anotherCamerasFile_isNotThisOnes() throws {
    webcam()
    // Both make the same file name.
    try leave(found, identity: "a/b")
    let controls = room.open(port, identity: "a b")
    #expect(port.log == [] && controls.warnings == [])
  }

  @Test func whatTheCameraDoesNotTakeBack_isTriedAgain() throws {
    webcam()
    var controls: V4L2Controls? = room.open(port)
    try controls?.set(.gain, to: .number(20))
    try controls?.set(.exposureMode, to: .choice("manual"))
    port.change(ID.gain) { $0.writeFailure = EBUSY }
    controls?.restore()
    #expect(
      controls?.warnings
        == ["cam did not accept all values that camrec put back; the next start tries again"])
    #expect(port.value(ID.gain) == 20 && port.value(ID.exposureMode) == 3)
    controls = nil
    #expect(room.files == ["found-id.json"])
    port.change(ID.gain) { $0.writeFailure = nil }
    _ = room.open(port)
    #expect(port.value(ID.gain) == 16 && room.files == [])
  }

  @Test func secondTry_removesTheFile() throws {
    webcam()
    let controls = room.open(port)
    try controls.set(.gain, to: .number(20))
    port.change(ID.gain) { $0.writeFailure = EBUSY }
    controls.restore()
    port.change(ID.gain) { $0.writeFailure = nil }
    controls.restore()
    #expect(port.value(ID.gain) == 16 && room.files == [])
  }

  @Test func unpluggedCamera_isPutBackWhenItIsThereAgain() throws {
    webcam()
    var controls: V4L2Controls? = room.open(port)
    try controls?.set(.gain, to: .number(20))
    port.unplug()
    controls?.restore()
    controls = nil
    port.plug()
    _ = room.open(port)
    #expect(port.value(ID.gain) == 16 && room.files == [])
  }

  @Test func unreadableFile_isSaidAndOverwritten() throws {
    webcam()
    try FileManager.default.createDirectory(atPath: room.path, withIntermediateDirectories: true)
    try Data("{\"version\":1,".utf8).write(to: URL(fileURLWithPath: room.path + "/found-id.json"))
    let controls = room.open(port)
    #expect(
      controls.warnings == [
        "\(room.path)/found-id.json cannot be read, so the camera's controls stay as an interrupted camrec left them; "
          + "check that they are set as you want them"
      ])
    try controls.set(.gain, to: .number(20))
    controls.restore()
    #expect(port.value(ID.gain) == 16 && room.files == [])
  }

  @Test func folderThatCannotBeWritten_isSaidAndEverythingElseWorks() throws {
    webcam()
    let controls = V4L2Controls(
      name: "cam", identity: "id", port: port, folder: "/proc/camrec", keeping: .untilRestored)
    #expect(controls.warnings == [])
    try controls.set(.gain, to: .number(20))
    try controls.set(.exposureMode, to: .choice("manual"))
    #expect(
      controls.warnings
        == ["the folder /proc/camrec cannot be made; if camrec is killed, the camera's controls stay as it set them"])
    controls.restore()
    #expect(port.value(ID.gain) == 16 && port.value(ID.exposureMode) == 3)
  }

  // MARK: Identity

  /// A part of /sys with one camera on USB.
  private func system(_ attributes: [String: String], index: String = "0") throws -> String {
    let usb = room.path + "/sys/devices/usb1/1-1", node = room.path + "/sys/class/video4linux/video3"
    let manager = FileManager.default
    try manager.createDirectory(atPath: usb + "/1-1:1.0", withIntermediateDirectories: true)
    try manager.createDirectory(atPath: node, withIntermediateDirectories: true)
    try manager.createSymbolicLink(atPath: node + "/device", withDestinationPath: usb + "/1-1:1.0")
    try Data(index.utf8).write(to: URL(fileURLWithPath: node + "/index"))
    for (name, value) in attributes { try Data("\(value)\n".utf8).write(to: URL(fileURLWithPath: "\(usb)/\(name)")) }
    return room.path + "/sys"
  }

  @Test func identity_isTheSerialNumbers() throws {
    let system = try system(["idVendor": "046d", "idProduct": "085e", "serial": "A1"], index: "1\n")
    #expect(SystemDevice(node: "video3", system: system)?.identity(bus: "usb-2") == "usb-046d:085e-A1-1")
    #expect(SystemDevice(node: "video4", system: system) == nil)
  }

  @Test func identityWithoutASerialNumber_isThePorts() throws {
    let system = try system(["idVendor": "046d", "idProduct": "085e"])
    #expect(SystemDevice(node: "video3", system: system)?.identity(bus: "usb-2") == "usb-046d:085e-usb-2-0")
  }
}

import CameraV4L2
import Cameras
import Frames
import Glibc
import Testing

/// What is noticed of changes that somebody else made, and the digital zoom.
@Suite struct ControlChangesTests {
  private let room = StateRoom()
  private let port = ScriptedControls()

  @Test func driverThatTells_isNotAsked() throws {
    port.addNumber(ID.gain, 0...255, value: 16)
    port.change(ID.gain) { $0.tellsChanges = true }
    let controls = room.open(port)
    #expect(try controls.changes() == [])
    port.change(ID.gain) { $0.value = 20 }
    #expect(try controls.changes() == [], "nothing was told")
    port.tell(ID.gain)
    #expect(try controls.changes() == [ControlChange(.gain, .number(20))])
    #expect(try controls.changes() == [])
    port.tell(ID.gain)
    #expect(try controls.changes() == [], "told, but the same")
  }

  @Test func driverThatDoesNotTell_isAsked() throws {
    port.addNumber(ID.gain, 0...255, value: 16)
    let controls = room.open(port)
    #expect(try controls.changes() == [])
    port.change(ID.gain) { $0.value = 20 }
    #expect(try controls.changes() == [ControlChange(.gain, .number(20))])
  }

  /// An automatic moves what it rules without a word.
  @Test func whatAnAutomaticRules_isAsked() throws {
    port.addFlag(ID.autoGain, true)
    port.addNumber(ID.gain, 0...255, value: 16)
    port.rule(ID.gain, by: ID.autoGain, manual: 0)
    for id in [ID.gain, ID.autoGain] { port.change(id) { $0.tellsChanges = true } }
    let controls = room.open(port)
    #expect(try controls.changes() == [])
    port.change(ID.gain) { $0.value = 90 }
    #expect(try controls.changes() == [ControlChange(.gain, .number(90))])
  }

  @Test func ownChanges_areNone() throws {
    port.addNumber(ID.gain, 0...255, value: 16)
    let controls = room.open(port)
    #expect(try controls.changes() == [])
    try controls.set(.gain, to: .number(30))
    #expect(try controls.changes() == [])
  }

  @Test func whatIsKnown_isNotAskedFor() throws {
    port.addNumber(ID.gain, 0...255, value: 16)
    let controls = room.open(port)
    #expect(controls.known(.gain) == nil)
    _ = try controls.changes()
    #expect(controls.known(.gain) == .number(16) && controls.known(.zoom) == nil)
    port.change(ID.gain) { $0.value = 20 }
    #expect(controls.known(.gain) == .number(16))
    try controls.set(.gain, to: .number(30))
    #expect(controls.known(.gain) == .number(30))
    port.unplug()
    #expect(controls.known(.gain) == .number(30))
  }

  @Test func silentControl_doesNotStopTheOthers() throws {
    port.addNumber(ID.gain, 0...255, value: 16)
    port.addNumber(ID.zoom, 1...5, value: 1)
    let controls = room.open(port)
    #expect(try controls.changes() == [])
    port.change(ID.gain) { $0.readFailure = EIO }
    port.change(ID.zoom) { $0.value = 3 }
    #expect(try controls.changes() == [ControlChange(.zoom, .number(3))])
    port.change(ID.gain) {
      $0.readFailure = nil
      $0.value = 17
    }
    #expect(try controls.changes() == [ControlChange(.gain, .number(17))])
  }

  // MARK: Digital zoom

  private let sensor = CropArea(width: 1280, height: 720)

  @Test func digitalZoom_keepsTheCentreAndStaysOnTheSensor() throws {
    port.crops(CropAreas(current: sensor, whole: sensor, bounds: sensor))
    let controls = room.open(port)
    #expect(try controls.value(of: .digitalZoom) == .number(1))
    #expect(try controls.set(.digitalZoom, to: .number(2)) == .number(2))
    #expect(port.area == CropArea(left: 320, top: 180, width: 640, height: 360))
    // A centre in the corner: the larger area is pushed back onto the sensor.
    port.crops(
      CropAreas(current: CropArea(left: 960, top: 540, width: 320, height: 180), whole: sensor, bounds: sensor))
    #expect(try controls.set(.digitalZoom, to: .number(2)) == .number(2))
    #expect(port.area == CropArea(left: 640, top: 360, width: 640, height: 360))
    #expect(
      refusal { try controls.set(.digitalZoom, to: .number(0.5)) }?.message
        == "digital-zoom of cam takes 1 to 45×, not 0.5×")
    controls.restore()
    #expect(port.area == sensor)
  }

  @Test func cropThatWouldChangeTheRecordingsSize_isTakenBack() throws {
    port.crops(CropAreas(current: sensor, whole: sensor, bounds: sensor), scales: false)
    let controls = room.open(port)
    let error = refusal { try controls.set(.digitalZoom, to: .number(2)) }
    #expect(error?.code == .device)
    #expect(
      error?.message
        == "cam crops without enlarging, so the recording would be 640x360; camrec cannot use its digital-zoom")
    #expect(port.area == sensor)
  }

  @Test func areasThatAreNone_areNoDigitalZoom() throws {
    port.crops(CropAreas(current: CropArea(width: 0, height: 0), whole: sensor, bounds: sensor))
    #expect(try room.open(port).offers() == [])
  }
}

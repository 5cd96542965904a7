import CameraV4L2
import Frames
import Glibc
import Testing

/// How the camera is built in, by the driver's control.
@Suite struct SensorRotationTests {
  private let port = ScriptedControls()

  private static let turns: [(Int64, Rotation)] = [
    (0, .none), (90, .threeQuarters), (180, .half), (270, .quarter), (45, .none),
  ]

  @Test(arguments: turns)
  func theControlIsTheCorrection(degrees: Int64, expected: Rotation) throws {
    port.addNumber(ID.sensorRotation, 0...359, value: degrees)
    port.change(ID.sensorRotation) { $0.facts.isReadOnly = true }
    #expect(try port.rotation() == expected)
  }

  @Test func aCameraThatDoesNotSay_isUpright() throws {
    #expect(try port.rotation() == .none)
    port.addNumber(ID.sensorRotation, 0...270, value: 90)
    port.change(ID.sensorRotation) { $0.readFailure = EIO }
    #expect(try port.rotation() == .none)
    port.unplug()
    #expect(throws: V4L2CallError.self) { try port.rotation() }
  }
}

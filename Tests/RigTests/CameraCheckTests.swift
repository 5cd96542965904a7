import Assembly
import Doctor
import Rig
import Testing

/// What the doctor says of a camera that a recorder uses.
@Suite struct CameraCheckTests {
  private let user = CameraUser(name: "front", pid: 4711)
  private let remedy =
    "end that recorder before you use the camera ('camrec ctl --name front quit'), or choose another --camera"

  @Test func freeCamera_isWell() {
    let finding = CameraCheck.finding("/dev/video0 can be used", nil, of: nil)
    #expect(finding == DoctorFinding("camera", .ok, "/dev/video0 can be used"))
  }

  @Test(arguments: [nil, "back"])
  func cameraOfAnotherRecorder_isWarnedOf(_ name: String?) {
    let finding = CameraCheck.finding("/dev/video0 offers 25 fps", user, of: name)
    #expect(finding.verdict == .warning && finding.remedy == remedy)
    #expect(finding.finding == "/dev/video0 offers 25 fps, but recorder front (process 4711) uses it")
    let alone = CameraCheck.finding(user, uses: "/dev/video0", of: name)
    #expect(alone.verdict == .failure && alone.remedy == remedy)
    #expect(alone.finding == "recorder front (process 4711) uses /dev/video0")
  }

  @Test func cameraOfTheRigsOwnRecorder_isWell() {
    let finding = CameraCheck.finding("/dev/video0 offers 25 fps", user, of: "front")
    #expect(finding.verdict == .ok && finding.remedy == nil)
    #expect(finding.finding == "/dev/video0 offers 25 fps; recorder front (process 4711) uses it")
    #expect(CameraCheck.finding(user, uses: "/dev/video0", of: "front").verdict == .ok)
  }
}

import Assembly
import Cameras
import RecorderAPI
import Testing

/// Which recorder has a camera open, by what its state says.
@Suite struct CameraUserTests {
  private func state(_ camera: String?, _ phase: RecorderState.Phase = .recording) -> RecorderState {
    var state = RecorderState(phase: phase)
    state.source = camera.map {
      RecorderState.Source(camera: $0, width: 64, height: 36, frameRate: "25", pixelFormat: "nv12")
    }
    return state
  }

  private func uses(_ state: RecorderState, _ camera: String) throws -> Bool {
    CameraUser.hasOpen(try CameraAddress(parsing: camera), state, among: .standard)
  }

  @Test func deviceIsTheOneOfItsPath() throws {
    #expect(try uses(state("/dev/video4711 (Bench (2))"), "/dev/video4711"))
    #expect(try uses(state("/dev/video4711"), "/dev/video4711"))
    #expect(try uses(state("/dev/../dev/video4711 (Bench)"), "/dev/video4711"), "the paths lead to one file")
    #expect(try !uses(state("/dev/video4712 (Bench)"), "/dev/video4711"))
    #expect(try !uses(state("simulated camera"), "/dev/video4711"))
  }

  @Test func deviceIsUsedWhileItIsOpen() throws {
    #expect(try uses(state("/dev/video4711", .standby), "/dev/video4711"), "with a pre-roll")
    #expect(try uses(state("/dev/video4711", .waiting), "/dev/video4711"), "it is tried")
    for phase in [RecorderState.Phase.standby, .waiting] { #expect(try !uses(state(nil, phase), "/dev/video4711")) }
    #expect(try !uses(state("/dev/video4711", .ended), "/dev/video4711"))
  }

  @Test func simulatedCamera_isUsedByNobodyElse() throws { #expect(try !uses(state("sim"), "sim")) }
}

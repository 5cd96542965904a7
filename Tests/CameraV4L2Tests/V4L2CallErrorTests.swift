import CameraV4L2
import Cameras
import Frames
import Glibc
import Testing

@Suite struct V4L2CallErrorTests {
  @Test(arguments: [
    (EBUSY, "/dev/video0 is in use by another program; close that one or choose another --camera"),
    (
      EACCES,
      "no permission for /dev/video0; add yourself to the group `video` (sudo usermod -aG video $USER) and "
        + "log in again"
    ),
    (ENOENT, "there is no camera /dev/video0; `camrec devices` lists the cameras"),
    (ENODEV, "/dev/video0 was unplugged"),
    (ENOTTY, "/dev/video0 is not a camera; `camrec devices` lists the cameras"),
    (ERANGE, "/dev/video0 failed at VIDIOC_S_FMT"),
  ])
  func sentence_saysWhatIsWrongAndWhatToDo(number: Int32, sentence: String) {
    let error = V4L2CallError(call: "VIDIOC_S_FMT", number: number).explained(device: "/dev/video0")
    #expect(error.code == .device)
    #expect(error.message == sentence)
    #expect(error.cause?.hasPrefix("VIDIOC_S_FMT: ") == true)
  }

  @Test func openingWhatIsNoCamera_isRefused() {
    func refusal(_ path: String) -> CamrecError? {
      do throws(CamrecError) {
        _ = try V4L2Camera.open(path: path, request: .init())
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal("/dev/null")?.message == "/dev/null is not a camera; `camrec devices` lists the cameras")
    #expect(refusal("/")?.message.hasPrefix("/ is not a camera") == true)
    #expect(refusal("/dev/video-none")?.message.hasPrefix("there is no camera /dev/video-none") == true)
    #expect(refusal("/dev/video-none")?.code == .device)
  }
}

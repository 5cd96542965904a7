package import Frames
import Glibc
import Platform

/// A failed call, with the kernel's error number.
package struct V4L2CallError: Error {
  /// The ioctl or system call: `VIDIOC_DQBUF`.
  package let call: StaticString
  /// The error number: `ENODEV`.
  package let number: Int32

  package init(call: StaticString, number: Int32) {
    self.call = call
    self.number = number
  }

  /// `VIDIOC_DQBUF: Input/output error`.
  package var cause: String { "\(call): \(SystemError.words(for: number))" }

  /// The device is gone.
  package var isGone: Bool { number == ENODEV }

  /// The message for people, with what to do.
  ///
  /// - Parameter device: the device's name for messages: `/dev/video0 (Logitech BRIO)`.
  package func explained(device: String) -> CamrecError {
    CamrecError(.device, about: .camera, sentence(device), cause: cause, reason: reason)
  }

  private var reason: RefusalReason? {
    switch number {
    case ENOENT, ENXIO: .noDevice
    case ENODEV: .unplugged
    case EBUSY: .inUse
    default: nil
    }
  }

  private func sentence(_ device: String) -> Sentence {
    switch number {
    case ENOENT, ENXIO:
      return "there is no camera \(device); `camrec devices` lists the cameras"
    case ENODEV:
      return "\(device) was unplugged"
    case EACCES, EPERM:
      return "no permission for \(device); add yourself to the group `video` (sudo usermod -aG video $USER) and "
        + "log in again"
    case EBUSY:
      return "\(device) is in use by another program; close that one or choose another \(setting: .camera)"
    case EIO:
      return "\(device) failed while streaming; plug it in again, in another port or without a hub"
    case ENOSPC:
      return "the USB bus has no bandwidth left for \(device); choose a smaller \(setting: .size), a lower "
        + "\(setting: .fps) or \(setting: .pixelFormat) mjpeg, or plug it into another port"
    case ENOMEM:
      return "the kernel has no memory for the buffers of \(device); choose a smaller \(setting: .size)"
    case EPIPE, ENOLINK:
      return "\(device) has no video source connected; a camera that needs libcamera (MIPI, Raspberry Pi CSI) is not "
        + "supported, and an HDMI input needs a signal"
    case ENOTTY, EISDIR:
      return "\(device) is not a camera; `camrec devices` lists the cameras"
    default:
      return "\(device) failed at \(call)"
    }
  }
}

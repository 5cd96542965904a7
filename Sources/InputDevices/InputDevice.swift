import CInput
import Frames
import Glibc

/// A key or button of the kernel's input devices, read event by event.
///
/// Thread: one at a time.
final class InputDevice {
  /// The result of one read.
  enum Reading {
    case events([CInput_event])
    /// The device is gone.
    case ended
  }

  let descriptor: Int32
  /// Events carry times of the monotonic clock.
  let isStamped: Bool

  /// - Throws: code `device`.
  init(path: String, code: UInt16, grabs: Bool) throws(CamrecError) {
    // Set the properties last: once all are set, `deinit` closes the descriptor after an error.
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputDevice.refusal(path, errno) }
    if CInput_hasKey(descriptor, code) == 0 {
      Glibc.close(descriptor)
      throw CamrecError(
        .device, "the input device '\(path)' has no key with the number \(code); 'evtest' shows its keys")
    }
    if grabs, CInput_grab(descriptor, 1) != 0 {
      let number = errno
      Glibc.close(descriptor)
      throw CamrecError(
        .device,
        "cannot grab the input device '\(path)'; close the program that has grabbed it, or leave out --button-grab",
        cause: SystemError.words(for: number))
    }
    isStamped = CInput_useMonotonicClock(descriptor) == 0
    self.descriptor = descriptor
  }

  deinit { Glibc.close(descriptor) }

  /// Waits until an event arrives, for at most this long.
  func wait(milliseconds: Int32) {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&wanted, 1, milliseconds)
  }

  func read() -> Reading {
    var events = [CInput_event](repeating: CInput_event(), count: 64)
    let count = CInput_read(descriptor, &events, 64)
    if count > 0 { return .events(Array(events.prefix(Int(count)))) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .events([]) : .ended
  }

  private static func refusal(_ path: String, _ number: Int32) -> CamrecError {
    let rest =
      switch number {
      case EACCES, EPERM: "; join the group input: usermod -aG input USER, or for the service "
          + "SupplementaryGroups=input and DeviceAllow=char-input r (systemctl edit camrec-rig)"
      case ENOENT, ENODEV, ENXIO: "; list the devices with 'ls -l /dev/input/by-id /dev/input/by-path'"
      default: ""
      }
    return CamrecError(
      .device, "cannot open the input device '\(path)'\(rest)", cause: SystemError.words(for: number))
  }
}

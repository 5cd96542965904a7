import CInput
import Frames
import Glibc

/// A key or button of the kernel's input devices, read event by event.
///
/// Thread: one at a time.
final class InputDevice {
  /// What was read at once.
  enum Reading {
    case events([CInput_event])
    /// It is gone.
    case ended
  }

  let descriptor: Int32
  /// Its events are stamped by the monotonic clock.
  let isStamped: Bool

  /// - Throws: code `device`.
  init(path: String, code: UInt16, grabs: Bool) throws(CamrecError) {
    // Its properties come last: once all are set, `deinit` closes what an error leaves.
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputDevice.refusal(path, errno) }
    if CInput_hasKey(descriptor, code) == 0 {
      Glibc.close(descriptor)
      throw CamrecError(
        .device, "the input device '\(path)' has no key of the number \(code); 'evtest' shows those that it has")
    }
    if grabs, CInput_grab(descriptor, 1) != 0 {
      let number = errno
      Glibc.close(descriptor)
      throw CamrecError(
        .device,
        "the input device '\(path)' cannot be had alone; another program may have it already (leave out --button-grab)",
        cause: SystemError.words(for: number))
    }
    isStamped = CInput_useMonotonicClock(descriptor) == 0
    self.descriptor = descriptor
  }

  deinit { Glibc.close(descriptor) }

  /// Waits until something has come, but not for longer than that.
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
      case EACCES, EPERM: "; members of the group input may read it: usermod -aG input USER, or for the service "
          + "SupplementaryGroups=input and DeviceAllow=char-input r (systemctl edit camrec-rig)"
      case ENOENT, ENODEV, ENXIO: "; 'ls -l /dev/input/by-id /dev/input/by-path' names those that are there"
      default: ""
      }
    return CamrecError(
      .device, "the input device '\(path)' cannot be opened\(rest)", cause: SystemError.words(for: number))
  }
}

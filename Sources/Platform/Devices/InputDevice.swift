import CPlatform
public import Frames
import Glibc

/// A key or button of the kernel's input devices, read event by event.
///
/// Thread: one at a time.
public final class InputDevice {
  /// A change of a key.
  public struct Event: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      case key
      /// Events were lost before this one.
      case lost
      case other
    }

    public let kind: Kind
    /// The key's number, `linux/input-event-codes.h`.
    public let code: UInt16
    /// 0: released, 1: pressed, 2: repeated.
    public let value: Int32
    /// Nanoseconds on the monotonic clock, if the device `isStamped`.
    public let time: Int64
  }

  /// The result of one read.
  public enum Reading {
    case events([Event])
    /// The device is gone.
    case ended
  }

  private let descriptor: Int32
  /// Events carry times of the monotonic clock.
  public let isStamped: Bool

  /// - Parameters:
  ///   - code: the number of a key that it must have.
  ///   - grabs: whether to keep its events from other programs.
  /// - Throws: code `device`.
  public init(path: String, code: UInt16, grabs: Bool) throws(CamrecError) {
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
        .device, about: .buttonGrab,
        "cannot grab the input device '\(path)'; close the program that has grabbed it, or leave out "
          + "\(setting: .buttonGrab)",
        cause: SystemError.words(for: number), reason: .inUse)
    }
    isStamped = CInput_useMonotonicClock(descriptor) == 0
    self.descriptor = descriptor
  }

  deinit { Glibc.close(descriptor) }

  /// Waits until an event arrives, for at most this long.
  public func wait(milliseconds: Int32) {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&wanted, 1, milliseconds)
  }

  /// The events that have arrived; does not wait.
  public func read() -> Reading {
    var events = [CInput_event](repeating: CInput_event(), count: 64)
    let count = CInput_read(descriptor, &events, 64)
    if count > 0 { return .events(events.prefix(Int(count)).map(Event.init)) }
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

extension InputDevice.Event {
  fileprivate init(_ event: CInput_event) {
    kind = event.kind == 1 ? .key : event.kind == 0 ? .lost : .other
    code = event.code
    value = event.value
    time = event.time
  }
}

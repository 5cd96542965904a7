import Frames
import RecorderAPI

/// The header that `Documentation/MonitorProtocol.md` shows.
enum ExampleHeader {
  static func make() -> MonitorHeader {
    var header = MonitorHeader(.picture, subscription: 1, sequence: 17, payloadLength: 51_200)
    header.frameNumber = 240
    header.captureTime = MonotonicTime(nanoseconds: 8_123_456_789_012)
    header.tapTime = MonotonicTime(nanoseconds: 8_123_490_123_456)
    header.sendTime = MonotonicTime(nanoseconds: 8_123_493_000_000)
    header.exposureTime = 0.02
    header.iso = 400
    header.colors = MonitorColors(ColorDescription(matrix: .rec601, range: .full, transfer: .srgb, primaries: .rec709))
    header.flags = [.graded, .recording, .exposureSettled]
    (header.width, header.height) = (960, 540)
    return header
  }

  /// Made by Python's `struct`.
  static let hex = """
    58 00 01 01 01 00 00 00 11 00 00 00 00 00 00 00
    f0 00 00 00 00 00 00 00 14 9a c1 63 63 07 00 00
    c0 3e be 65 63 07 00 00 40 23 ea 65 63 07 00 00
    00 2d 31 01 00 00 00 00 00 00 c8 43 06 01 0d 01
    0f 00 00 00 0b 00 00 00 c0 03 1c 02 00 00 00 00
    00 c8 00 00 00 00 00 00
    """
}

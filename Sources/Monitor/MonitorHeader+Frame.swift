import Frames
import Recorder
import RecorderAPI

extension MonitorHeader {
  /// Says what is known of a frame. The subscription and its number are the subscriber's.
  init(_ kind: MonitorKind, _ facts: TappedFrame, _ color: MonitorColors, _ flags: MonitorFlags) {
    self.init(kind, sequence: 0)
    frameNumber = Int64(clamping: facts.sequence)
    captureTime = facts.captureTime
    tapTime = facts.tapTime
    exposureTime = facts.exposure?.exposureTime
    iso = Float(facts.exposure?.iso ?? 0)
    colors = color
    self.flags = flags
  }
}

import Foundation
import Frames
import Platform
public import RecorderAPI

extension StateRecord {
  /// A record of this moment.
  public init(
    camrec: String, name: String, writer: StateWriter, state: RecorderState, failedStarts: Int? = nil,
    socket: String? = nil, monitor: String? = nil
  ) {
    self.init(
      camrec: camrec, name: name, writer: writer, time: Date(), uptime: StateRecord.uptime(), state: state,
      failedStarts: failedStarts, socket: socket, monitor: monitor)
  }

  /// Seconds on `CLOCK_MONOTONIC`.
  public static func uptime() -> Double { Double(MonotonicTime.now().nanoseconds) * 1e-9 }
}

/// The calls to a stream: the kernel's, or a script's in tests.
///
/// Thread: `queue` on any thread, all others on one thread at a time. Nothing in `wait`, `dequeue`, `nextEvent` and
/// `queue` allocates.
package protocol StreamPort: AnyObject, Sendable {
  /// Starts the stream; every buffer must be queued.
  func start() throws(V4L2CallError)
  /// Waits for something to happen.
  func wait(milliseconds: Int32) throws(V4L2CallError) -> StreamReadiness
  /// The next filled buffer; `nil` if there is none now.
  func dequeue() throws(V4L2CallError) -> FilledBuffer?
  /// The next event; `nil` if there is none.
  func nextEvent() throws(V4L2CallError) -> StreamEvent?
  /// Gives a buffer to the driver to fill.
  func queue(buffer index: Int) throws(V4L2CallError)
  /// Ends the stream; the driver releases every buffer, and `start` can follow.
  func halt() throws(V4L2CallError)
  /// Ends the stream and restores the device as it was found. Further calls do nothing.
  func stop()
}

package struct StreamReadiness: OptionSet, Sendable {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let buffer = StreamReadiness(rawValue: 1)
  package static let event = StreamReadiness(rawValue: 2)
  /// Something failed; the next call reports what.
  package static let failure = StreamReadiness(rawValue: 4)
}

package enum StreamEvent: Hashable, Sendable {
  case sourceChange
  case other
}

/// A buffer that the driver delivered.
package struct FilledBuffer: Sendable {
  package var index: Int
  /// The driver's own count of frames.
  package var sequence: UInt32
  /// Nanoseconds on the monotonic clock; `nil` if the driver uses another clock.
  package var timestamp: Int64?
  /// The stamp marks the frame's end, not the start of its exposure.
  package var isStampedAtEnd: Bool
  /// The driver says that the data may be damaged.
  package var isDamaged: Bool
  /// Bytes in use in each plane that has memory of its own, including those before the frame.
  package var bytes: PlaneBytes
  /// Bytes before the frame in each of these planes.
  package var offsets: PlaneBytes

  package init(
    index: Int, sequence: UInt32, timestamp: Int64?, isStampedAtEnd: Bool = false, isDamaged: Bool = false,
    bytes: PlaneBytes, offsets: PlaneBytes = .zero
  ) {
    self.index = index
    self.sequence = sequence
    self.timestamp = timestamp
    self.isStampedAtEnd = isStampedAtEnd
    self.isDamaged = isDamaged
    self.bytes = bytes
    self.offsets = offsets
  }
}

/// A number of bytes for each of up to three planes; 0 for missing planes.
package struct PlaneBytes: Hashable, Sendable {
  package var first: Int
  package var second: Int
  package var third: Int

  package init(_ first: Int, _ second: Int = 0, _ third: Int = 0) {
    self.first = first
    self.second = second
    self.third = third
  }

  package static let zero = PlaneBytes(0)

  package subscript(plane: Int) -> Int {
    switch plane {
    case 0: first
    case 1: second
    default: third
    }
  }

  package static func + (a: PlaneBytes, b: PlaneBytes) -> PlaneBytes {
    PlaneBytes(a.first + b.first, a.second + b.second, a.third + b.third)
  }

  /// Whether each plane has at least the bytes of `needed`.
  package func covers(_ needed: PlaneBytes) -> Bool {
    first >= needed.first && second >= needed.second && third >= needed.third
  }
}

public import Frames

/// A reusable run of interleaved PCM with the time of its first frame. Allocated once; moved, never shared.
@safe public struct AudioBuffer: ~Copyable, @unchecked Sendable {
  // @unchecked Sendable: the samples belong to this noncopyable value alone.
  public let format: AudioFormat
  /// Audio frames that fit.
  public let capacity: Int
  /// Audio frames in the buffer, 0…capacity.
  public var count: Int = 0
  /// When the first audio frame was sampled, on the monotonic clock (for a clip, the clock it shares with its camera).
  public var time = MonotonicTime(nanoseconds: 0)
  /// Audio frames that the device lost right before the first one.
  public var lostBefore: Int = 0
  private let samples: UnsafeMutableRawPointer

  public init(format: AudioFormat, capacity: Int) {
    precondition(capacity > 0, "a buffer holds something")
    self.format = format
    self.capacity = capacity
    unsafe samples = UnsafeMutableRawPointer.allocate(byteCount: capacity * format.bytesPerFrame, alignment: 64)
    unsafe samples.initializeMemory(as: UInt8.self, repeating: 0, count: capacity * format.bytesPerFrame)
  }

  deinit { unsafe samples.deallocate() }

  /// The bytes of the `count` audio frames in the buffer.
  public borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe body(UnsafeRawBufferPointer(start: samples, count: count * format.bytesPerFrame))
  }

  /// All bytes, used or not, to write.
  public mutating func withMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
    try unsafe body(UnsafeMutableRawBufferPointer(start: samples, count: capacity * format.bytesPerFrame))
  }
}

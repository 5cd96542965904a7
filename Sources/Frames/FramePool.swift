import Synchronization

/// A fixed number of frames of one format, allocated once, each aligned to 64 bytes with 64 bytes of slack behind it.
///
/// Thread: any. `take` and the return of a frame neither allocate nor wait for more than a short lock.
///
/// `@unchecked Sendable`: `free` is the only mutable state and is touched only under its mutex.
@safe public final class FramePool: FrameOwner, @unchecked Sendable {
  public let format: FrameFormat
  public let capacity: Int
  private let slab: UnsafeMutableRawPointer
  private let free: Mutex<[FrameStorage]>

  /// - Parameter capacity: frames that may be lent at once, at least 1.
  public init(format: FrameFormat, capacity: Int) {
    precondition(capacity >= 1, "a pool holds at least one frame")
    self.format = format
    self.capacity = capacity
    let frameBytes = (format.byteCount + 127) & ~63
    let slab = UnsafeMutableRawPointer.allocate(byteCount: frameBytes * capacity, alignment: 64)
    unsafe slab.initializeMemory(as: UInt8.self, repeating: 0, count: frameBytes * capacity)
    let storages = (0..<capacity).map { index in
      var offset = index * frameBytes
      var planes: [UnsafeMutableRawPointer] = unsafe []
      for plane in 0..<format.planeCount {
        unsafe planes.append(slab + offset)
        offset += format.planeBytes(plane)
      }
      return unsafe FrameStorage(planes: planes, index: index)
    }
    unsafe self.slab = slab
    free = Mutex(storages)
  }

  deinit { unsafe slab.deallocate() }

  /// A frame with undefined samples, or `nil` when all are lent.
  public func take() -> Frame? {
    guard let storage = free.withLock({ $0.popLast() }) else { return nil }
    return Frame(format: format, storage: storage, owner: self)
  }

  /// Frames that could be taken now.
  public var available: Int { free.withLock { $0.count } }

  public func frameEnded(_ storage: FrameStorage) { free.withLock { $0.append(storage) } }
}

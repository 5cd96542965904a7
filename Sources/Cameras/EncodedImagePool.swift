import Frames
import Synchronization

/// A fixed number of buffers for encoded images, allocated once.
///
/// Thread: any. `take` and the return of an image neither allocate nor wait for more than a short lock.
///
/// `@unchecked Sendable`: `free` is the only mutable state and is touched only under its mutex.
@safe final class EncodedImagePool: FrameOwner, @unchecked Sendable {
  let bufferBytes: Int
  let capacity: Int
  private let slab: UnsafeMutableRawPointer
  private let free: Mutex<[FrameStorage]>

  init(bufferBytes: Int, capacity: Int) {
    precondition(bufferBytes > 0 && capacity > 0, "a pool holds at least one buffer")
    self.bufferBytes = bufferBytes
    self.capacity = capacity
    let pitch = (bufferBytes + 127) & ~63
    let slab = UnsafeMutableRawPointer.allocate(byteCount: pitch * capacity, alignment: 64)
    unsafe slab.initializeMemory(as: UInt8.self, repeating: 0, count: pitch * capacity)
    unsafe self.slab = slab
    free = Mutex((0..<capacity).map { index in unsafe FrameStorage(planes: [slab + index * pitch], index: index) })
  }

  deinit { unsafe slab.deallocate() }

  /// A buffer, or `nil` when all are lent. It must come back through `frameEnded`, by itself or as an image.
  func take() -> FrameStorage? { free.withLock { $0.popLast() } }

  func frameEnded(_ storage: FrameStorage) { free.withLock { $0.append(storage) } }
}

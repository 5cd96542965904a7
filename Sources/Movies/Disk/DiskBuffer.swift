/// Keeps account of the bytes in a `DiskMemory` that wait for the disk, and of where each belongs in the file. They are
/// written in the order in which they came.
///
/// An empty buffer starts again at the beginning of its memory, so a buffer that never fills touches no more memory
/// than it has held at most. No locking: `DiskWriter` adds it.
struct DiskBuffer {
  /// Bytes that follow one another in the file.
  private struct Extent {
    var offset: Int64 = 0
    var count = 0
  }

  /// A part of the oldest bytes that one call can write.
  struct Piece {
    let memory: Range<Int>
    /// In the file.
    let offset: Int64
  }

  let capacity: Int
  private(set) var count = 0
  private var head = 0
  private var extents = [Extent](repeating: Extent(), count: mostExtents)
  private var firstExtent = 0
  private var extentCount = 0

  /// A muxer seeks a few times at a film's end, and hardly ever before.
  private static let mostExtents = 256

  init(capacity: Int) { self.capacity = capacity }

  /// - Returns: how many of `bytes`, from the first on, have fitted.
  mutating func append(_ bytes: RawSpan, at offset: Int64, in memory: DiskMemory) -> Int {
    let taken = min(bytes.byteCount, capacity - count)
    guard taken > 0 else { return 0 }
    let newest = index(extentCount - 1)
    if extentCount > 0, extents[newest].offset + Int64(extents[newest].count) == offset {
      extents[newest].count += taken
    } else {
      guard extentCount < DiskBuffer.mostExtents else { return 0 }
      extents[index(extentCount)] = Extent(offset: offset, count: taken)
      extentCount += 1
    }
    memory.put(bytes, count: taken, at: (head + count) % capacity)
    count += taken
    return taken
  }

  /// At most `limit` bytes; `nil` when nothing waits.
  func first(_ limit: Int) -> Piece? {
    guard extentCount > 0 else { return nil }
    let oldest = extents[firstExtent]
    return Piece(memory: head..<head + min(oldest.count, capacity - head, limit), offset: oldest.offset)
  }

  /// The first `done` bytes of the oldest piece are written.
  mutating func removeFirst(_ done: Int) {
    extents[firstExtent].offset += Int64(done)
    extents[firstExtent].count -= done
    if extents[firstExtent].count == 0 {
      firstExtent = index(1)
      extentCount -= 1
    }
    count -= done
    head = count == 0 ? 0 : (head + done) % capacity
  }

  mutating func removeAll() { (count, head, extentCount) = (0, 0, 0) }

  private func index(_ place: Int) -> Int {
    (firstExtent + place + DiskBuffer.mostExtents) % DiskBuffer.mostExtents
  }
}

import CFFmpeg

/// Packets in the order in which they came. Their bytes are in memory that is reserved up front and touched as it
/// fills.
///
/// Thread: one at a time.
final class PacketRing {
  /// What is known of a packet apart from its bytes.
  struct Entry {
    /// The packet's place among those of several rings.
    var order: UInt64
    /// The presentation and decoding times in ticks; for audio, the number of its first sample.
    var time: Int64
    var decodingTime: Int64 = 0
    /// `AVPacket.flags`.
    var flags: Int32 = 0
    var count = 0
  }

  let capacity: Int
  private(set) var bytes = 0
  private let memory: UnsafeMutableRawBufferPointer
  private var head = 0
  private var entries: [Entry] = []
  private var firstEntry = 0

  /// How many entries may be dropped before the list is compacted.
  private static let room = 1024

  init(capacity: Int) {
    self.capacity = capacity
    memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 4096)
  }

  deinit { memory.deallocate() }

  var first: Entry? { firstEntry < entries.count ? entries[firstEntry] : nil }
  var isEmpty: Bool { first == nil }

  func hasRoom(for count: Int) -> Bool { bytes + count <= capacity }

  /// - Precondition: there is room.
  func append(_ entry: Entry, _ source: UnsafeRawBufferPointer) {
    var entry = entry
    entry.count = source.count
    entries.append(entry)
    let start = (head + bytes) % capacity, front = min(source.count, capacity - start)
    copy(UnsafeRawBufferPointer(rebasing: source[..<front]), to: start)
    copy(UnsafeRawBufferPointer(rebasing: source[front...]), to: 0)
    bytes += source.count
  }

  /// Copies the first packet's bytes to `target`, which has room for them.
  func copyFirst(to target: UnsafeMutableRawPointer) {
    guard let first else { return }
    let target = UnsafeMutableRawBufferPointer(start: target, count: first.count)
    let front = min(first.count, capacity - head)
    UnsafeMutableRawBufferPointer(rebasing: target[..<front])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[head..<head + front]))
    UnsafeMutableRawBufferPointer(rebasing: target[front...])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<(first.count - front)]))
  }

  func dropFirst() {
    guard let first else { return }
    firstEntry += 1
    bytes -= first.count
    head = bytes == 0 ? 0 : (head + first.count) % capacity
    guard firstEntry >= PacketRing.room, firstEntry * 2 > entries.count else { return }
    entries.removeSubrange(..<firstEntry)
    firstEntry = 0
  }

  private func copy(_ source: UnsafeRawBufferPointer, to start: Int) {
    UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + source.count]).copyMemory(from: source)
  }
}

package import Frames
import Platform
import Synchronization

/// The latest frame of one kind, in two memories of its own.
///
/// The frame path pays one relaxed load while nobody reads. Otherwise it copies the frame into whichever memory nobody
/// reads, and rings the readers; if both are being read, they miss that frame. It never waits and never allocates, and
/// a reader never holds a frame of the camera's. One reader at a time may borrow a memory for as long as it likes; all
/// others copy.
///
/// Thread: any; frames come from one thread at a time.
public final class TapSlot: Sendable {
  /// Two frames, and a place for each reader.
  private final class Memory: Sendable {
    let first: TapBuffer
    let second: TapBuffer
    let seats = (0..<TapSlot.mostReaders).map { _ in TapSeat() }

    init(capacity: Int) {
      first = TapBuffer(capacity: capacity)
      second = TapBuffer(capacity: capacity)
    }

    func buffer(_ index: Int) -> TapBuffer { index == 0 ? first : second }
  }

  private let capacity: Int
  private let readers = Atomic<Int>(0)
  /// Made by the first reader.
  private let memory = AtomicLazyReference<Memory>()
  /// The memory with the latest frame; −1 while there is none.
  private let latest = Atomic<Int>(-1)
  private let borrowed = Atomic<Bool>(false)

  /// Readers of a slot at once.
  public static let mostReaders = 8

  /// - Parameter capacity: bytes of the largest frame.
  init(capacity: Int) { self.capacity = capacity }

  public var readerCount: Int { readers.load(ordering: .relaxed) }

  // MARK: The frame path

  /// Copies a frame for the readers, if there are any.
  package func offer(
    _ frame: borrowing Frame, sequence: UInt64, index: Int64? = nil, captureTime: MonotonicTime,
    exposure: ExposureRecord?
  ) {
    guard readers.load(ordering: .relaxed) > 0, let memory = memory.load(), let place = claim(memory) else { return }
    let isFilled = memory.buffer(place).fill(
      frame,
      TappedFrame(
        content: .frame(frame.format), sequence: sequence, index: index, captureTime: captureTime, tapTime: .now(),
        exposure: exposure))
    publish(place, memory, isFilled)
  }

  /// Copies the bytes of an encoded image.
  func offer(
    _ image: borrowing EncodedImage, sequence: UInt64, captureTime: MonotonicTime, exposure: ExposureRecord?
  ) {
    guard readers.load(ordering: .relaxed) > 0, let memory = memory.load(), let place = claim(memory) else { return }
    let isFilled = memory.buffer(place).fill(
      image,
      TappedFrame(
        content: .encoded(
          image.encoding, byteCount: image.byteCount, stride: image.stride,
          decodesAlone: TapSlot.decodesAlone(image.encoding)),
        sequence: sequence, index: nil, captureTime: captureTime, tapTime: .now(), exposure: exposure))
    publish(place, memory, isFilled)
  }

  /// A memory that nobody reads; the one with the older frame, if there is a choice.
  private func claim(_ memory: Memory) -> Int? {
    let first = latest.load(ordering: .relaxed) == 0 ? 1 : 0, second = 1 - first
    if memory.buffer(first).beginFilling() { return first }
    guard memory.buffer(second).beginFilling() else { return nil }
    latest.store(-1, ordering: .relaxed)
    return second
  }

  private func publish(_ place: Int, _ memory: Memory, _ isFilled: Bool) {
    memory.buffer(place).endFilling()
    guard isFilled else { return }
    latest.store(place, ordering: .releasing)
    for seat in memory.seats { seat.ring() }
  }

  /// Whether each image of this encoding stands by itself. The frames of H.264 and its kin depend on others.
  private static func decodesAlone(_ encoding: FourCC) -> Bool {
    !dependent.contains(encoding)
  }

  private static let dependent: Set<FourCC> = Set(["H264", "HEVC", "VP80", "VP90", "MPG4"].map { FourCC($0) })

  // MARK: Readers

  /// What is known of the latest frame; `nil` while there is none, or it is being replaced.
  public var newest: TappedFrame? {
    guard let buffer = beginReading(after: nil) else { return nil }
    defer { buffer.endReading() }
    return buffer.facts
  }

  /// Begins to read: from now on the frame path copies frames here.
  ///
  /// - Returns: `nil` if `mostReaders` read already, or the process has no descriptors left.
  public func open() -> TapReader? {
    let memory = memory.storeIfNil(Memory(capacity: capacity))
    guard let seat = memory.seats.first(where: { $0.take() }) else { return nil }
    guard seat.prepare() else {
      seat.leave()
      return nil
    }
    readers.add(1, ordering: .releasing)
    return TapReader(self, seat)
  }

  func leave(_ seat: TapSeat) {
    readers.subtract(1, ordering: .releasing)
    seat.leave()
  }

  /// Claims the latest frame for reading, if it is not one that the reader has had.
  func beginReading(after sequence: UInt64?) -> TapBuffer? {
    guard let memory = memory.load() else { return nil }
    let place = latest.load(ordering: .acquiring)
    guard place >= 0 else { return nil }
    let buffer = memory.buffer(place)
    guard buffer.beginReading() else { return nil }
    guard let facts = buffer.facts, sequence.map({ facts.sequence > $0 }) ?? true else {
      buffer.endReading()
      return nil
    }
    return buffer
  }

  /// Only one reader at a time.
  func beginBorrowing() -> Bool {
    borrowed.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  func endBorrowing() { borrowed.store(false, ordering: .releasing) }
}

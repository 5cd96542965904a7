import Frames
import Synchronization

/// One of the two memories of a slot: filled by the frame path, read by whoever looks, never both at once.
///
/// `@unchecked Sendable`: `room`, `bytes` and `frame` are touched only by whoever has a claim on the buffer.
@safe final class TapBuffer: @unchecked Sendable {
  /// Readers at work; −1 while the frame path fills it.
  private let users = Atomic<Int>(0)
  private let room: UnsafeMutableRawBufferPointer
  private(set) var facts: TappedFrame?

  init(capacity: Int) { unsafe room = .allocate(byteCount: max(capacity, 1), alignment: 64) }

  deinit { unsafe room.deallocate() }

  // MARK: The frame path

  /// Claims the buffer for filling. False while somebody reads it.
  func beginFilling() -> Bool {
    users.compareExchange(expected: 0, desired: -1, successOrdering: .acquiring, failureOrdering: .relaxed).exchanged
  }

  func endFilling() { users.store(0, ordering: .releasing) }

  /// False if the frame is larger than the buffer.
  func fill(_ frame: borrowing Frame, _ new: TappedFrame) -> Bool {
    guard unsafe frame.format.byteCount <= room.count else { return false }
    var offset = 0
    for plane in 0..<frame.format.planeCount {
      let count = frame.format.planeBytes(plane)
      unsafe frame.withPlane(plane) { unsafe copy($0, at: offset) }
      offset += count
    }
    facts = new
    return true
  }

  func fill(_ image: borrowing EncodedImage, _ new: TappedFrame) -> Bool {
    guard unsafe image.byteCount <= room.count else { return false }
    unsafe image.withBytes { unsafe copy($0, at: 0) }
    facts = new
    return true
  }

  private func copy(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    unsafe UnsafeMutableRawBufferPointer(rebasing: room[offset...]).copyMemory(from: bytes)
  }

  // MARK: Readers

  /// Claims the buffer for reading. False while it is being filled.
  func beginReading() -> Bool {
    var seen = users.load(ordering: .relaxed)
    while seen >= 0 {
      let (isExchanged, original) = users.compareExchange(
        expected: seen, desired: seen + 1, successOrdering: .acquiring, failureOrdering: .relaxed)
      if isExchanged { return true }
      seen = original
    }
    return false
  }

  func endReading() { users.subtract(1, ordering: .releasing) }

  /// The bytes in use: planes one after another, each of its rows × its stride; or the encoded image.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    let count =
      switch facts?.content {
      case .frame(let format)?: format.byteCount
      case .encoded(_, let byteCount, _, _)?: byteCount
      case nil: 0
      }
    return try unsafe body(UnsafeRawBufferPointer(rebasing: room[..<count]))
  }
}

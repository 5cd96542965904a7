import Frames
import Platform

/// Looks at the latest frames of a slot. When it ends, its place is free again.
///
/// Thread: one at a time.
public final class TapReader {
  private let slot: TapSlot
  private let seat: TapSeat
  /// The camera's number of the frame read last.
  private var last: UInt64?

  init(_ slot: TapSlot, _ seat: TapSeat) {
    self.slot = slot
    self.seat = seat
  }

  deinit { slot.leave(seat) }

  /// Waits for a frame newer than the one read last, and copies it: what `body` gets is valid only during the call,
  /// and the frame path cannot use that memory meanwhile.
  ///
  /// - Parameters:
  ///   - seconds: to wait at most; 0 only looks.
  ///   - body: gets the bytes: planes one after another, each of its rows × its stride; or the encoded image.
  /// - Returns: `nil` if no newer frame came.
  public func read<R>(
    within seconds: Double, _ body: (_ facts: TappedFrame, _ bytes: UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    guard let buffer = next(within: seconds) else { return nil }
    defer { buffer.endReading() }
    guard let facts = buffer.facts else { preconditionFailure("a published frame has its facts") }
    return try unsafe buffer.withBytes { try unsafe body(facts, $0) }
  }

  /// As `read`, for a `body` that may take long: the frame stays as it is until `body` returns, and the other readers
  /// use the slot's other memory. One reader of a slot at a time.
  ///
  /// - Returns: `nil` if no newer frame came, or another reader is borrowing.
  public func borrow<R>(
    within seconds: Double, _ body: (_ facts: TappedFrame, _ bytes: UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    guard slot.beginBorrowing() else { return nil }
    defer { slot.endBorrowing() }
    return try unsafe read(within: seconds, body)
  }

  /// Waits for a frame newer than the one read last, and copies it.
  ///
  /// - Parameter bytes: are replaced; allocates only if they have too little room.
  /// - Returns: `nil` if no newer frame came; `bytes` stay as they are then.
  public func copy(into bytes: inout [UInt8], within seconds: Double) -> TappedFrame? {
    unsafe read(within: seconds) { facts, source in
      bytes.removeAll(keepingCapacity: true)
      unsafe bytes.append(contentsOf: source)
      return facts
    }
  }

  private func next(within seconds: Double) -> TapBuffer? {
    let end = MonotonicTime.now().advanced(by: Int64(saturating: seconds * 1e9))
    while true {
      if let buffer = slot.beginReading(after: last) {
        last = buffer.facts?.sequence
        return buffer
      }
      let left = end - MonotonicTime.now()
      guard left > 0 else { return nil }
      seat.wait(milliseconds: Int32(clamping: left / 1_000_000 + 1))
    }
  }
}

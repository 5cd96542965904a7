/// The bytes of a `DiskBuffer`: reserved up front, touched only as they are used.
///
/// `@unchecked Sendable`: the pointer is constant, and the buffer's account keeps the appending side and the taking
/// side on different bytes.
@safe final class DiskMemory: @unchecked Sendable {
  let capacity: Int
  private let bytes: UnsafeMutableRawBufferPointer

  init(capacity: Int) {
    self.capacity = capacity
    unsafe bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 4096)
  }

  deinit { unsafe bytes.deallocate() }

  /// Copies the first `count` bytes of `source` to `start`; what does not fit there goes to the beginning.
  func put(_ source: RawSpan, count: Int, at start: Int) {
    let first = min(count, capacity - start)
    unsafe source.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + first])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<first]))
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<(count - first)])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[first..<count]))
    }
  }

  func withBytes<R>(_ range: Range<Int>, _ body: (RawSpan) throws(FileFailure) -> R) throws(FileFailure) -> R {
    let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
    return try unsafe body(piece.bytes)
  }
}

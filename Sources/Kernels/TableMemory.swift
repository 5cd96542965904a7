import CKernels

/// Integers for the kernels at a fixed address, aligned to 64 bytes. Tables of 2 MiB or more use large pages if the
/// system has them, so that finding a page does not cost more than reading the table.
///
/// `@unchecked Sendable`: only the initializer writes it.
final class TableMemory<Element: FixedWidthInteger & Sendable>: @unchecked Sendable {
  let elements: UnsafeMutableBufferPointer<Element>
  private static var largePage: Int { 2 << 20 }

  /// - Parameter fill: fills the elements, which are 0 at first.
  init(count: Int, fill: (UnsafeMutableBufferPointer<Element>) -> Void) {
    var byteCount = count * MemoryLayout<Element>.stride
    let isLarge = byteCount >= Self.largePage
    if isLarge { byteCount = (byteCount + Self.largePage - 1) / Self.largePage * Self.largePage }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: isLarge ? Self.largePage : 64)
    if isLarge { ck_prefer_large_pages(memory, byteCount) }
    elements = UnsafeMutableBufferPointer(
      start: memory.initializeMemory(as: Element.self, repeating: 0, count: count), count: count)
    fill(elements)
  }

  deinit { elements.baseAddress?.deallocate() }

  var address: UnsafePointer<Element> { UnsafePointer(elements.baseAddress!) }
}

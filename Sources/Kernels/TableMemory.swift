/// Integers that the kernels read, at a fixed address aligned to 64 bytes.
///
/// `@unchecked Sendable`: written by the initializer only.
final class TableMemory<Element: FixedWidthInteger & Sendable>: @unchecked Sendable {
  let elements: UnsafeMutableBufferPointer<Element>

  /// - Parameter fill: writes what it wants into elements that are 0.
  init(count: Int, fill: (UnsafeMutableBufferPointer<Element>) -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Element>.stride, alignment: 64)
    elements = UnsafeMutableBufferPointer(
      start: memory.initializeMemory(as: Element.self, repeating: 0, count: count), count: count)
    fill(elements)
  }

  deinit { elements.baseAddress?.deallocate() }

  var address: UnsafePointer<Element> { UnsafePointer(elements.baseAddress!) }
}

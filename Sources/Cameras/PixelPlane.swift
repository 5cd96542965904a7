/// Rows of plain values in one block of memory, allocated once.
///
/// `@unchecked Sendable`: it belongs to the one camera that draws in it, which is driven by one thread at a time.
@safe final class PixelPlane<Sample: BitwiseCopyable>: @unchecked Sendable {
  let width: Int
  let height: Int
  private let base: UnsafeMutablePointer<Sample>

  /// - Precondition: `width` and `height` are at least 1.
  init(width: Int, height: Int, repeating sample: Sample) {
    precondition(width > 0 && height > 0, "a plane has a size")
    self.width = width
    self.height = height
    unsafe base = UnsafeMutablePointer<Sample>.allocate(capacity: width * height)
    unsafe base.initialize(repeating: sample, count: width * height)
  }

  deinit { unsafe base.deallocate() }

  subscript(x: Int, y: Int) -> Sample {
    get {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "outside of the plane")
      return unsafe base[y * width + x]
    }
    set {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "outside of the plane")
      unsafe base[y * width + x] = newValue
    }
  }

  /// The first sample of row `y`; valid for `width` samples while the plane lives.
  func row(_ y: Int) -> UnsafeMutablePointer<Sample> {
    precondition(y >= 0 && y < height, "outside of the plane")
    return unsafe base + y * width
  }
}

/// A rectangle of whole pixels; it is empty if a range is empty.
struct PixelBox: Hashable, Sendable {
  var columns: Range<Int>
  var rows: Range<Int>

  static let empty = PixelBox(columns: 0..<0, rows: 0..<0)
  var isEmpty: Bool { columns.isEmpty || rows.isEmpty }
  var area: Int { columns.count * rows.count }

  init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// The pixels that a rectangle of continuous coordinates touches, inside a picture of `width` × `height`.
  init(x0: Double, y0: Double, x1: Double, y1: Double, width: Int, height: Int) {
    func span(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
      let first = Int(min(max(low.rounded(.down), 0), Double(limit)))
      let end = Int(min(max(high.rounded(.up), 0), Double(limit)))
      return first..<max(first, end)
    }
    columns = span(x0, x1, width)
    rows = span(y0, y1, height)
  }

  /// Extended to even edges, so that it shares no chroma sample with its surroundings; the last column or row of an odd
  /// picture stays the last.
  func evened(width: Int, height: Int) -> PixelBox {
    guard !isEmpty else { return self }
    func even(_ range: Range<Int>, _ limit: Int) -> Range<Int> {
      range.lowerBound & ~1..<min((range.upperBound + 1) & ~1, limit)
    }
    return PixelBox(columns: even(columns, width), rows: even(rows, height))
  }
}

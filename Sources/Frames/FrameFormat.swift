/// The shape and the meaning of a frame's samples. All frames of a stream have one format.
public struct FrameFormat: Hashable, Sendable {
  /// Pixels, both at least 1. Odd sizes are legal here; `PixelLayout` says how chroma rounds.
  public let width: Int
  public let height: Int
  public let layout: PixelLayout
  public var color: ColorDescription
  private let stride0: Int
  private let stride1: Int
  private let stride2: Int

  /// - Parameter strides: bytes from one row to the next, one per plane; `nil` packs rows to a multiple of 64 bytes.
  /// - Precondition: sizes are positive and each stride holds a row.
  public init(width: Int, height: Int, layout: PixelLayout, color: ColorDescription, strides: [Int]? = nil) {
    precondition(width > 0 && height > 0, "a frame has a size")
    self.width = width
    self.height = height
    self.layout = layout
    self.color = color
    func stride(_ plane: Int) -> Int {
      guard plane < layout.planeCount else { return 0 }
      let row = layout.rowBytes(plane: plane, width: width)
      guard let strides else { return (row + 63) & ~63 }
      precondition(
        strides[plane] >= row, "stride \(strides[plane]) of plane \(plane) is shorter than its row of \(row) bytes")
      return strides[plane]
    }
    stride0 = stride(0)
    stride1 = stride(1)
    stride2 = stride(2)
  }

  public var planeCount: Int { layout.planeCount }

  /// Bytes from one row of `plane` to the next.
  public func stride(plane: Int) -> Int {
    switch plane {
    case 0: stride0
    case 1: stride1
    default: stride2
    }
  }

  /// Bytes of `plane`, its last row padded to the stride.
  public func planeBytes(_ plane: Int) -> Int {
    stride(plane: plane) * layout.rows(plane: plane, height: height)
  }

  /// Bytes of all planes one after another.
  public var byteCount: Int {
    var total = 0
    for plane in 0..<planeCount { total += planeBytes(plane) }
    return total
  }
}

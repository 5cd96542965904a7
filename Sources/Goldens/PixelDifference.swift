public import Frames

/// The first sample in which two frames differ: plane by plane, row by row.
public struct PixelDifference: Hashable, Sendable {
  public enum Component: String, Hashable, Sendable {
    case luma
    case cb = "Cb"
    case cr = "Cr"
  }

  public let component: Component
  /// The sample's place in its component.
  public let x: Int
  public let y: Int
  /// Code values.
  public let first: Int
  public let second: Int

  /// - Parameters:
  ///   - first: a frame's planes one after another, rows without padding.
  ///   - second: likewise.
  ///   - layout: of both; planar, as encoders take it.
  /// - Returns: `nil` if all samples are the same.
  /// - Precondition: both have as many bytes as a frame of this size and layout.
  public init?(_ first: [UInt8], _ second: [UInt8], layout: PixelLayout, width: Int, height: Int) {
    precondition(first.count == second.count, "frames of one format have equally many bytes")
    guard let place = first.indices.first(where: { first[$0] != second[$0] }) else { return nil }
    let size = layout.bytesPerSample
    var offset = 0
    for (plane, component) in [Component.luma, .cb, .cr].enumerated() where plane < layout.planeCount {
      let row = layout.rowBytes(plane: plane, width: width)
      let bytes = row * layout.rows(plane: plane, height: height)
      guard place >= offset + bytes else {
        let inPlane = (place - offset) / size * size
        func code(_ picture: [UInt8]) -> Int {
          let low = Int(picture[offset + inPlane])
          return size == 1 ? low : low | Int(picture[offset + inPlane + 1]) << 8
        }
        self.component = component
        x = inPlane % row / size
        y = inPlane / row
        self.first = code(first)
        self.second = code(second)
        return
      }
      offset += bytes
    }
    return nil
  }

  /// For people.
  public var sentence: String { "\(component.rawValue) at (\(x), \(y)) is \(second), not \(first)" }
}

public import Frames

/// What is in a frame, without what lies between its rows.
public enum FrameRows {
  /// Every row of every plane without its padding.
  public static func of(_ frame: borrowing Frame) -> [[UInt8]] {
    let format = frame.format
    return (0..<format.planeCount).flatMap { plane in
      frame.withPlane(plane) { bytes in
        (0..<format.layout.rows(plane: plane, height: format.height)).map { row in
          let start = row * format.stride(plane: plane)
          return Array(bytes[start..<start + format.layout.rowBytes(plane: plane, width: format.width)])
        }
      }
    }
  }
}

import Foundation
import Frames
import TestKit

/// A frame with gradients in all planes, each of which lies in memory of its own.
///
/// `@unchecked Sendable`: a test uses it on one thread.
final class PaintedFrame: FrameOwner, @unchecked Sendable {
  /// The matrix and range of JFIF.
  static let color = ColorDescription(matrix: .rec601, range: .full, transfer: .rec709, primaries: .rec709)

  let format: FrameFormat
  private let planes: [UnsafeMutableRawBufferPointer]

  /// - Parameters:
  ///   - alignment: of the rows; `nil` for the usual one.
  ///   - padding: what lies beside and below the samples.
  init(
    _ layout: PixelLayout, width: Int = 161, height: Int = 91, alignment: Int? = nil, padding: UInt8 = 0
  ) {
    let strides = alignment.map { alignment in
      (0..<layout.planeCount).map { plane in
        (layout.rowBytes(plane: plane, width: width) + alignment - 1) / alignment * alignment
      }
    }
    let format = FrameFormat(width: width, height: height, layout: layout, color: Self.color, strides: strides)
    self.format = format
    planes = (0..<layout.planeCount).map { plane in
      let stride = format.stride(plane: plane)
      // A row more than there is.
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: format.planeBytes(plane) + stride, alignment: 64)
      bytes.initializeMemory(as: UInt8.self, repeating: padding)
      for y in 0..<layout.rows(plane: plane, height: height) {
        for x in 0..<layout.rowBytes(plane: plane, width: width) {
          bytes[y * stride + x] = UInt8((x / 2 + y + plane * 60) % 240 + 8)
        }
      }
      return bytes
    }
  }

  deinit { for plane in planes { plane.deallocate() } }

  func lend() -> Frame {
    Frame(format: format, storage: FrameStorage(planes: planes.map { $0.baseAddress! }), owner: self)
  }

  func frameEnded(_ storage: FrameStorage) {}

  /// The samples of an image, row by row and plane by plane, as FFmpeg decodes it.
  static func decoded(_ image: Data, as layout: PixelLayout) throws -> Data {
    let name = layout.rawValue.replacing("yuv", with: "yuvj")
    return try Tool.run(
      ["ffmpeg", "-v", "error", "-f", "mjpeg", "-i", "-", "-f", "rawvideo", "-pix_fmt", name, "-"], input: image)
  }
}

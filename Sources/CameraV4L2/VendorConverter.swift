import CV4L2
import Frames

/// Makes planar 4:2:0 pictures of a vendor's format with libv4l's converter, into frames of its own.
///
/// `@unchecked Sendable`: everything is constant but the converter behind the pointer and `failures`, which the capture
/// thread alone uses.
final class VendorConverter: @unchecked Sendable {
  let outputFormat: FrameFormat
  private let converter: OpaquePointer
  private let pool: FramePool
  private var failures = 0

  /// Pictures that may fail in a row before the format counts as one that the converter does not read: two seconds.
  private static let mostFailures = 60

  /// What libv4l makes of R'G'B' and Bayer samples: BT.601, limited range (its rgbyuv.c), in the camera's own
  /// primaries and transfer function.
  static func color(of camera: ColorDescription) -> ColorDescription {
    ColorDescription(matrix: .rec601, range: .limited, transfer: camera.transfer, primaries: camera.primaries)
  }

  /// - Returns: `nil` for sizes that are not even, which planar 4:2:0 of libv4l does not have, and without memory.
  init?(device: V4L2Device, picture: cv4l2_picture, color: ColorDescription, frames: Int) {
    let width = Int(picture.width), height = Int(picture.height)
    var picture = picture
    guard width > 0, height > 0, width % 2 == 0, height % 2 == 0,
      let converter = cv4l2_converter_create(device.descriptor, &picture)
    else { return nil }
    self.converter = converter
    // The converter writes the three planes one right behind the other; so does a pool of unpadded frames.
    outputFormat = FrameFormat(
      width: width, height: height, layout: .yuv420p, color: VendorConverter.color(of: color),
      strides: [width, width / 2, width / 2])
    pool = FramePool(format: outputFormat, capacity: frames)
  }

  deinit { cv4l2_converter_destroy(converter) }

  enum Outcome: ~Copyable {
    case frame(Frame)
    /// The picture could not be read; the next one may.
    case damaged
    /// Every frame of the pool is out: more than the recorder holds.
    case full
  }

  /// Converts the `count` bytes in `source`, which the converter may write over.
  ///
  /// - Throws: code `device` when picture after picture fails.
  func convert(_ source: FrameStorage, count: Int, camera: String) throws(CamrecError) -> Outcome {
    guard let frame = pool.take() else { return .full }
    let written = cv4l2_converter_convert(
      converter, source.pointer(plane: 0), Int32(clamping: count), frame.storage.pointer(plane: 0),
      Int32(clamping: outputFormat.byteCount))
    guard written != outputFormat.byteCount else {
      failures = 0
      return .frame(frame)
    }
    failures += 1
    guard failures < VendorConverter.mostFailures else {
      throw CamrecError(
        .device, "libv4l does not read the pictures of \(camera); choose another --pixel-format",
        cause: cv4l2_converter_error(converter).map { String(cString: $0) })
    }
    return .damaged
  }
}

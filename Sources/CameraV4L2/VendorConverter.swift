import CV4L2
import Frames

/// Converts a vendor's format to planar 4:2:0 frames of its own, with libv4l's converter.
///
/// `@unchecked Sendable`: everything is constant except the converter behind the pointer and `failures`, which only the
/// capture thread uses.
final class VendorConverter: @unchecked Sendable {
  let outputFormat: FrameFormat
  private let converter: OpaquePointer
  private let pool: FramePool
  private var failures = 0

  /// Frames that may fail in a row before the format counts as unreadable for the converter: two seconds.
  private static let mostFailures = 60

  /// The colours after libv4l's conversion of R'G'B' and Bayer samples: BT.601, limited range (its rgbyuv.c), with the
  /// camera's own primaries and transfer function.
  static func color(of camera: ColorDescription) -> ColorDescription {
    ColorDescription(matrix: .rec601, range: .limited, transfer: camera.transfer, primaries: camera.primaries)
  }

  /// - Returns: `nil` for odd sizes, which libv4l does not support in planar 4:2:0, or if there is no memory.
  init?(device: V4L2Device, picture: cv4l2_picture, color: ColorDescription, frames: Int) {
    let width = Int(picture.width), height = Int(picture.height)
    var picture = picture
    guard width > 0, height > 0, width % 2 == 0, height % 2 == 0,
      let converter = cv4l2_converter_create(device.descriptor, &picture)
    else { return nil }
    self.converter = converter
    // The converter writes the three planes directly after one another; frames of a pool without padding match that.
    outputFormat = FrameFormat(
      width: width, height: height, layout: .yuv420p, color: VendorConverter.color(of: color),
      strides: [width, width / 2, width / 2])
    pool = FramePool(format: outputFormat, capacity: frames)
  }

  deinit { cv4l2_converter_destroy(converter) }

  enum Outcome: ~Copyable {
    case frame(Frame)
    /// The frame could not be read; the next one may be readable.
    case damaged
    /// Every frame of the pool is lent, which is more than the recorder should hold.
    case full
  }

  /// Converts the `count` bytes in `source`, which the converter may overwrite.
  ///
  /// - Throws: code `device` if frame after frame fails.
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
        .device, about: .pixelFormat,
        "libv4l cannot read the frames of \(camera); choose another \(setting: .pixelFormat)",
        cause: cv4l2_converter_error(converter).map { String(cString: $0) })
    }
    return .damaged
  }
}

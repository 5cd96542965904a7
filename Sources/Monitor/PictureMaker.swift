public import Frames
public import Kernels
public import RecorderAPI

/// Makes pictures of frames of one format: crops, turns upright, scales by area averages, and converts the colours, to
/// JFIF's Y'CbCr for a JPEG or to R'G'B' for a PNG.
///
/// Nothing is enlarged. Only the initializer and the first picture allocate.
///
/// Thread: one at a time.
///
/// `@unchecked Sendable`: one thread at a time uses it (above).
public final class PictureMaker: @unchecked Sendable {
  /// What is wanted of a frame.
  public struct Request: Hashable, Sendable {
    public var crop: MonitorCrop
    /// Pixels of the upright picture, at least 1; `nil` for the crop's own.
    public var width: Int?
    /// How far the frames are turned for display.
    public var rotation: Rotation
    /// The frames have been through a LUT or a look: `PictureColors.init`.
    public var isGraded: Bool

    public init(crop: MonitorCrop = .whole, width: Int? = nil, rotation: Rotation = .none, isGraded: Bool) {
      self.crop = crop
      self.width = width
      self.rotation = rotation
      self.isGraded = isGraded
    }
  }

  /// The frames' format.
  public let source: FrameFormat
  public let request: Request
  /// What the pictures' codes mean.
  public let colors: PictureColors
  private let kernel: PictureKernel
  private let frames: Int
  private var pool: FramePool?

  /// - Parameters:
  ///   - source: the frames' format; strides do not matter.
  ///   - frames: pictures for a JPEG that may be lent at once.
  ///   - level: a supported instruction set; `nil` for `KernelLevel.chosen()`. The resulting bits do not depend on it.
  /// - Throws: code `usage` for a level that `KernelLevel.chosen` refuses.
  public init(
    _ source: FrameFormat, _ request: Request, frames: Int, level: KernelLevel? = nil
  ) throws(CamrecError) {
    precondition((request.width ?? 1) >= 1, "a picture has a width")
    self.source = source
    self.request = request
    self.frames = frames
    colors = PictureColors(source.color, isGraded: request.isGraded)
    kernel = try PictureKernel(
      source, PictureKernel.View(of: source, request), color: colors.shown,
      conversion: colors.transform.map { RGBConversion($0) }, level: level)
  }

  /// Pixels of the picture: never more than the crop has, and even if the frame is, or if anything is scaled.
  public var width: Int { kernel.view.width }
  public var height: Int { kernel.view.height }

  /// The format of the pictures for a JPEG: yuv420p of 8 bits in JFIF's matrix and range.
  public var jpegFormat: FrameFormat { kernel.output }

  /// The picture of a frame, for a JPEG.
  ///
  /// - Parameter frame: it has the size, layout and colours of `source`.
  /// - Throws: code `defect` if more pictures are lent than `frames` allows.
  public func jpegFrame(of frame: borrowing Frame) throws(CamrecError) -> Frame {
    let pool = pool ?? FramePool(format: kernel.output, capacity: frames)
    self.pool = pool
    guard var picture = pool.take() else {
      throw CamrecError(.defect, "all \(frames) pictures are in use; somebody keeps too many")
    }
    kernel.make(of: frame.storage, frame.format, into: &picture)
    return picture
  }

  /// Bits of each code of a PNG: 8, or 16 if the frames have more than 8.
  public var pngBits: Int { source.layout.bitDepth > 8 ? 16 : 8 }

  /// Bytes of a row of `pngRows`: red, green and blue of each pixel.
  public var pngRowBytes: Int { width * 3 * pngBits / 8 }

  /// Some rows of the picture of a frame, for a PNG: R'G'B' of `pngBits`, 16 bits in the machine's byte order. All
  /// divisions into rows give the same; if the picture is turned by a quarter, many rows at once cost less.
  ///
  /// - Parameters:
  ///   - rows: of the upright picture.
  ///   - frame: as of `jpegFrame`.
  ///   - result: room for these rows, without gaps.
  public func pngRows(_ rows: Range<Int>, of frame: borrowing Frame, into result: UnsafeMutableRawBufferPointer) {
    unsafe kernel.makeRGB(rows: rows, of: frame.storage, frame.format, bits: pngBits, into: result)
  }
}

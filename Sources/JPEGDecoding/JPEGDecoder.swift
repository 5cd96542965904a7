import CTurboJPEG
public import Frames

/// Decodes JPEG images with libjpeg-turbo.
///
/// Thread: one at a time.
public final class JPEGDecoder {
  private var decompressor: tjhandle

  /// The longest side of an image, and its most pixels: more than any camera has, less than a machine's memory.
  private static let longestSide = 16384, mostPixels = 100_000_000
  /// Bytes of a pixel.
  private static let pixelBytes = 4

  /// - Throws: code `defect` without memory.
  public init() throws(CamrecError) {
    guard let decompressor = tjInitDecompress() else {
      throw CamrecError(.defect, "cannot decode JPEG images", cause: String(cString: tjGetErrorStr2(nil)))
    }
    self.decompressor = decompressor
  }

  deinit { tjDestroy(decompressor) }

  /// - Parameter pixels: gets blue, green, red and an unused byte for each pixel, row by row; made longer if need be.
  /// - Returns: the size in pixels.
  /// - Throws: code `input` for what is no JPEG image, is damaged, or is too large.
  public func decode(
    _ image: [UInt8], into pixels: inout [UInt8]
  ) throws(CamrecError) -> (width: Int, height: Int) {
    let (width, height) = try size(of: image)
    let count = width * height * JPEGDecoder.pixelBytes
    if pixels.count < count { pixels.append(contentsOf: repeatElement(0, count: count - pixels.count)) }
    let result = pixels.withUnsafeMutableBufferPointer { target in
      tjDecompress2(
        decompressor, image, UInt(image.count), target.baseAddress, Int32(width),
        Int32(width * JPEGDecoder.pixelBytes), Int32(height), TJPF_BGRX.rawValue, 0)
    }
    guard result == 0 || tjGetErrorCode(decompressor) == TJERR_WARNING.rawValue else { throw damage() }
    return (width, height)
  }

  private func size(of image: [UInt8]) throws(CamrecError) -> (width: Int, height: Int) {
    var width: Int32 = 0, height: Int32 = 0, subsampling: Int32 = 0, colorSpace: Int32 = 0
    let result = tjDecompressHeader3(
      decompressor, image, UInt(image.count), &width, &height, &subsampling, &colorSpace)
    guard result == 0, width > 0, height > 0 else { throw damage() }
    guard max(width, height) <= JPEGDecoder.longestSide, Int(width) * Int(height) <= JPEGDecoder.mostPixels else {
      throw CamrecError(.input, "a picture of \(width)×\(height) pixels is too large to be shown")
    }
    return (Int(width), Int(height))
  }

  private func damage() -> CamrecError {
    let cause = String(cString: tjGetErrorStr2(decompressor))
    // This one may still be in the middle of the damaged image, and refuse the next one for it.
    if let new = tjInitDecompress() {
      tjDestroy(decompressor)
      decompressor = new
    }
    return CamrecError(.input, "a picture is no JPEG image, or is damaged", cause: cause)
  }
}

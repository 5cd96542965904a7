import CTurboJPEG
public import Cameras
public import Frames

/// Encodes frames as baseline JPEG with libjpeg-turbo, with the standard's own Huffman tables, as webcams do. The same
/// frame gives the same bytes on every processor.
///
/// Thread: one at a time. camrec's own code allocates nothing per frame.
///
/// `@unchecked Sendable`: used on one thread at a time, as `ImageEncoder` says.
public final class JPEGEncoder: ImageEncoder, @unchecked Sendable {
  /// Of the frames.
  public let format: FrameFormat
  private let quality: Int32
  private let subsampling: Int32
  private let compressor: tjhandle
  /// Room for the largest image, which is more than the frame has; only what images fill is in memory.
  private let room: UnsafeMutableBufferPointer<UInt8>
  private let planes: UnsafeMutablePointer<UnsafePointer<UInt8>?>
  private let strides: UnsafeMutablePointer<Int32>
  private let evenLuma: EvenPlane?

  /// - Parameters:
  ///   - format: of the frames: `yuv420p`, `yuv422p` or `yuv444p` with the matrix and range of JFIF (ITU-T T.871).
  ///   - quality: 1 to 100, which scales the standard's quantisation tables as libjpeg does.
  /// - Throws: code `defect` for another format, or without memory.
  public init(format: FrameFormat, quality: Int) throws(CamrecError) {
    guard let subsampling = Self.subsampling(format.layout),
      format.color.matrix == .rec601, format.color.range == .full
    else {
      throw CamrecError(
        .defect,
        "JPEG images are made from yuv420p, yuv422p or yuv444p with the matrix rec601 in full range, "
          + "not from \(format.layout) with \(format.color.matrix) in \(format.color.range) range")
    }
    precondition((1...100).contains(quality), "a JPEG's quality is 1 to 100")
    guard let compressor = tjInitCompress() else {
      throw CamrecError(.defect, "cannot encode JPEG images", cause: String(cString: tjGetErrorStr2(nil)))
    }
    self.format = format
    self.quality = Int32(quality)
    self.subsampling = Int32(subsampling.rawValue)
    self.compressor = compressor
    room = .allocate(capacity: Int(tjBufSize(Int32(format.width), Int32(format.height), self.subsampling)))
    planes = .allocate(capacity: 3)
    planes.initialize(repeating: nil, count: 3)
    strides = .allocate(capacity: 3)
    strides.initialize(repeating: 0, count: 3)
    evenLuma = EvenPlane(format)
  }

  private static func subsampling(_ layout: PixelLayout) -> TJSAMP? {
    switch layout {
    case .yuv420p: TJSAMP_420
    case .yuv422p: TJSAMP_422
    case .yuv444p: TJSAMP_444
    default: nil
    }
  }

  deinit {
    tjDestroy(compressor)
    room.deallocate()
    planes.deallocate()
    strides.deallocate()
  }

  public func encode(
    _ frame: borrowing Frame, into target: UnsafeMutableRawBufferPointer
  ) throws(CamrecError) -> Int {
    let image = try compress(frame)
    guard image.count <= target.count else {
      throw CamrecError(.defect, "a JPEG image of \(image.count) bytes does not fit into a buffer of \(target.count)")
    }
    target.copyMemory(from: image)
    return image.count
  }

  /// The image, in memory of the caller's own.
  ///
  /// - Throws: code `defect` when the encoder fails.
  public func image(of frame: borrowing Frame) throws(CamrecError) -> [UInt8] { Array(try compress(frame)) }

  /// The image, in this encoder's room until the next one.
  private func compress(_ frame: borrowing Frame) throws(CamrecError) -> UnsafeRawBufferPointer {
    precondition(
      frame.format.layout == format.layout && frame.format.width == format.width
        && frame.format.height == format.height,
      "frames have the format that the encoder was opened for")
    for plane in 0..<3 {
      planes[plane] = UnsafePointer(frame.storage.pointer(plane: plane).assumingMemoryBound(to: UInt8.self))
      strides[plane] = Int32(frame.format.stride(plane: plane))
    }
    if let evenLuma {
      evenLuma.fill(with: frame)
      planes[0] = UnsafePointer(evenLuma.samples)
      strides[0] = Int32(evenLuma.width)
    }
    var image = room.baseAddress, count = UInt(room.count)
    // The accurate transform, which the versions of the library otherwise choose by quality: with vectors it takes as
    // long as the fast one.
    let flags = TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT
    let result = tjCompressFromYUVPlanes(
      compressor, planes, Int32(format.width), strides, Int32(format.height), subsampling, &image, &count, quality,
      flags)
    guard result == 0 else {
      throw CamrecError(.defect, "cannot encode a JPEG image", cause: String(cString: tjGetErrorStr2(compressor)))
    }
    return UnsafeRawBufferPointer(start: image, count: Int(count))
  }
}

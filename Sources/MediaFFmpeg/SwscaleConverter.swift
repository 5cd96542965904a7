import CFFmpeg
public import Frames

/// Converts a camera's packed, R'G'B' and grey images to a layout of the bake: `yuv422p`, or `yuv422p10` if they are
/// deeper, with the same bits on every machine.
///
/// Y'CbCr keeps its samples' meaning, grey gets neutral chroma; R'G'B' in full range becomes Y'CbCr of BT.709 in
/// limited range. In packed 4:4:4 images the chroma of two neighbours becomes their mean.
///
/// Thread: one at a time. Once warm, camrec allocates nothing per image.
///
/// `@unchecked Sendable`: used on one thread at a time, as `ImageConverter` says.
public final class SwscaleConverter: ImageConverter, @unchecked Sendable {
  public let outputFormat: FrameFormat
  private let encoding: FourCC
  private let arrangement: CameraEncoding
  private let slots: PictureSlots
  private let scaler: PictureScaler?
  /// The image's bytes and some room after them, because swscale may read beyond a row's end.
  private let bytes: LibavPacket
  /// Headers that point at others' memory.
  private let source: LibavFrame
  private let target: LibavFrame

  /// - Parameters:
  ///   - encoding: a V4L2 pixel format code.
  ///   - color: what the camera says about its images.
  ///   - frames: frames that may be out at once.
  /// - Throws: code `device` for a pixel format that cannot be converted.
  public init(encoding: FourCC, width: Int, height: Int, color: ColorDescription, frames: Int) throws(CamrecError) {
    LibavLog.silence()
    guard let arrangement = CameraEncoding(encoding) else {
      throw CamrecError(
        .device, about: .pixelFormat,
        "cannot convert the camera's pixel format '\(encoding)'; choose another with \(setting: .pixelFormat)")
    }
    if case .libav(let format, _) = arrangement, format.isRGB, color.range == .limited {
      throw CamrecError(
        .device, about: .pixelFormat,
        "the camera's '\(encoding)' holds R'G'B' in limited range, which cannot be converted; "
          + "choose another \(setting: .pixelFormat)")
    }
    var layout = PixelLayout.yuv422p, color = color
    do throws(LibavError) {
      source = try LibavFrame()
      target = try LibavFrame()
      bytes = try LibavPacket()
      switch arrangement {
      case .packed444, .semiplanar422: scaler = nil
      case .libav(let format, _):
        if format.isRGB {
          (color.matrix, color.range) = (.rec709, .limited)
        }
        layout = format.bitDepth > 8 ? .yuv422p10 : .yuv422p
        scaler = try PictureScaler(from: format, to: layout.libavFormat, width: width, height: height, color: color)
        source.pointer.pointee.format = format.rawValue
      }
      slots = try PictureSlots(capacity: frames, memory: (layout.libavFormat, width, height))
    } catch {
      throw CamrecError(
        .device, about: .pixelFormat,
        "cannot convert the camera's pixel format '\(encoding)'; choose another with \(setting: .pixelFormat)",
        cause: error.cause)
    }
    for frame in [source, target] {
      frame.pointer.pointee.width = Int32(width)
      frame.pointer.pointee.height = Int32(height)
    }
    self.encoding = encoding
    self.arrangement = arrangement
    outputFormat = FrameFormat(slots.picture(0), layout: layout, color: color)
  }

  public func convert(_ image: consuming EncodedImage) throws(CamrecError) -> Frame {
    guard image.encoding == encoding, image.width == outputFormat.width, image.height == outputFormat.height else {
      throw CamrecError(
        .device,
        "the camera delivered an image of \(image.width)x\(image.height) '\(image.encoding)' in a stream of "
          + "\(outputFormat.width)x\(outputFormat.height) '\(encoding)'")
    }
    guard let slot = slots.take(waitingAtMost: 0) else {
      throw CamrecError(.defect, "more converted images are in use than the converter was made for")
    }
    do throws(CamrecError) {
      try fill(slots.picture(slot), from: image)
    } catch {
      slots.giveBack(slot)
      throw error
    }
    return slots.lend(slot, format: outputFormat)
  }

  private func fill(
    _ picture: UnsafeMutablePointer<AVFrame>, from image: borrowing EncodedImage
  ) throws(CamrecError) {
    switch arrangement {
    case .packed444(let size, let y, let cb, let cr):
      let row = outputFormat.width * size, stride = max(image.stride, row)
      try check(image, needs: stride * (outputFormat.height - 1) + row)
      image.withBytes { bytes in
        picture.pointee.fillHalvingChroma(of: bytes, stride: stride, pixel: size, y: y, cb: cb, cr: cr)
      }
    case .semiplanar422(let swapsChroma):
      let row = outputFormat.width, chromaRow = (row + 1) / 2 * 2
      let stride = max(image.stride, row), chromaStride = max(image.stride, chromaRow)
      try check(image, needs: stride * outputFormat.height + chromaStride * (outputFormat.height - 1) + chromaRow)
      image.withBytes { bytes in
        picture.pointee.fillSplittingChroma(of: bytes, stride: stride, chromaStride: chromaStride, swapped: swapsChroma)
      }
    case .libav(_, let swapsChroma):
      var needed = 0
      do throws(LibavError) {
        try bytes.fill(count: image.byteCount) { target in
          image.withBytes { UnsafeMutableRawBufferPointer(start: target, count: $0.count).copyMemory(from: $0) }
        }
        needed = Int(
          try LibavCall.check(
            CFFmpeg_pointAt(source.pointer, bytes.pointer.pointee.data, Int32(image.stride)), "av_image_fill_pointers"))
        if needed <= image.byteCount { try scale(into: picture, swapsChroma: swapsChroma) }
      } catch {
        throw CamrecError(.defect, "cannot convert an image '\(encoding)'", cause: error.cause)
      }
      try check(image, needs: needed)
    }
  }

  private func check(_ image: borrowing EncodedImage, needs bytes: Int) throws(CamrecError) {
    guard image.byteCount < bytes else { return }
    throw CamrecError(
      .device,
      "the camera delivered \(image.byteCount) bytes for an image '\(encoding)' of "
        + "\(outputFormat.width)x\(outputFormat.height), which needs \(bytes)")
  }

  private func scale(into picture: UnsafeMutablePointer<AVFrame>, swapsChroma: Bool) throws(LibavError) {
    let header = target.pointer, (cb, cr) = (picture.pointee.data.1, picture.pointee.data.2)
    header.pointee.data = picture.pointee.data
    header.pointee.linesize = picture.pointee.linesize
    if swapsChroma { (header.pointee.data.1, header.pointee.data.2) = (cr, cb) }
    try scaler?.convert(source.pointer, into: header)
  }
}

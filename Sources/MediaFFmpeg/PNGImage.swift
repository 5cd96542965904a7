import CFFmpeg
public import Frames

/// Writes stills as PNG, with libavcodec.
public enum PNGImage {
  /// The bytes of a whole PNG file.
  ///
  /// - Parameters:
  ///   - rgb: red, green and blue of each pixel, 8 bits, sRGB, row by row.
  ///   - software: the program that made the still, in ASCII, stored as text in the file; `nil` leaves it out.
  /// - Precondition: `rgb` has 3 × `width` × `height` bytes, neither of them 0.
  /// - Throws: code `defect` if libavcodec has no PNG encoder or fails.
  public static func encode(
    width: Int, height: Int, rgb: [UInt8], software: String? = nil
  ) throws(CamrecError) -> [UInt8] {
    precondition(width > 0 && height > 0 && rgb.count == 3 * width * height, "three bytes a pixel")
    LibavLog.silence()
    do throws(LibavError) {
      guard let codec = avcodec_find_encoder(AV_CODEC_ID_PNG) else {
        throw LibavError(function: "avcodec_find_encoder", code: CFFmpeg_errorEncoderNotFound)
      }
      var context: UnsafeMutablePointer<AVCodecContext>? = try LibavCall.unwrap(
        avcodec_alloc_context3(codec), "avcodec_alloc_context3")
      defer { avcodec_free_context(&context) }
      let frame = try LibavFrame(format: AV_PIX_FMT_RGB24, width: width, height: height)
      frame.copy(rgb, bytesPerRow: 3 * width)
      context?.pointee.width = Int32(width)
      context?.pointee.height = Int32(height)
      context?.pointee.pix_fmt = AV_PIX_FMT_RGB24
      context?.pointee.time_base = AVRational(num: 1, den: 1)
      context?.pointee.color_primaries = AVCOL_PRI_BT709
      context?.pointee.color_trc = AVCOL_TRC_IEC61966_2_1
      context?.pointee.flags |= AV_CODEC_FLAG_BITEXACT
      try LibavCall.check(avcodec_open2(context, codec, nil), "avcodec_open2")
      try LibavCall.check(avcodec_send_frame(context, frame.pointer), "avcodec_send_frame")
      let packet = try LibavPacket()
      try LibavCall.check(avcodec_receive_packet(context, packet.pointer), "avcodec_receive_packet")
      let data = packet.pointer.pointee
      var bytes = Array(UnsafeBufferPointer(start: data.data, count: Int(data.size)))
      if let software {
        bytes.insert(contentsOf: chunk("tEXt", Array("Software\0\(software)".utf8)), at: bytes.count - endBytes)
      }
      return bytes
    } catch {
      throw CamrecError(.defect, "cannot encode a PNG image", cause: error.cause)
    }
  }

  /// Bytes of the last chunk, IEND.
  private static let endBytes = 12

  /// A chunk of a PNG file: length, type, content, and the CRC-32 of type and content (ISO/IEC 15948, 5.3).
  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let checked = Array(type.utf8) + content
    var code = UInt32.max
    for byte in checked {
      code ^= UInt32(byte)
      for _ in 0..<8 { code = code & 1 == 1 ? code >> 1 ^ 0xEDB8_8320 : code >> 1 }
    }
    return bytes(UInt32(content.count)) + checked + bytes(~code)
  }
}

extension LibavFrame {
  /// Fills the first plane, whose rows may end in padding.
  fileprivate func copy(_ bytes: [UInt8], bytesPerRow: Int) {
    bytes.withUnsafeBytes { source in
      for row in 0..<Int(pointer.pointee.height) {
        UnsafeMutableRawPointer(pointer.pointee.data.0! + row * Int(pointer.pointee.linesize.0))
          .copyMemory(from: source.baseAddress! + row * bytesPerRow, byteCount: bytesPerRow)
      }
    }
  }
}

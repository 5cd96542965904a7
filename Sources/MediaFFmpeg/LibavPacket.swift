import CFFmpeg

/// Owns an `AVPacket`.
final class LibavPacket {
  let pointer: UnsafeMutablePointer<AVPacket>

  init() throws(LibavError) { pointer = try LibavCall.unwrap(av_packet_alloc(), "av_packet_alloc") }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&packet)
  }

  /// Fills the packet with `count` bytes, written by the caller, and with the zeros after them that decoders read. The
  /// memory is used again the next time, so nothing else may still read it.
  func fill(count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void) throws(LibavError) {
    let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    if pointer.pointee.buf == nil || Int(pointer.pointee.buf.pointee.size) < count + padding {
      av_packet_unref(pointer)
      try LibavCall.check(av_new_packet(pointer, Int32(count + count / 2)), "av_new_packet")
    }
    guard let bytes = pointer.pointee.buf.pointee.data else {
      throw LibavError(function: "av_new_packet", code: CFFmpeg_errorInvalidData)
    }
    write(bytes)
    (bytes + count).update(repeating: 0, count: padding)
    pointer.pointee.data = bytes
    pointer.pointee.size = Int32(count)
  }
}

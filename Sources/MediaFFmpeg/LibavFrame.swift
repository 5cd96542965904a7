import CFFmpeg

/// Owns an `AVFrame`.
final class LibavFrame {
  let pointer: UnsafeMutablePointer<AVFrame>

  init() throws(LibavError) { pointer = try LibavCall.unwrap(av_frame_alloc(), "av_frame_alloc") }

  /// With memory for a picture, rows aligned to 64 bytes.
  convenience init(format: AVPixelFormat, width: Int, height: Int) throws(LibavError) {
    try self.init()
    pointer.pointee.format = format.rawValue
    pointer.pointee.width = Int32(width)
    pointer.pointee.height = Int32(height)
    try LibavCall.check(av_frame_get_buffer(pointer, 64), "av_frame_get_buffer")
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&frame)
  }
}

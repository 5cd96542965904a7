import Frames

/// Memory that belongs to somebody else, lent as a frame or an image that is only read.
final class LentMemory: FrameOwner {
  static let shared = LentMemory()

  func frameEnded(_ storage: FrameStorage) {}

  /// - Parameters:
  ///   - bytes: planes one after another, each of its rows × its stride; valid for as long as the frame.
  func frame(_ format: FrameFormat, _ bytes: UnsafeRawBufferPointer) -> Frame {
    guard let base = bytes.baseAddress else { preconditionFailure("a frame has bytes") }
    var planes: [UnsafeMutableRawPointer] = unsafe []
    var offset = 0
    for plane in 0..<format.planeCount {
      unsafe planes.append(UnsafeMutableRawPointer(mutating: base + offset))
      offset += format.planeBytes(plane)
    }
    return Frame(format: format, storage: unsafe FrameStorage(planes: planes), owner: self)
  }

  /// - Parameters:
  ///   - bytes: valid for as long as the image.
  func image(
    _ encoding: FourCC, width: Int, height: Int, stride: Int, _ bytes: UnsafeRawBufferPointer
  ) -> EncodedImage {
    guard let base = bytes.baseAddress else { preconditionFailure("an image has bytes") }
    return EncodedImage(
      encoding: encoding, width: width, height: height, stride: stride, byteCount: bytes.count,
      storage: unsafe FrameStorage(planes: [UnsafeMutableRawPointer(mutating: base)]), owner: self)
  }
}

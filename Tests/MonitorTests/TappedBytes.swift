import Frames

/// Bytes as a tap has them, lent as a frame: planes one after another, each of its rows × its stride.
///
/// `@unchecked Sendable`: a test uses it on one thread.
final class TappedBytes: FrameOwner, @unchecked Sendable {
  private let format: FrameFormat
  private let bytes: UnsafeMutableRawBufferPointer

  init(_ bytes: [UInt8], _ format: FrameFormat) {
    precondition(bytes.count >= format.byteCount, "the bytes hold a whole frame")
    self.format = format
    self.bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    self.bytes.copyBytes(from: bytes)
  }

  deinit { bytes.deallocate() }

  func lend() -> Frame {
    var planes: [UnsafeMutableRawPointer] = [], offset = 0
    for plane in 0..<format.planeCount {
      planes.append(bytes.baseAddress! + offset)
      offset += format.planeBytes(plane)
    }
    return Frame(format: format, storage: FrameStorage(planes: planes), owner: self)
  }

  func frameEnded(_ storage: FrameStorage) {}
}

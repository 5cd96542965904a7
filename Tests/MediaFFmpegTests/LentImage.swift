import Foundation
import Frames

/// Bytes that are lent as an encoded image; counts how often they came back.
///
/// `@unchecked Sendable`: a test uses it on one thread.
final class LentImage: FrameOwner, @unchecked Sendable {
  private let bytes: UnsafeMutableRawBufferPointer
  private(set) var returned = 0

  init(_ data: Data) {
    bytes = .allocate(byteCount: max(1, data.count), alignment: 64)
    data.copyBytes(to: bytes)
    count = data.count
  }

  private let count: Int

  deinit { bytes.deallocate() }

  func image(_ encoding: String, width: Int, height: Int, stride: Int = 0) -> EncodedImage {
    EncodedImage(
      encoding: FourCC(encoding), width: width, height: height, stride: stride, byteCount: count,
      storage: FrameStorage(planes: [bytes.baseAddress!]), owner: self)
  }

  func frameEnded(_ storage: FrameStorage) { returned += 1 }
}

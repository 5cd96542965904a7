import Cameras
import Frames
import Synchronization

/// One image for several consumers: its memory goes back to the camera when the last of them lets go.
///
/// Consumers read only. Thread: `hold` and `lend` on the camera's; images end on any.
final class SharedImage: FrameOwner {
  private enum Kind {
    case frame(FrameFormat)
    case encoded(FourCC, width: Int, height: Int, stride: Int, byteCount: Int)
  }

  private struct Held: ~Copyable {
    var image: CapturedImage?
    var storage: FrameStorage?
    var kind: Kind?
    /// Of the consumers, and of whoever lends.
    var users = 0
  }

  private let held = Mutex(Held())

  /// Nobody uses it.
  var isFree: Bool { held.withLock { $0.users == 0 } }

  /// Takes the image over, until `letGo` and the end of every image that was lent.
  func hold(_ image: consuming CapturedImage) {
    let storage: FrameStorage, kind: Kind
    switch image {
    case .frame(let frame): (storage, kind) = (frame.storage, .frame(frame.format))
    case .encoded(let bytes):
      storage = bytes.storage
      kind = .encoded(
        bytes.encoding, width: bytes.width, height: bytes.height, stride: bytes.stride, byteCount: bytes.byteCount)
    }
    var taken: CapturedImage? = consume image
    held.withLock { held in
      held.image = taken.take()
      (held.storage, held.kind, held.users) = (storage, kind, 1)
    }
  }

  /// The image, once more.
  func lend() -> CapturedImage {
    let (storage, kind) = held.withLock { held in
      held.users += 1
      return (held.storage, held.kind)
    }
    guard let storage, let kind else { preconditionFailure("an image is held") }
    switch kind {
    case .frame(let format): return .frame(Frame(format: format, storage: storage, owner: self))
    case .encoded(let encoding, let width, let height, let stride, let byteCount):
      return .encoded(
        EncodedImage(
          encoding: encoding, width: width, height: height, stride: stride, byteCount: byteCount, storage: storage,
          owner: self))
    }
  }

  /// Lends nothing more.
  func letGo() { leave() }

  func frameEnded(_ storage: FrameStorage) { leave() }

  private func leave() {
    var ended: CapturedImage?
    held.withLock { held in
      held.users -= 1
      guard held.users == 0 else { return }
      ended = held.image.take()
      (held.storage, held.kind) = (nil, nil)
    }
    // The camera takes its memory back outside the lock.
    _ = consume ended
  }
}

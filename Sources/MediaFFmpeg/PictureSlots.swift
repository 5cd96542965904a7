import CFFmpeg
import Frames
import Platform
import Synchronization

/// A fixed number of libavcodec pictures that are lent as frames without copying.
///
/// Thread: one at a time, except `frameEnded`, which is for any. Once made, allocates nothing of its own.
///
/// `@unchecked Sendable`: `free` is touched only under its mutex; a picture is touched by whoever took its slot, and
/// after `lend` by nobody until its frame has ended.
final class PictureSlots: FrameOwner, @unchecked Sendable {
  private let pictures: [LibavFrame]
  private let storages: [FrameStorage]
  /// True if the pictures have memory of their own, false if a decoder gives each its memory.
  private let ownsMemory: Bool
  private let free: Mutex<[Int]>
  private let freed = MonotonicSemaphore()

  /// - Parameters:
  ///   - capacity: slots, at least 1.
  ///   - memory: gives each picture memory for this format and size; without it a decoder does.
  init(
    capacity: Int, memory: (format: AVPixelFormat, width: Int, height: Int)? = nil
  ) throws(LibavError) {
    var pictures: [LibavFrame] = []
    for _ in 0..<capacity {
      if let (format, width, height) = memory {
        pictures.append(try LibavFrame(format: format, width: width, height: height))
      } else {
        pictures.append(try LibavFrame())
      }
    }
    ownsMemory = memory != nil
    // Each storage gets its real planes when it is lent.
    let nowhere = UnsafeMutableRawPointer(pictures[0].pointer)
    storages = (0..<capacity).map { FrameStorage(planes: [nowhere], index: $0) }
    self.pictures = pictures
    free = Mutex(Array(0..<capacity))
    for _ in 0..<capacity { freed.signal() }
  }

  /// A slot that is free within `milliseconds`, or `nil`.
  func take(waitingAtMost milliseconds: Int) -> Int? {
    guard freed.wait(within: Double(milliseconds) / 1000) else { return nil }
    return free.withLock { $0.popLast() }
  }

  func picture(_ slot: Int) -> UnsafeMutablePointer<AVFrame> { pictures[slot].pointer }

  /// Takes back a slot that was not lent.
  func giveBack(_ slot: Int) {
    if !ownsMemory { av_frame_unref(pictures[slot].pointer) }
    free.withLock { $0.append(slot) }
    freed.signal()
  }

  /// The picture in `slot` as a frame of `format`; the slot comes back at the frame's end.
  ///
  /// - Precondition: the picture's planes hold what `format` says.
  func lend(_ slot: Int, format: FrameFormat) -> Frame {
    let data = pictures[slot].pointer.pointee.data
    guard let first = data.0 else { preconditionFailure("a picture that is lent has memory") }
    storages[slot].move(
      to: first, data.1.map { UnsafeMutableRawPointer($0) }, data.2.map { UnsafeMutableRawPointer($0) })
    return Frame(format: format, storage: storages[slot], owner: self)
  }

  func frameEnded(_ storage: FrameStorage) { giveBack(storage.index) }
}

import CFFmpeg
import Frames
import Glibc
import Synchronization

/// Lends the samples of a `Frame` to libavcodec without copying them.
///
/// The frame rests in a reused place while libavcodec holds references to its memory; when the last one goes, on
/// whatever thread that happens, the frame ends and its memory is back with its owner. libx265 copies the picture
/// inside `avcodec_send_frame`, so there the frame has ended when that returns; encoders with frame threads keep it
/// until its thread is done. Considered and dropped: frames without references, which libavcodec copies once more
/// (3 MB each at 1080p), and looking for returned frames at the next write, which stalls when the last frame of a
/// small pool is out.
///
/// Once warm, camrec allocates no memory per frame (libavutil allocates its two small reference records).
///
/// `@unchecked Sendable`: `free` is under its mutex; `all` changes only on the thread that lends.
final class VideoFrameLoans: @unchecked Sendable {
  /// `@unchecked Sendable`: a place belongs to the lender until libavutil has its address, and to the last
  /// reference's end after that.
  fileprivate final class Place: @unchecked Sendable {
    var frame: Frame?
    unowned let loans: VideoFrameLoans
    init(loans: VideoFrameLoans) { self.loans = loans }
  }

  private let free = Mutex<[Place]>([])
  private var all: [Place] = []

  /// Points `picture` (which holds nothing) at the samples of `frame`, with one reference that ends `frame`.
  func lend(_ frame: consuming Frame, to picture: UnsafeMutablePointer<AVFrame>) throws(LibavError) {
    let format = frame.format
    let storage = frame.storage
    let first = UnsafeMutablePointer<UInt8>(OpaquePointer(storage.pointer(plane: 0)))
    var (low, high) = (first, first + format.planeBytes(0))
    picture.pointee.data.0 = first
    picture.pointee.linesize.0 = Int32(format.stride(plane: 0))
    if format.planeCount > 1 {
      let plane = UnsafeMutablePointer<UInt8>(OpaquePointer(storage.pointer(plane: 1)))
      picture.pointee.data.1 = plane
      picture.pointee.linesize.1 = Int32(format.stride(plane: 1))
      (low, high) = (min(low, plane), max(high, plane + format.planeBytes(1)))
    }
    if format.planeCount > 2 {
      let plane = UnsafeMutablePointer<UInt8>(OpaquePointer(storage.pointer(plane: 2)))
      picture.pointee.data.2 = plane
      picture.pointee.linesize.2 = Int32(format.stride(plane: 2))
      (low, high) = (min(low, plane), max(high, plane + format.planeBytes(2)))
    }
    let place = take()
    place.frame = consume frame
    // One buffer spans all planes: libavutil wants every plane's address inside a buffer of the frame.
    let reference = av_buffer_create(
      low, high - low,
      { opaque, _ in
        guard let opaque else { return }
        VideoFrameLoans.ended(Unmanaged<Place>.fromOpaque(opaque).takeUnretainedValue())
      }, Unmanaged.passUnretained(place).toOpaque(), Int32(AV_BUFFER_FLAG_READONLY))
    guard let reference else {
      VideoFrameLoans.ended(place)
      throw LibavError(function: "av_buffer_create", code: CFFmpeg_error(ENOMEM))
    }
    picture.pointee.buf.0 = reference
  }

  private func take() -> Place {
    if let place = free.withLock({ $0.popLast() }) { return place }
    let place = Place(loans: self)
    all.append(place)
    free.withLock { $0.reserveCapacity(all.count) }
    return place
  }

  private static func ended(_ place: Place) {
    place.frame = nil
    place.loans.free.withLock { $0.append(place) }
  }
}

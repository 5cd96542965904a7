import Cameras
import Frames
import MediaFFmpeg
import Movies
import Synchronization

/// A clip whose pictures are hashed as they are read, on their way to whoever pulls them.
///
/// Thread: as `Camera`; `finish` when it has stopped.
final class HashingCamera: Camera {
  private let camera: ClipCamera
  private let writer: FrameHashWriter
  /// Frames that are hashed.
  private let limit: UInt64
  /// The first picture's time in the clip's ticks, and from there on the last one's and its end.
  private let times = Mutex<(start: Int64, last: Int64, end: Int64)?>(nil)

  /// - Parameters:
  ///   - path: of the hashes.
  ///   - limit: frames that are hashed; `nil`: all.
  init(_ camera: ClipCamera, path: String, limit: Int64?) throws(CamrecError) {
    self.camera = camera
    self.limit = limit.map(UInt64.init) ?? .max
    writer = try FrameHashWriter.open(of: camera, to: path)
  }

  var name: String { camera.name }
  var format: CameraFormat { camera.format }
  var warnings: [String] { camera.warnings }

  func start() throws(CamrecError) { try camera.start() }
  func stop() { camera.stop() }

  func next() throws(CamrecError) -> CameraEvent {
    switch try camera.next() {
    case .frame(let frame):
      if frame.sequence < limit, let time = frame.sourceTime { try hash(frame.image, at: time) }
      return .frame(frame)
    case .damaged(let sequence, let time): return .damaged(sequence: sequence, captureTime: time)
    case .nothing: return .nothing
    case .ended(let end): return .ended(end)
    }
  }

  private func hash(_ image: borrowing CapturedImage, at time: SourceTime) throws(CamrecError) {
    // As the session places them: a time that is not behind the one before is one tick behind it.
    let place = times.withLock { times in
      let start = times?.start ?? time.ticks
      let place = times.map { max(time.ticks - start, $0.last + 1) } ?? 0
      times = (start, place, place + time.duration)
      return place
    }
    let failure = image.withFrame { frame -> CamrecError? in
      do throws(CamrecError) {
        try writer.hash(frame, at: place)
        return nil
      } catch { return error }
    }
    if let failure = failure ?? nil { throw failure }
  }

  /// Ends the file.
  ///
  /// - Throws: code `output`.
  func finish() throws(CamrecError) { _ = try writer.finish(at: times.withLock { $0?.end ?? 0 }) }
}

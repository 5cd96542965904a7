package import Cameras
package import Frames
package import MediaFFmpeg
import Movies
import Synchronization

/// A clip that hashes its frames as they are read.
///
/// Thread: as `Camera`; call `finish` when it has stopped.
package final class HashingCamera: Camera {
  private let camera: ClipCamera
  private let writer: FrameHashWriter
  /// Number of frames to hash.
  private let limit: UInt64
  /// The first frame's time in the clip's ticks; relative to it, the last frame's time and end.
  private let times = Mutex<(start: Int64, last: Int64, end: Int64)?>(nil)

  /// - Parameters:
  ///   - path: of the hashes.
  ///   - limit: number of frames to hash; `nil`: all.
  package init(_ camera: ClipCamera, path: String, limit: Int64?) throws(CamrecError) {
    self.camera = camera
    self.limit = limit.map(UInt64.init) ?? .max
    writer = try FrameHashWriter.open(of: camera, to: path)
  }

  package var name: String { camera.name }
  package var format: CameraFormat { camera.format }
  package var warnings: [String] { camera.warnings }

  package func start() throws(CamrecError) { try camera.start() }
  package func stop() { camera.stop() }

  package func next() throws(CamrecError) -> CameraEvent {
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
    // As in the session: a time that is not after the previous one becomes one tick later.
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

  /// Finishes the file.
  ///
  /// - Throws: code `output`.
  package func finish() throws(CamrecError) { _ = try writer.finish(at: times.withLock { $0?.end ?? 0 }) }
}

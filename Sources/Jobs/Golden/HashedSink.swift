import Assembly
package import Audio
package import Frames
import MediaFFmpeg
package import Movies
package import RecorderAPI

/// A film that hashes its frames before the encoder, and watches them for flashes.
///
/// Thread: as `MovieSink`.
package final class HashedSink: MovieSink {
  private let film: any MovieSink
  private let hashes: FrameHashWriter
  private let watch: FlashWatch?
  /// Seconds per tick.
  private let seconds: Double

  /// - Parameters:
  ///   - path: of the hashes.
  ///   - watch: looks for flashes; `nil` if they are not needed.
  package init(_ settings: MovieSettings, hashes path: String, watch: FlashWatch?) throws(CamrecError) {
    self.watch = watch
    seconds = settings.timeBase.doubleValue
    var hashed = settings
    hashed.path = path
    hashed.container = .framemd5
    hashed.isLive = false
    hashes = try FrameHashWriter.open(hashed, together: true)
    film = try FilmMaker.fileSink(settings)
  }

  package func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    try hashes.hash(frame, at: time)
    watch?.take(frame, at: Double(time) * seconds)
    try film.write(frame, at: time)
  }

  package func write(_ sound: borrowing AudioBuffer) throws(CamrecError) { try film.write(sound) }

  package func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
    _ = try hashes.finish(at: endTime)
    return try film.finish(at: endTime)
  }

  package var bytesWritten: Int64 { film.bytesWritten }
  package var closingBytes: Int64 { film.closingBytes }
  package var path: String { film.path }
  package var disk: DiskStatus { film.disk }
  package func isHeldUp(since instant: MonotonicTime) -> Bool { film.isHeldUp(since: instant) }
}

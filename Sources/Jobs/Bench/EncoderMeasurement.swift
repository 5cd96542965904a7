package import Assembly
import Bake
import Cameras
package import Color
package import Foundation
package import Frames
import MediaFFmpeg
package import Movies
import Platform
import Recorder

/// The frame rate that camrec reaches with one encoder preset, from a camera's buffer to the file.
package struct EncoderMeasurement: Encodable {
  package let width: Int
  package let height: Int
  package let codec: String
  package let preset: String?
  /// At full speed.
  package let framesPerSecond: Double

  /// The mean size of an encoded frame. The scene moves and has no noise.
  package let bytesPerFrame: Double

  /// The share of the measured rate that counts as safe in real time: cameras, audio and everything else need the rest,
  /// and some frames are harder than others.
  package static let share = 0.75
  package static let rates = [24, 25, 30, 50, 60]

  /// The highest usual rate that is safe in real time.
  package var sustainedRate: Int? { EncoderMeasurement.rates.last { sustains(Double($0)) } }
  package func sustains(_ rate: Double) -> Bool { rate <= framesPerSecond * EncoderMeasurement.share }

  /// Records `reel` for about `duration` to a file in `directory`, and deletes the file.
  package init(
    _ reel: FrameReel, grade: Grade, interpolation: Interpolation, workers: Int, encoding: VideoEncoding,
    duration: Duration, directory: URL
  ) throws(CamrecError) {
    let options = SessionOptions(overload: .wait)
    let layout = try MovieWriter.acceptedLayout(for: encoding, container: .mov, input: reel.picture.layout)
    let color: ColorDescription = grade.changesColors ? .rec709 : reel.picture.color
    let baker = try Baker(
      input: reel.picture, outputLayout: layout, outputColor: color,
      lut: try grade.table(from: reel.picture.color, to: color), interpolation: interpolation, grain: grade.grain,
      workers: workers, frames: options.bakedFrames + FilmMaker.framesInEncoder(encoding))
    let file = URL(fileURLWithPath: "\(directory.path)/camrec-bench-\(UUID().uuidString).mov")
    defer { try? FileManager.default.removeItem(at: file) }
    let settings = MovieSettings(
      path: file.path, container: .mov, format: baker.outputFormat, frameRate: reel.frameRate, audio: nil,
      encoding: encoding, creationTime: 0, isLive: false)
    let session = RecordingSession(
      parts: RecordingSession.Parts(
        camera: reel, microphone: nil, converter: nil, baker: baker, resampler: nil,
        openSink: { _ throws(CamrecError) in (try MovieWriter.open(settings), settings.path) }),
      options: options, timeBase: settings.timeBase)
    reel.rewind(for: duration)
    let begin = MonotonicTime.now()
    let summary = session.run(observer: Unobserved())
    let seconds = Double(MonotonicTime.now() - begin) * 1e-9
    if let failure = summary.failure { throw failure }
    self.init(
      width: reel.picture.width, height: reel.picture.height, codec: encoding.codec.rawValue, preset: encoding.preset,
      framesPerSecond: Double(summary.counts.written) / seconds,
      bytesPerFrame: Double(summary.movie?.bytes ?? 0) / Double(max(1, summary.counts.written)))
  }

  /// What was measured.
  package init(
    width: Int, height: Int, codec: String, preset: String?, framesPerSecond: Double, bytesPerFrame: Double
  ) {
    self.width = width
    self.height = height
    self.codec = codec
    self.preset = preset
    self.framesPerSecond = framesPerSecond
    self.bytesPerFrame = bytesPerFrame
  }
}

/// Ignores all events.
private final class Unobserved: SessionObserver {
  func started(at time: MonotonicTime) {}
  func progressed(_ progress: SessionProgress) {}
  func warned(_ sentence: String) {}
}

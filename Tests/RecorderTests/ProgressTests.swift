import Bake
import CameraTestKit
import Cameras
import Color
import Frames
import MovieTestKit
import Movies
import Platform
import Recorder
import Synchronization
import Testing

/// What an observer is told of while a film grows.
struct ProgressTests {
  /// Remembers the latest progress. Thread: any.
  final class Watcher: SessionObserver, Sendable {
    private let latest = Mutex<SessionProgress?>(nil)

    var progress: SessionProgress? { latest.withLock { $0 } }

    func started(at time: MonotonicTime) {}
    func progressed(_ progress: SessionProgress) { latest.withLock { $0 = progress } }
    func warned(_ sentence: String) {}

    /// Waits until the latest progress is as wanted; gives up after a minute.
    func wait(until isWanted: (SessionProgress) -> Bool) {
      for _ in 0..<6000 {
        if let progress, isWanted(progress) { return }
        WorkThread.sleep(.milliseconds(10))
      }
    }
  }

  private static func record(
    _ lines: [ScriptedCamera.Line], options: SessionOptions = SessionOptions(overload: .wait), to watcher: Watcher
  ) throws -> SessionSummary {
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    let sink = CollectingSink()
    return RecordingSession(
      parts: RecordingSession.Parts(
        camera: ScriptedCamera(lines, rate: RecordingSessionTests.rate), microphone: nil, converter: nil, baker: baker,
        resampler: nil, openSink: { _ throws(CamrecError) in (sink, "") }),
      options: options, timeBase: RecordingSessionTests.timeBase
    ).run(observer: watcher)
  }

  /// The last frame lasts, too, and so does a gap.
  @Test func seconds_areTheFilmsLengthSoFar() throws {
    let watcher = Watcher()
    let summary = try Self.record(
      [.frames(10), .gap(2), .frames(1), .action { watcher.wait { $0.counts.written == 11 } }], to: watcher)
    let progress = try #require(watcher.progress)
    #expect(progress.counts.written == 11 && abs(progress.seconds - 13.0 / 24) < 1e-9, "\(progress)")
    #expect(abs(summary.seconds - progress.seconds) < 1e-9)
  }

  /// As the end counts them.
  @Test func frames_includeThoseThatFillGaps() throws {
    var options = SessionOptions(overload: .wait)
    options.fillsGaps = true
    let watcher = Watcher()
    let summary = try Self.record(
      [.frames(10), .gap(2), .frames(1), .action { watcher.wait { $0.counts.written == 11 } }], options: options,
      to: watcher)
    let progress = try #require(watcher.progress)
    #expect(progress.counts.written == 11 && progress.repeated == 2 && progress.frames == 13, "\(progress)")
    #expect(summary.repeated == 2 && summary.counts.written == 11)
  }
}

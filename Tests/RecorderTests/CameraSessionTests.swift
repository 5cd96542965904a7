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

/// A camera that outlives films.
struct CameraSessionTests {
  private static func session(
    _ source: CameraSession, _ sink: CollectingSink, options: SessionOptions = SessionOptions(overload: .wait)
  ) throws -> RecordingSession {
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    var parts = RecordingSession.Parts(
      camera: source.camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
      openSink: { _ throws(CamrecError) in (sink, "") })
    parts.source = source
    return RecordingSession(parts: parts, options: options, timeBase: RecordingSessionTests.timeBase)
  }

  /// Each film counts from its own first frame, and what goes by in between is nobody's loss.
  @Test func filmsFollowOneAnother_withoutTheCameraBeingStartedAgain() throws {
    // Paced: otherwise thousands of frames would go by between two films.
    let camera = StartedCamera(
      ScriptedCamera(
        [.frames(40), .gap(7), .frames(10_000_000)], rate: RecordingSessionTests.rate, pacing: .microseconds(200)))
    let source = CameraSession(camera, exposure: nil, converter: nil, isPulled: true)
    var options = SessionOptions(overload: .wait), last: UInt8?
    options.limit = .frames(20)
    for film in 0..<5 {
      let sink = CollectingSink()
      let summary = try Self.session(source, sink, options: options).run(observer: RecordingSessionTests.Notes())
      #expect(summary.failure == nil && summary.counts.expected == 20, "film \(film): \(summary.counts)")
      #expect(sink.contents.ticks.first == 0 && sink.contents.endTicks == 20_000)
      let bytes = sink.contents.firstBytes
      if film > 1 { #expect(zip(bytes, bytes.dropFirst()).allSatisfy { $1 == $0 &+ 1 }, "film \(film): \(bytes)") }
      last = bytes.last
    }
    #expect(last != nil && camera.counts.starts == 1 && camera.counts.stops == 0)
    source.close()
    #expect(camera.counts.starts == 1 && camera.counts.stops == 1)
  }

  /// They share each image, and the camera gets its memory back when the last lets go.
  @Test func severalFilmsAtOnceGetEveryFrame() throws {
    let areAttached = Atomic<Bool>(false)
    let camera = ScriptedCamera(
      [
        .action { while !areAttached.load(ordering: .acquiring) { WorkThread.sleep(.milliseconds(1)) } },
        .frames(200), .gap(3), .damaged, .frames(50),
      ], rate: RecordingSessionTests.rate, pool: 16)
    let source = CameraSession(camera, exposure: nil, converter: nil, isPulled: true)
    let sinks = (0..<3).map { _ in CollectingSink() }, summaries = Mutex<[SessionSummary]>([])
    let threads = try sinks.map { sink in
      let session = try Self.session(source, sink)
      return WorkThread(name: "film") {
        let summary = session.run(observer: RecordingSessionTests.Notes())
        summaries.withLock { $0.append(summary) }
      }
    }
    while source.arrivalCount < sinks.count { WorkThread.sleep(.milliseconds(1)) }
    areAttached.store(true, ordering: .releasing)
    threads.forEach { $0.join() }
    source.close()
    for summary in summaries.withLock({ $0 }) {
      #expect(summary.failure == nil && summary.counts.expected == 254 && summary.counts.written == 250)
      #expect(summary.counts.lost(.deviceGap) == 3 && summary.counts.lost(.deviceError) == 1)
    }
    let first = sinks[0].contents.firstBytes
    #expect(first.count == 250 && sinks.allSatisfy { $0.contents.firstBytes == first })
    #expect(camera.freeFrames == 16, "every frame went back to its pool")
  }

  /// A film is the same, bit for bit, whoever looks: one that reads, one that borrows for ever, and one that is gone.
  @Test func whoeverLooksChangesNothing() throws {
    func film(_ look: (FrameTap) -> [TapReader]) throws -> CollectingSink.Contents {
      let camera = ScriptedCamera([.frames(300), .gap(2), .frames(50)], rate: RecordingSessionTests.rate)
      let source = CameraSession(camera, exposure: nil, converter: nil, isPulled: true, endsWithFilm: true)
      let sink = CollectingSink(), readers = look(source.tap)
      let isOver = Atomic<Bool>(false), isBorrowing = Atomic<Bool>(readers.count < 2)
      let looking = readers.enumerated().map { index, reader in
        let held = Held(reader)
        return WorkThread(name: "looker") {
          if index == 1 {
            let had: Void? = unsafe held.reader.borrow(within: 60) { _, _ in
              isBorrowing.store(true, ordering: .releasing)
              while !isOver.load(ordering: .acquiring) { WorkThread.sleep(.milliseconds(1)) }
            }
            #expect(had != nil)
          } else {
            var bytes: [UInt8] = []
            while !isOver.load(ordering: .acquiring) { _ = held.reader.copy(into: &bytes, within: 0.005) }
          }
        }
      }
      let summary = try Self.session(source, sink).run(observer: RecordingSessionTests.Notes())
      isOver.store(true, ordering: .releasing)
      looking.forEach { $0.join() }
      #expect(summary.failure == nil && summary.counts.written == 350 && isBorrowing.load(ordering: .acquiring))
      #expect(camera.freeFrames == 8)
      return sink.contents
    }
    let alone = try film { _ in [] }
    let seen = try film { tap in
      // The last one is gone at once.
      _ = tap.captured.open()
      return [tap.captured.open(), tap.captured.open(), tap.baked.open()].compactMap(\.self)
    }
    #expect(alone.ticks == seen.ticks && alone.firstBytes == seen.firstBytes && alone.endTicks == seen.endTicks)
  }

  @Test func whoeverAttachesLaterHearsWhyTheCameraHasEnded() throws {
    let camera = ScriptedCamera([.nothing, .ended(.unplugged)], rate: RecordingSessionTests.rate)
    let source = CameraSession(camera, exposure: nil, converter: nil)
    let first = try Self.session(source, CollectingSink()).run(observer: RecordingSessionTests.Notes())
    #expect(first.failure?.message == "scripted camera was unplugged")
    let second = try Self.session(source, CollectingSink()).run(observer: RecordingSessionTests.Notes())
    #expect(second.failure?.message == "scripted camera was unplugged" && second.movie == nil)
    source.close()
  }

  /// It delivers frames when it likes: they can be looked at, before and behind a film that is refused.
  @Test func aCameraWithoutAFrameRateIsLookedAt_andNotRecorded() throws {
    let camera = StartedCamera(ScriptedCamera([.frames(10_000_000)], rate: nil, pacing: .milliseconds(1)))
    let source = CameraSession(camera, exposure: nil, converter: nil), sink = CollectingSink()
    let reader = try #require(source.tap.captured.open())
    source.start()
    var bytes: [UInt8] = []
    let before = try #require(reader.copy(into: &bytes, within: 60))
    let summary = try Self.session(source, sink).run(observer: RecordingSessionTests.Notes())
    #expect(
      summary.failure?.message
        == "scripted camera has no frame rate, so it cannot record films; choose another --camera")
    #expect(summary.failure?.code == .usage && summary.failure?.reason == .notOffered)
    #expect(summary.counts.expected == 0 && summary.movie == nil && sink.contents.ticks.isEmpty)
    let behind = try #require(reader.copy(into: &bytes, within: 60))
    #expect(behind.sequence > before.sequence && bytes.first == UInt8(truncatingIfNeeded: behind.sequence))
    #expect(camera.counts.starts == 1 && camera.counts.stops == 0)
    source.close()
  }

  /// - Note: a reader is used by one thread, which gets it here.
  private final class Held: @unchecked Sendable {
    let reader: TapReader
    init(_ reader: TapReader) { self.reader = reader }
  }
}

import Audio
import Bake
import CameraTestKit
import Cameras
import Color
import Frames
import MovieTestKit
import Movies
import Platform
import Recorder
import RecorderAPI
import Sidecar
import Synchronization
import TestKit
import Testing

/// What is said of a pre-roll whose encoder cannot keep up, and what the film that follows counts of it.
struct PreRollLossTests {
  /// Keeps the times of frames, and takes none while a gate is closed.
  private final class SlowRoll: PreRoll {
    private let gate: Gate
    private let times = Mutex<[Int64]>([])

    let shortfall: PreRollShortfall?

    init(_ gate: Gate, shortfall: PreRollShortfall? = nil) {
      self.gate = gate
      self.shortfall = shortfall
    }

    var latest: Int64? { times.withLock { $0.last } }
    var count: Int { times.withLock { $0.count } }

    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
      gate.pass()
      times.withLock { $0.append(time) }
    }
    func write(_ sound: borrowing AudioBuffer, at sample: Int64) throws(CamrecError) {}
    var begin: Int64? { times.withLock { $0.first } }
    func keepAll(_ keeps: Bool) {}
    // Seconds become ticks by division, so a tick less is the same moment.
    func start(for time: Int64) -> Int64? { times.withLock { times in times.last { $0 <= time + 1 } ?? times.first } }
    func begins(at time: Int64, sample: Int64) { times.withLock { times in times.removeAll { $0 < time } } }
    var status: PreRollStatus { PreRollStatus(frames: count) }
  }

  /// A film of what a pre-roll has kept, and of what comes.
  private final class Film: MovieSink {
    private let inner = CollectingSink()
    private let kept: Int

    init(kept: Int) { self.kept = kept }

    var bytesWritten: Int64 { inner.bytesWritten }
    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) { try inner.write(frame, at: time) }
    func write(_ sound: borrowing AudioBuffer) throws(CamrecError) { try inner.write(sound) }
    func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
      MovieReport(path: "memory", bytes: 0, frames: try inner.finish(at: endTime).frames + Int64(kept))
    }
  }

  private final class File: PreparedSegment {
    let path = ""
    private let roll: SlowRoll

    init(_ roll: SlowRoll) { self.roll = roll }

    func begin(_ start: SegmentStart) throws(CamrecError) -> any MovieSink { Film(kept: roll.count) }
    func openSidecar(_ start: SegmentStart) throws(CamrecError) -> SidecarWriter? { nil }
    func discard() {}
  }

  /// Thread: any.
  private final class Watcher: SessionObserver, Sendable {
    private let told = Mutex<[SessionRemark]>([])

    var losses: [SessionRemark] { losses(of: "overload") }

    func losses(of reason: String) -> [SessionRemark] { told.withLock { $0.filter { $0.facts["reason"] == reason } } }

    var shortfalls: [SessionRemark] { told.withLock { $0.filter { $0.facts["seconds"] != nil } } }

    func started(at time: MonotonicTime) {}
    func progressed(_ progress: SessionProgress) {}
    func warned(_ sentence: String) { remarked(SessionRemark(sentence)) }
    func remarked(_ remark: SessionRemark) { told.withLock { $0.append(remark) } }
  }

  /// What the camera's script acts on.
  private final class Stage: Sendable {
    let session = Mutex<RecordingSession?>(nil)
    let camera = Mutex<ScriptedCamera?>(nil)

    var isIdle: Bool { camera.withLock { $0?.freeFrames } == PreRollLossTests.pool }
  }

  /// Delivers a second of audio of which a tenth is lost in between.
  private final class LosingMicrophone: Microphone {
    let name = "losing microphone"
    let format = AudioFormat.standard
    let isPulled = false
    private let position = Mutex(0)

    func start() throws(CamrecError) {}
    func stop() {}

    func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
      WorkThread.sleep(.microseconds(500))
      let capacity = buffer.capacity
      let (first, count, lost) = position.withLock { position in
        let lost = position == 24_000 ? 4800 : 0
        position += lost
        let count = min(capacity, 480, 48_000 - position)
        defer { position += count }
        return (position, count, lost)
      }
      (buffer.count, buffer.lostBefore) = (count, lost)
      buffer.time = ScriptedCamera.origin.advanced(by: Int64(first) * 1_000_000_000 / 48_000)
      return true
    }
  }

  private static let pool = 32

  /// Gives up after a minute.
  private static func wait(_ what: Comment, until isSo: () -> Bool) {
    for _ in 0..<6000 {
      if isSo() { return }
      WorkThread.sleep(.milliseconds(10))
    }
    Issue.record(what)
  }

  @Test func framesThatAPreRollLoses_areSaid_andAreNotTheFilms() throws {
    let gate = Gate(), roll = SlowRoll(gate), watcher = Watcher(), stage = Stage()
    let ticks = (RecordingSessionTests.rate.frameDuration * RecordingSessionTests.timeBase.inverse).scaling(1)
    gate.close()
    let camera = ScriptedCamera(
      [
        // Many more than wait anywhere.
        .frames(100),
        .action {
          Self.wait("it is said") { !watcher.losses.isEmpty }
          gate.open()
          Self.wait("nothing waits") { stage.isIdle }
        },
        .frames(1),
        .action {
          Self.wait("the last one is kept") { roll.latest == 100 * ticks }
          _ = try? stage.session.withLock { $0 }?.beginFilm()
        },
        .frames(2),
      ], rate: RecordingSessionTests.rate, pool: Self.pool)
    let options = SessionOptions()
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    var parts = RecordingSession.Parts(
      camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
      openSink: { (_) throws(CamrecError) in throw CamrecError(.defect, "it has no film of its own") })
    parts.standing = StandingPlan(seconds: Rational(0), roll: roll) { () throws(CamrecError) in File(roll) }
    let session = RecordingSession(parts: parts, options: options, timeBase: RecordingSessionTests.timeBase)
    stage.session.withLock { $0 = session }
    stage.camera.withLock { $0 = camera }
    let summary = session.run(observer: watcher)
    stage.session.withLock { $0 = nil }
    stage.camera.withLock { $0 = nil }
    let losses = watcher.losses
    let first = try #require(losses.first)
    #expect(first.isWarning && !first.isRepeat && first.namesFilm && first.facts["film"] == nil, "\(first)")
    #expect(first.sentence.plain.contains(" of the pre-roll w"), "\(first.sentence)")
    #expect(first.sentence.plain.contains(": the bake or the encoder is too slow; try "), "\(first.sentence)")
    #expect(losses.count == 1, "what was lost in front of the film is not said of the film: \(losses)")
    #expect(summary.counts.expected == 3 && summary.counts.written == 3 && summary.counts.totalLost == 0, "\(summary)")
    #expect(summary.failure == nil)
  }

  /// In standby, and once more of the film that includes it.
  @Test(arguments: [false, true]) func audioThatAPreRollLoses_isSaid(isIncluded: Bool) throws {
    let gate = Gate(), roll = SlowRoll(gate), watcher = Watcher(), stage = Stage()
    let camera = ScriptedCamera(
      [
        .frames(30),
        .action {
          Self.wait("it is said") { !watcher.losses(of: "sound").isEmpty }
          if isIncluded { _ = try? stage.session.withLock { $0 }?.beginFilm() }
        },
        .frames(2),
      ], rate: RecordingSessionTests.rate, pool: Self.pool)
    let options = SessionOptions(overload: .wait)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    var parts = RecordingSession.Parts(
      camera: camera, microphone: LosingMicrophone(), converter: nil, baker: baker, resampler: nil,
      openSink: { (_) throws(CamrecError) in throw CamrecError(.defect, "it has no film of its own") })
    parts.standing = StandingPlan(seconds: Rational(10), roll: roll) { () throws(CamrecError) in File(roll) }
    let session = RecordingSession(parts: parts, options: options, timeBase: RecordingSessionTests.timeBase)
    stage.session.withLock { $0 = session }
    let summary = session.run(observer: watcher)
    stage.session.withLock { $0 = nil }
    let losses = watcher.losses(of: "sound"), first = try #require(losses.first)
    #expect(first.isWarning && first.namesFilm && first.facts == ["reason": "sound", "count": "4800"], "\(first)")
    #expect(first.sentence.plain.hasPrefix("0.1 s of the pre-roll's audio was lost: "), "\(first.sentence)")
    #expect(summary.failure == nil && losses.count == (isIncluded ? 2 : 1), "\(losses)")
    guard isIncluded else { return }
    #expect(losses.last?.sentence.plain.hasPrefix("0.1 s of audio was lost (from 0.5") == true, "\(losses)")
    #expect(summary.sound?.lostFrames == 4800)
  }

  @Test func memoryThatIsTooSmall_isSaidOnce() throws {
    let short = PreRollShortfall(seconds: 8.54, wanted: 12, isMostMemory: false)
    let roll = SlowRoll(Gate(), shortfall: short), watcher = Watcher(), stage = Stage()
    let camera = ScriptedCamera(
      [
        .frames(2),
        .action {
          Self.wait("it is said") { !watcher.shortfalls.isEmpty }
          _ = try? stage.session.withLock { $0 }?.beginFilm()
        },
        .frames(2),
      ], rate: RecordingSessionTests.rate, pool: Self.pool)
    let options = SessionOptions(overload: .wait)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    var parts = RecordingSession.Parts(
      camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
      openSink: { (_) throws(CamrecError) in throw CamrecError(.defect, "it has no film of its own") })
    parts.standing = StandingPlan(seconds: Rational(12), roll: roll) { () throws(CamrecError) in File(roll) }
    let session = RecordingSession(parts: parts, options: options, timeBase: RecordingSessionTests.timeBase)
    stage.session.withLock { $0 = session }
    _ = session.run(observer: watcher)
    stage.session.withLock { $0 = nil }
    let said = watcher.shortfalls, first = try #require(said.first)
    #expect(said.count == 1 && first.isWarning && first.facts == ["seconds": "8.5"], "\(said)")
    #expect(
      first.sentence.plain == "the memory of the pre-roll holds only about 8.5 of 12 s: the frames need more than "
        + "expected; a longer pre-roll has more memory")
    let most = PreRollShortfall(seconds: 8.54, wanted: 12, isMostMemory: true).remark
    #expect(most.message.hasSuffix("; record with a smaller --size"), "\(most)")
  }
}

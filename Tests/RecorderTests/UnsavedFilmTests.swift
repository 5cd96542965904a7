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
import Synchronization
import TestKit
import Testing

/// Film that a crash would cost while the encoder is too slow.
struct UnsavedFilmTests {
  private static func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func moreThanPromised_isSaidAfterAMoment_withReasonAndRemedy() throws {
    var watch = UnsavedWatch(hasFasterPreset: true)
    func look(_ unsaved: Double, at seconds: Double, isBehind: Bool = true) -> SessionRemark? {
      watch.look(unsaved: unsaved, bound: 0.97, isBehind: isBehind, at: Self.at(seconds))
    }
    #expect(look(0.97, at: 10) == nil)
    #expect(look(1.5, at: 10.1) == nil)
    #expect(look(1.8, at: 11) == nil)
    let first = try #require(look(2.034, at: 11.1))
    #expect(
      first.message
        == "the bake or the encoder is too slow: a crash or a power cut now costs 2.03 s of film instead of 0.97 s at "
        + "most; try a smaller --size, a lower --fps, or a faster --preset; 'camrec bench' measures what this machine "
        + "can do")
    #expect(first.facts == ["unsaved-seconds": "2.03", "loss-bound": "0.97"])
    #expect(first.isWarning && !first.isError && !first.isRepeat)
  }

  @Test func ofAClip_theRemedyIsTheClips() throws {
    var watch = UnsavedWatch(isClip: true)
    _ = watch.look(unsaved: 2, bound: 1, isBehind: true, at: Self.at(10))
    let later = watch.look(unsaved: 2, bound: 1, isBehind: true, at: Self.at(11))
    let remark = try #require(later)
    #expect(remark.message.hasSuffix("; bake the clip with 'camrec bake', which loses no frame"), "\(remark.message)")
  }

  /// Behind each fragment there is less to lose.
  @Test func aShortPauseIsNoEnd_andWarningsAreHalfAMinuteApart() throws {
    var watch = UnsavedWatch(), said: [Double] = []
    for tenth in 0...700 {
      let seconds = Double(tenth) / 10
      let unsaved = tenth % 20 < 2 ? 1.2 : 0.8
      if let remark = watch.look(unsaved: unsaved, bound: 1, isBehind: true, at: Self.at(seconds)) {
        #expect(remark.isRepeat == !said.isEmpty && !remark.message.contains("--preset"))
        said.append(seconds)
      }
    }
    #expect(said == [2, 32, 62])
  }

  @Test func whatIsOverSoon_orTheDisks_isNotSaid() {
    var watch = UnsavedWatch(), remarks: [SessionRemark] = []
    // Once in four seconds, or for less than a second.
    for seconds in [0.0, 4, 8, 12, 16, 16.9] {
      remarks += [watch.look(unsaved: 5, bound: 1, isBehind: true, at: Self.at(seconds))].compactMap(\.self)
    }
    for tenth in 0...100 {
      remarks += [watch.look(unsaved: 5, bound: 1, isBehind: false, at: Self.at(30 + Double(tenth) / 10))]
        .compactMap(\.self)
    }
    #expect(remarks.isEmpty, "\(remarks)")
  }

  /// An encoder that takes no more frames once it has had twenty, twelve of which are on the medium.
  private final class StuckEncoder: MovieSink {
    private let inner = CollectingSink()
    private let gate: Gate
    private let isDisk: Bool
    let lossBound: Double?

    /// - Parameter isDisk: it is the disk that it waits for.
    init(_ gate: Gate, lossBound: Double?, isDisk: Bool) {
      (self.gate, self.lossBound, self.isDisk) = (gate, lossBound, isDisk)
    }

    var bytesWritten: Int64 { inner.bytesWritten }
    var confirmedEnd: Int64? { 12_000 }
    func isHeldUp(since instant: MonotonicTime) -> Bool { isDisk }

    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
      if inner.contents.ticks.count == 20 { gate.pass() }
      try inner.write(frame, at: time)
    }

    func write(_ sound: borrowing AudioBuffer) throws(CamrecError) { try inner.write(sound) }
    func finish(at endTime: Int64) throws(CamrecError) -> MovieReport { try inner.finish(at: endTime) }
  }

  /// Ends the recording once it was told enough.
  private final class Watcher: SessionObserver {
    private let isEnough: (Watcher) -> Bool
    var end: () -> Void = {}
    private(set) var progress: [SessionProgress] = []
    private(set) var warnings: [SessionRemark] = []

    init(until isEnough: @escaping (Watcher) -> Bool) { self.isEnough = isEnough }

    func started(at time: MonotonicTime) {}
    func warned(_ sentence: String) {}

    func progressed(_ progress: SessionProgress) {
      self.progress.append(progress)
      if isEnough(self) { end() }
    }

    func remarked(_ remark: SessionRemark) {
      if remark.facts["unsaved-seconds"] != nil { warnings.append(remark) }
      if isEnough(self) { end() }
    }
  }

  /// Frames come until the watcher was told enough, or for two minutes at least.
  private static func record(
    lossBound: Double?, isDisk: Bool = false, to watcher: Watcher
  ) throws -> SessionSummary {
    let gate = Gate(), sink = StuckEncoder(gate, lossBound: lossBound, isDisk: isDisk)
    gate.close()
    let options = SessionOptions(overload: .drop)
    let camera = ScriptedCamera(
      [.frames(60_000), .action { gate.open() }], rate: RecordingSessionTests.rate, pool: 16, pacing: .milliseconds(2))
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    let session = RecordingSession(
      parts: RecordingSession.Parts(
        camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
        openSink: { _ throws(CamrecError) in (sink, "") }),
      options: options, timeBase: RecordingSessionTests.timeBase)
    watcher.end = {
      session.requestStop()
      gate.open()
    }
    return session.run(observer: watcher)
  }

  /// From the end of what is on the medium to that of the newest frame, lost ones included.
  private static func expectMeasured(_ watcher: Watcher, _ summary: SessionSummary) throws {
    let told = try #require(watcher.progress.last { $0.unsavedSeconds != nil && $0.counts.expected > 20 })
    let unsaved = try #require(told.unsavedSeconds) * 24 + 12
    #expect(unsaved >= Double(told.counts.expected) - 1e-6 && unsaved <= Double(summary.counts.expected) + 1e-6)
  }

  @Test(arguments: [Double?.none, 0.5]) func aSlowEncoderIsMeasured_andSaid(bound: Double?) throws {
    let watcher = Watcher { told in
      !told.warnings.isEmpty && told.progress.contains { $0.unsavedSeconds != nil && $0.counts.expected > 20 }
    }
    let summary = try Self.record(lossBound: bound, to: watcher)
    try Self.expectMeasured(watcher, summary)
    #expect(watcher.warnings.count == 1)
    let warning = try #require(watcher.warnings.first)
    // If nobody knows what the encoder holds, the limit that was asked for counts.
    #expect(warning.facts["loss-bound"] == (bound == nil ? "1.00" : "0.50"))
    #expect(
      warning.message.hasPrefix("the bake or the encoder is too slow: a crash or a power cut now costs "),
      "\(warning.message)")
  }

  /// Longer than a warning about the encoder would take.
  @Test func aSlowDiskIsMeasured_andNotCalledASlowEncoder() throws {
    let watcher = Watcher { $0.progress.count > 5 }
    let summary = try Self.record(lossBound: 0.5, isDisk: true, to: watcher)
    try Self.expectMeasured(watcher, summary)
    #expect(watcher.warnings.isEmpty, "\(watcher.warnings)")
  }

  /// What the end of one file and the beginning of the next still lack.
  @Test func filesAreMeasuredTogether() throws {
    let gate = Gate(), session = Mutex<RecordingSession?>(nil), seen = Mutex<Double?>(nil)
    gate.close()
    let script = SegmentShelf.Script(
      finish: { (file) throws(CamrecError) in if file == 0 { gate.pass() } },
      confirmed: { file in file == 0 ? 18_000 : 2000 })
    let outcome = try SegmentSessionTests.record(
      [
        .frames(30),
        .action {
          let running = session.withLock { $0 }
          for _ in 0..<6000 {
            let unsaved = running?.unsavedSeconds
            seen.withLock { $0 = unsaved }
            if let unsaved, abs(unsaved - 10.0 / 24) < 1e-9 { break }
            WorkThread.sleep(.milliseconds(10))
          }
          gate.open()
        },
      ], shelf: SegmentShelf(script: script), begins: { running in session.withLock { $0 = running } })
    let latest = seen.withLock { $0 }, unsaved = try #require(latest)
    #expect(abs(unsaved - 10.0 / 24) < 1e-9, "six frames of the first file, four of the second")
    let ended = session.withLock { $0 }
    #expect(outcome.files.count == 2 && ended?.unsavedSeconds == nil, "all of it is on the medium")
  }
}

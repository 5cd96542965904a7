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
import Testing

struct RecordingSessionTests {
  static let rate = FrameRate(parsing: "24").unsafelyUnwrapped
  static let timeBase = Rational(1, 24000)

  final class Notes: SessionObserver {
    var warnings: [String] = []
    var remarks: [SessionRemark] = []
    var starts = 0
    func started(at time: MonotonicTime) { starts += 1 }
    func progressed(_ progress: SessionProgress) {}
    func warned(_ sentence: String) { warnings.append(sentence) }
    func remarked(_ remark: SessionRemark) {
      remarks.append(remark)
      if remark.isWarning { warned(remark.message) }
    }

    /// What the warnings say was lost of the sound.
    var soundLost: Int64 {
      remarks.filter { $0.facts["reason"] == "sound" }.reduce(0) { $0 + (Int64($1.facts["count"] ?? "") ?? 0) }
    }
  }

  struct Outcome {
    var summary: SessionSummary
    var contents: CollectingSink.Contents
    var notes: Notes
    var wasOpened: Bool
  }

  static func record(
    _ lines: [ScriptedCamera.Line], options: SessionOptions = SessionOptions(overload: .wait),
    sink: CollectingSink = CollectingSink(), microphone: (any Microphone)? = nil,
    resampler: (any AudioResampler)? = nil, pacing: Duration? = nil,
    openError: CamrecError? = nil
  ) throws -> Outcome {
    let camera = ScriptedCamera(lines, rate: rate, pacing: pacing)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    let opened = Atomic<Int>(0)
    let notes = Notes()
    let session = RecordingSession(
      parts: RecordingSession.Parts(
        camera: camera, microphone: microphone, converter: nil, baker: baker, resampler: resampler,
        openSink: { _ throws(CamrecError) in
          opened.add(1, ordering: .relaxed)
          if let openError { throw openError }
          return (sink, "")
        }),
      options: options, timeBase: timeBase)
    let summary = session.run(observer: notes)
    #expect(camera.freeFrames == 8, "every frame went back to its pool")
    #expect(summary.counts.underway == 0, "every frame that was due is written or lost for a reason")
    let openings = opened.load(ordering: .relaxed)
    #expect(openings <= 1)
    return Outcome(summary: summary, contents: sink.contents, notes: notes, wasOpened: openings == 1)
  }

  @Test func everyFrameArrivesOnceInOrderAtItsTime() throws {
    let outcome = try Self.record([.frames(300)])
    #expect(outcome.contents.ticks == (0..<300).map { $0 * 1000 })
    #expect(outcome.contents.firstBytes == (0..<300).map { UInt8($0 % 256) })
    #expect(outcome.contents.endTicks == 300_000)
    #expect(outcome.summary.counts.expected == 300 && outcome.summary.counts.written == 300)
    #expect(outcome.summary.failure == nil && outcome.notes.starts == 1)
  }

  @Test func gapsAndDamagedFramesAreNamedAndLengthenTheirPredecessors() throws {
    let outcome = try Self.record([.frames(10), .gap(3), .frames(10), .damaged, .frames(5)])
    let counts = outcome.summary.counts
    #expect(counts.expected == 29 && counts.captured == 25 && counts.written == 25)
    #expect(counts.lost(.deviceGap) == 3 && counts.lost(.deviceError) == 1 && counts.totalLost == 4)
    #expect(outcome.contents.ticks == (Array(0..<10) + Array(13..<23) + Array(24..<29)).map { Int64($0) * 1000 })
    #expect(outcome.contents.endTicks == 29_000)
  }

  @Test func theMovieBeginsWithAnIntactFrame() throws {
    let outcome = try Self.record([.damaged, .damaged, .frames(5)])
    #expect(outcome.contents.ticks == [0, 1000, 2000, 3000, 4000])
    #expect(outcome.summary.counts.lost(.deviceError) == 2 && outcome.summary.counts.expected == 7)
  }

  @Test func aFrameLimitCountsFramesThatWereDue() throws {
    var options = SessionOptions(overload: .wait)
    options.limit = .frames(20)
    let cut = try Self.record([.frames(10), .gap(4), .frames(50)], options: options)
    #expect(cut.summary.counts.expected == 20 && cut.summary.counts.written == 16)
    let across = try Self.record([.frames(18), .gap(40), .frames(5)], options: options)
    #expect(across.summary.counts.expected == 20 && across.summary.counts.written == 18)
    #expect(across.summary.counts.lost(.deviceGap) == 2)
    #expect(across.contents.endTicks == 20_000, "the last frame lasts over those lost behind it")
  }

  @Test func aFrameLimitCountsFramesThatWereDamagedBeforeTheFirst() throws {
    var options = SessionOptions(overload: .wait)
    options.limit = .frames(24)
    let late = try Self.record([.damaged, .damaged, .damaged, .frames(50)], options: options)
    #expect(late.summary.counts.expected == 24 && late.summary.counts.written == 21)
    #expect(late.contents.endTicks == 21_000)
    options.limit = .frames(2)
    let never = try Self.record([.damaged, .damaged, .damaged, .frames(50)], options: options)
    #expect(never.summary.counts.expected == 2 && never.summary.counts.lost(.deviceError) == 2 && !never.wasOpened)
  }

  @Test func aTimeLimitIsExact() throws {
    var options = SessionOptions(overload: .wait)
    options.limit = .seconds(Rational(5))
    #expect(try Self.record([.frames(500)], options: options).contents.ticks.count == 120)
    let across = try Self.record([.frames(118), .gap(40), .frames(5)], options: options)
    #expect(across.summary.counts.lost(.deviceGap) == 2 && across.contents.endTicks == 120_000)
    options.limit = .seconds(Rational(1, 1000))
    #expect(try Self.record([.frames(500)], options: options).contents.ticks.count == 1)
  }

  @Test(arguments: [CameraEnd.unplugged, .sourceChanged])
  func aCameraThatGoesEndsTheFileAndIsADeviceError(end: CameraEnd) throws {
    let outcome = try Self.record([.frames(12), .ended(end)])
    #expect(outcome.contents.ticks.count == 12 && outcome.contents.endTicks == 12_000)
    #expect(outcome.summary.failure?.code == .device)
    #expect(outcome.summary.counts.totalLost == 0 && outcome.summary.movie?.frames == 12)
  }

  @Test func aCameraThatFailsBeforeItsFirstFrameLeavesNoFile() throws {
    let outcome = try Self.record([.nothing, .failure(CamrecError(.device, "it broke"))])
    #expect(outcome.summary.failure?.message == "it broke")
    #expect(!outcome.wasOpened && outcome.summary.movie == nil)
  }

  @Test func aFullDiskEndsTheRecordingAndAccountsForTheRest() throws {
    let outcome = try Self.record([.frames(1000)], sink: CollectingSink(failAtFrame: 50))
    let counts = outcome.summary.counts
    #expect(outcome.summary.failure?.code == .output)
    #expect(counts.written == 50 && counts.lost(.disk) == counts.expected - 50 && counts.lost(.disk) >= 1)
    #expect(counts.expected < 100, "the recording ended soon after the disk was full")
    #expect(outcome.contents.endTicks != nil, "the file was closed all the same")
  }

  @Test(arguments: [(CamrecError.Code.output, LossReason.disk), (.usage, .defect), (.defect, .defect)])
  func anOutputThatDoesNotOpenIsReported(code: CamrecError.Code, reason: LossReason) throws {
    let outcome = try Self.record([.frames(1000)], openError: CamrecError(code, "no such directory"))
    #expect(outcome.summary.failure?.message == "no such directory")
    let counts = outcome.summary.counts
    #expect(counts.written == 0 && outcome.summary.movie == nil)
    #expect(counts.lost(reason) == counts.expected && counts.lost(reason) >= 1)
  }

  @Test func anOverloadIsDroppedAndNamed() throws {
    let slow = SlowSink(delay: .milliseconds(20))
    let outcome = try Self.overload(policy: .drop, sink: slow)
    #expect(outcome.counts.lost(.overload) > 0 && outcome.counts.underway == 0)
    #expect(outcome.counts.written + outcome.counts.lost(.overload) == 100)
    #expect(outcome.failure == nil)
  }

  @Test func anOverloadStopsWhereThatWasAskedFor() throws {
    let outcome = try Self.overload(policy: .stop, sink: SlowSink(delay: .milliseconds(20)))
    #expect(outcome.counts.lost(.overload) == 1 && outcome.counts.expected < 100)
    #expect(outcome.counts.written == outcome.counts.expected - 1)
    // No faster preset is known.
    let reason =
      "the recording stopped because the bake or the encoder could not keep up (--on-overload stop); try a smaller "
      + "--size or a lower --fps; 'camrec bench' measures what this machine can do"
    #expect(outcome.failure == CamrecError(.overload, reason), "the end has its reason")
  }

  static func overload(policy: OverloadPolicy, sink: SlowSink) throws -> SessionSummary {
    let options = SessionOptions(overload: policy)
    let camera = ScriptedCamera([.frames(100)], rate: rate, pool: 16)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    return RecordingSession(
      parts: RecordingSession.Parts(
        camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
        openSink: { _ throws(CamrecError) in (sink, "") }),
      options: options, timeBase: timeBase
    ).run(observer: Notes())
  }

  @Test func soundOfAPulledSourceLiesBesideItsPicture() throws {
    let microphone = PulledMicrophone(frames: 48000 * 12)
    let outcome = try Self.record([.frames(240)], microphone: microphone)
    #expect(outcome.contents.audioFrames == 48000 * 12, "sound that outlasts the picture is kept")
    for (index, before) in outcome.contents.audioBefore.enumerated().dropFirst(2) {
      #expect(abs(before - index * 2000) <= 2048)
    }
    let sound = try #require(outcome.summary.sound)
    #expect(sound.frames == 576_000)
  }

  @Test func aMicrophoneThatFallsSilentIsFilledUpToThePicturesEnd() throws {
    let microphone = FadingMicrophone(frames: 48_000)
    let outcome = try Self.record([.frames(120)], microphone: microphone, resampler: CountingResampler())
    let sound = try #require(outcome.summary.sound)
    #expect(outcome.contents.audioFrames == 240_000 && sound.frames == 240_000)
    #expect(abs(sound.lostFrames - 192_000) < 100 && sound.overruns == 1 && outcome.summary.soundFailure == nil)
  }

  /// The last block ends with the picture, and a part of it is still in the resampler.
  @Test func soundThatTheResamplerHolds_isInTheFilm() throws {
    let microphone = FadingMicrophone(frames: 300_000)
    let outcome = try Self.record([.frames(120)], microphone: microphone, resampler: CountingResampler(held: 16))
    let sound = try #require(outcome.summary.sound)
    #expect(outcome.contents.audioFrames == 240_000 && sound.frames == 240_000 && sound.lostFrames == 0)
  }

  @Test func aMicrophoneThatIsBackUnderAnotherNameIsHeardFromTheFirst() throws {
    let microphone = FadingMicrophone(frames: 300_000, isStale: true)
    let outcome = try Self.record([.frames(120)], microphone: microphone, resampler: CountingResampler())
    let sound = try #require(outcome.summary.sound)
    #expect(sound.frames == 240_000 && sound.lostFrames == 0 && outcome.summary.soundFailure == nil)
    #expect(!outcome.notes.warnings.contains { $0.contains(microphone.name) })
    let late = FadingMicrophone(frames: 300_000, isStale: true, late: 0.25)
    let after = try Self.record([.frames(120)], microphone: late, resampler: CountingResampler())
    let lost = try #require(after.summary.sound)
    #expect(lost.frames == 240_000 && lost.lostFrames == 12_000 && lost.overruns == 1)
  }

  @Test func aMicrophoneThatEndsDoesNotEndThePicture() throws {
    let outcome = try Self.record([.frames(240)], microphone: PulledMicrophone(frames: 48000, failsAtEnd: true))
    #expect(outcome.contents.ticks.count == 240 && outcome.summary.failure == nil)
    #expect(outcome.notes.warnings.contains { $0.contains("the microphone is gone") })
  }
}

/// A sink that takes its time.
final class SlowSink: MovieSink {
  private let inner = CollectingSink()
  private let delay: Duration
  init(delay: Duration) { self.delay = delay }
  var bytesWritten: Int64 { 0 }

  func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
    WorkThread.sleep(delay)
    try inner.write(frame, at: time)
  }

  func write(_ sound: borrowing AudioBuffer) throws(CamrecError) { try inner.write(sound) }
  func finish(at endTime: Int64) throws(CamrecError) -> MovieReport { try inner.finish(at: endTime) }
}

/// A clip's sound: waits to be read; its clock begins with the scripted camera's first frame.
final class PulledMicrophone: Microphone {
  let name = "pulled microphone"
  let format = AudioFormat.standard
  let isPulled = true
  private let total: Int
  private let failsAtEnd: Bool
  private let position = Mutex(0)

  init(frames: Int, failsAtEnd: Bool = false) {
    total = frames
    self.failsAtEnd = failsAtEnd
  }

  func start() throws(CamrecError) {}
  func stop() {}

  func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    let capacity = buffer.capacity
    let (count, time) = position.withLock { read in
      let count = min(capacity, total - read)
      let time = ScriptedCamera.origin.advanced(by: Int64(Double(read) / 48000 * 1e9))
      read += count
      return (count, time)
    }
    if count == 0, failsAtEnd { throw CamrecError(.device, "the microphone is gone") }
    buffer.count = count
    buffer.time = time
    return count > 0
  }
}

/// A live microphone that has nothing more to say after its first `frames`.
final class FadingMicrophone: Microphone {
  let name = "fading microphone"
  let format = AudioFormat.standard
  let isPulled = false
  private let total: Int
  private let position = Mutex(0)
  private let isStale: Atomic<Bool>
  private let late: Double

  /// - Parameters:
  ///   - isStale: it was unplugged since it was opened.
  ///   - late: seconds from the first picture to its first sound.
  init(frames: Int, isStale: Bool = false, late: Double = 0) {
    total = frames
    self.late = late
    self.isStale = Atomic(isStale)
  }

  func start() throws(CamrecError) {
    if isStale.load(ordering: .relaxed) { throw CamrecError(.device, "\(name) was unplugged") }
  }

  func stop() {}
  func reopen() throws(CamrecError) { isStale.store(false, ordering: .relaxed) }

  func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
    let capacity = buffer.capacity
    let (first, count) = position.withLock { read in
      let count = min(capacity, 480, total - read)
      defer { read += count }
      return (read, count)
    }
    WorkThread.sleep(.milliseconds(count > 0 ? 1 : 20))
    buffer.count = count
    buffer.time = ScriptedCamera.origin.advanced(by: Int64((Double(first) / 48000 + late) * 1e9))
    return true
  }
}

import Audio
import Bake
import CameraTestKit
import Cameras
import Color
import Foundation
import Frames
import MediaFFmpeg
import Movies
import Recorder
import Sidecar
import Synchronization
import Testing

/// A recording that stands by with a simulated camera and microphone, and is told to begin at a frame.
struct PreRollSessionTests {
  final class File: PreparedSegment {
    let path: String
    private let movie: PreparedMovie
    private let head: SidecarHead
    let started = Mutex<SegmentStart?>(nil)

    init(_ settings: MovieSettings, _ roll: EncodedPreRoll) throws(CamrecError) {
      path = settings.path
      movie = try MovieWriter.prepare(settings, behind: roll)
      head = SidecarHead(
        software: "test", film: "take", camera: "sim", width: 320, height: 180, pixelFormat: "nv12",
        frameRate: settings.frameRate, timeBase: settings.timeBase, colorIn: "", colorOut: "", codec: "", start: Date())
    }

    func begin(_ start: SegmentStart) throws(CamrecError) -> any MovieSink {
      started.withLock { $0 = start }
      return try movie.begin(timecode: nil, creationTime: 0)
    }

    func openSidecar(_ start: SegmentStart) throws(CamrecError) -> SidecarWriter? {
      try SidecarWriter(film: path, head: head)
    }
    func discard() { movie.discard() }
  }

  struct Outcome {
    let film: RecordedFilm
    let summary: SessionSummary
    let sidecar: SidecarSummary
    /// Of the film's first frame, after the recording's.
    let started: Double
    /// The number that the film's first frame was baked with, and the one that the observer was told.
    let baked: (number: Int64, told: Int64?)
    /// Where the timecode was said to begin, each time that somebody asked; as `started`.
    let labelled: [Double]
  }

  /// Asks for the film before the camera's frame `trigger`, and ends with frame `end`.
  private func record(
    _ encoding: VideoEncoding, preRoll: Int64, trigger: UInt64, end: UInt64, faults: String = "",
    limit: RecordingLimit? = nil, marks: Bool = false
  ) throws -> Outcome {
    let directory = try MovieDirectory()
    var options = SimulatedCamera.Options()
    (options.pace, options.physics) = (.pulled, .fast)
    options.faults = try FaultScript(parsing: faults, name: "script")
    let rate = try #require(FrameRate(parsing: "24")), clock = SimulatedClock(pace: .pulled)
    let camera = try SimulatedCamera(
      options, request: CameraRequest(width: 320, height: 180, frameRate: rate, pixelFormat: "nv12"), clock: clock,
      frames: 16
    ) { (_) throws(CamrecError) in throw CamrecError(.defect, "nothing is encoded here") }
    let microphone = SimulatedMicrophone(options, frameRate: rate, clock: clock)
    let layout = try MovieWriter.acceptedLayout(for: encoding, container: .mov, input: .nv12)
    let baker = try Baker(
      input: FrameFormat(width: 320, height: 180, layout: .nv12, color: camera.format.color), outputLayout: layout,
      outputColor: camera.format.color, lut: nil, interpolation: .tetrahedral, workers: 1, frames: 24)
    let settings = MovieSettings(
      path: directory.path("take.mov"), container: .mov, format: baker.outputFormat, frameRate: rate,
      audio: microphone.format, encoding: encoding, creationTime: 0, isLive: true)
    let roll = try EncodedPreRoll(settings, seconds: Rational(preRoll)), file = Mutex<File?>(nil)
    let session = Mutex<RecordingSession?>(nil)
    let acting = ActingCamera(
      camera,
      [
        trigger: { _ in
          let session = session.withLock { $0 }
          if marks { session?.mark("early") }
          _ = try? session?.beginFilm()
        },
        end: { _ in
          let session = session.withLock { $0 }
          if marks { session?.mark("late") }
          session?.requestStop()
        },
      ])
    var parts = RecordingSession.Parts(
      camera: acting, microphone: microphone, converter: nil, baker: baker, resampler: nil,
      openSink: { (_) throws(CamrecError) in throw CamrecError(.defect, "it has no film of its own") })
    let origins = Mutex<[MonotonicTime]>([])
    parts.timecode = { (origin, _) in
      origins.withLock { $0.append(origin) }
      return nil
    }
    parts.standing = StandingPlan(seconds: Rational(preRoll), roll: roll) { () throws(CamrecError) in
      let made = try File(settings, roll)
      file.withLock { $0 = made }
      return made
    }
    var told = SessionOptions(overload: .wait)
    told.limit = limit
    let made = RecordingSession(parts: parts, options: told, timeBase: settings.timeBase)
    session.withLock { $0 = made }
    let observer = Silent()
    let summary = made.run(observer: observer)
    session.withLock { $0 = nil }
    let start = try #require(file.withLock { $0 }?.started.withLock { $0 })
    func place(_ time: MonotonicTime) -> Double { Double(time - (clock.pictureStart ?? time)) * 1e-9 }
    return Outcome(
      film: try RecordedFilm(path: settings.path), summary: summary,
      sidecar: try SidecarSummary(path: SidecarFile.path(ofFilm: settings.path)),
      started: place(start.origin), baked: (start.bakedFrame, observer.first),
      labelled: origins.withLock { $0 }.map(place))
  }

  private final class Silent: SessionObserver {
    private(set) var first: Int64?

    func begins(withFrame number: Int64) { first = number }
    func started(at time: MonotonicTime) {}
    func progressed(_ progress: SessionProgress) {}
    func warned(_ sentence: String) {}
  }

  static let encodings = [
    VideoEncoding(), VideoEncoding(preset: "medium"), VideoEncoding(codec: .prores, profile: "proxy"),
  ]

  @Test(arguments: encodings)
  func theFilm_beginsBeforeItWasAskedFor(encoding: VideoEncoding) throws {
    let outcome = try record(encoding, preRoll: 3, trigger: 150, end: 210)
    let numbers = outcome.film.numbers.compactMap { $0 }, first = try #require(numbers.first)
    #expect(numbers.count == outcome.film.packetCount && outcome.film.missingNumbers.isEmpty && outcome.film.isInOrder)
    #expect(first <= 150 - 72 && first >= 150 - 72 - 25 && numbers.last == 210, "\(first) to \(numbers.last ?? 0)")
    #expect(outcome.film.soundOffsets.count >= 4)
    #expect(outcome.film.soundOffsets.allSatisfy { abs($0) <= 0.5 / 24 })
    #expect(abs(outcome.started - Double(first) / 24) < 1e-6, "the film's first frame has its own time")
    #expect(outcome.baked.number == Int64(first) && outcome.baked.told == Int64(first))
    // What was forgotten is in nobody's account.
    let counts = outcome.summary.counts
    #expect(counts.expected == numbers.count && counts.written == numbers.count && counts.captured == numbers.count)
    #expect(abs(outcome.summary.seconds - Double(numbers.count) / 24) < 1e-6)
    #expect(outcome.sidecar.frames == Int64(numbers.count) && outcome.sidecar.end?.expected == Int64(numbers.count))
    #expect(outcome.sidecar.end?.ticks == Int64(numbers.count) * 1000)
    // Pulled sound ends with a block of its own.
    let sound = try #require(outcome.summary.sound?.frames), picture = Int64(numbers.count) * 2000
    #expect(sound <= picture && sound > picture - 2000 && outcome.sidecar.end?.soundFrames == sound)
  }

  /// Whoever asks first for a timecode settles it: in standby, when the camera began is no answer.
  @Test func theTimecode_beginsWithTheFilm_whoeverAsks() throws {
    let outcome = try record(VideoEncoding(), preRoll: 3, trigger: 150, end: 210, marks: true)
    #expect(Set(outcome.labelled) == [outcome.started] && outcome.started > 1, "\(outcome.labelled)")
  }

  @Test func aFilmBeforeMemoryIsFull_beginsWithTheFirstFrame() throws {
    let outcome = try record(VideoEncoding(), preRoll: 10, trigger: 40, end: 80)
    #expect(outcome.film.numbers.first == 0 && outcome.film.packetCount == 81 && outcome.summary.counts.expected == 81)
  }

  /// A loss is the film's where it lies in it, and nobody's where it does not.
  @Test func losses_areTheFilmsFromItsFirstFrameOn() throws {
    let outcome = try record(
      VideoEncoding(codec: .prores, profile: "proxy"), preRoll: 3, trigger: 150, end: 200,
      faults: "drop 20 5\ndamage 50 2\ndrop 120 4\ndamage 130 1\n")
    let counts = outcome.summary.counts
    #expect(counts.deviceGaps == 4 && counts.deviceErrors == 1 && counts.underway == 0)
    #expect(outcome.film.missingNumbers.count == 5)
    #expect(outcome.sidecar.totalLost == 5 && outcome.sidecar.end?.totalLost == 5)
    let first = Int64(try #require(outcome.film.numbers.first ?? nil))
    #expect(outcome.sidecar.gaps.items.map(\.frame) == [120 - first, 130 - first])
  }

  @Test func aLimit_countsFromTheFilmsBeginning() throws {
    let outcome = try record(
      VideoEncoding(codec: .prores, profile: "proxy"), preRoll: 2, trigger: 100, end: 1000, limit: .seconds(Rational(5))
    )
    #expect(outcome.film.packetCount == 120 && outcome.summary.counts.expected == 120)
  }
}

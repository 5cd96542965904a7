import Audio
import Bake
import Cameras
import Color
import Foundation
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

/// What a recorder says of a film that it finishes while the next pre-roll is kept already.
struct FinishingStateTests {
  /// Keeps the times of all frames.
  private final class Roll: PreRoll {
    private let times = Mutex<[Int64]>([])

    var count: Int { times.withLock { $0.count } }

    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) {
      WorkThread.sleep(.milliseconds(2))
      times.withLock { $0.append(time) }
    }
    func write(_ sound: borrowing AudioBuffer, at sample: Int64) throws(CamrecError) {}
    var begin: Int64? { times.withLock { $0.first } }
    func keepAll(_ keeps: Bool) {}
    func start(for time: Int64) -> Int64? { times.withLock { times in times.last { $0 <= time + 1 } ?? times.first } }
    func begins(at time: Int64, sample: Int64) { times.withLock { times in times.removeAll { $0 < time } } }
    var status: PreRollStatus { PreRollStatus(frames: count) }
  }

  /// Finishes when a gate is open.
  private final class Film: MovieSink {
    private let inner = CollectingSink(secondsPerFrame: 0.002)
    private let kept: Int
    private let gate: Gate

    init(kept: Int, _ gate: Gate) {
      self.kept = kept
      self.gate = gate
    }

    var bytesWritten: Int64 { inner.bytesWritten }
    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) { try inner.write(frame, at: time) }
    func write(_ sound: borrowing AudioBuffer) throws(CamrecError) { try inner.write(sound) }
    func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
      gate.pass()
      return MovieReport(path: "memory", bytes: 0, frames: try inner.finish(at: endTime).frames + Int64(kept))
    }
  }

  private final class File: PreparedSegment {
    let path = "/films/take.mov"
    private let roll: Roll
    private let gate: Gate

    init(_ roll: Roll, _ gate: Gate) {
      self.roll = roll
      self.gate = gate
    }

    func begin(_ start: SegmentStart) throws(CamrecError) -> any MovieSink { Film(kept: roll.count, gate) }
    func openSidecar(_ start: SegmentStart) throws(CamrecError) -> SidecarWriter? { nil }
    func discard() {}
  }

  /// Films of a simulated camera that waits for them.
  private final class Films: FilmFactory {
    private let gate: Gate
    private let service: RecorderService
    /// The state when the first film was concluded.
    private(set) var concluded: RecorderState?

    init(_ gate: Gate, _ service: RecorderService) {
      self.gate = gate
      self.service = service
    }

    func prepare(_ order: FilmOrder) throws(CamrecError) -> PreparedFilm {
      let options = try SimulatedCamera.Options(parsing: "pace=pulled"), rate = RecordingSessionTests.rate
      let camera = try SimulatedCamera(
        options, request: CameraRequest(width: 160, height: 96, frameRate: rate, pixelFormat: "nv12"),
        clock: SimulatedClock(pace: options.pace), frames: 8
      ) { (_) throws(CamrecError) in throw CamrecError(.defect, "nothing is encoded here") }
      let baker = try Baker(
        input: FrameFormat(width: 160, height: 96, layout: .nv12, color: camera.format.color), outputLayout: .nv12,
        outputColor: camera.format.color, lut: nil, interpolation: .tetrahedral, workers: 1, frames: 6)
      var parts = RecordingSession.Parts(
        camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
        openSink: { (_) throws(CamrecError) in throw CamrecError(.defect, "it has no film of its own") })
      parts.date = { (_, seconds) in Date(timeIntervalSince1970: 1_800_000_000 + seconds) }
      if order.isStanding {
        let roll = Roll()
        parts.standing = StandingPlan(seconds: Rational(0), roll: roll) { [gate] () throws(CamrecError) in
          File(roll, gate)
        }
      }
      let session = RecordingSession(
        parts: parts, options: SessionOptions(overload: .wait), timeBase: RecordingSessionTests.timeBase)
      return PreparedFilm(
        session: session, path: "",
        source: RecorderState.Source(
          camera: "sim", width: 160, height: 96, frameRate: rate.description, pixelFormat: "nv12"),
        leftover: { "\($0) is cut off" }, announce: { _ in },
        conclude: { _, _ in self.concluded = self.concluded ?? self.service.ownState })
    }

    func check(_ source: SourceChange) throws(CamrecError) {}
    func standsBy() {}
    func isSameCamera(_ one: SourceChange, _ other: SourceChange) -> Bool { true }
  }

  private static func recordFilm(with service: RecorderService, _ gate: Gate) throws {
    try RecorderServiceTests.wait(service, "a frame is kept") { $0.preRoll?.frames ?? 0 > 0 }
    try service.perform(.start)
    try RecorderServiceTests.wait(service, "frames are written") { $0.bytes > 2 && $0.seconds > 0 }
    let recorded = service.ownState
    gate.close()
    let stop = WorkThread(name: "stop") { _ = try? service.perform(.stop) }
    try RecorderServiceTests.wait(service, "the next pre-roll is kept") {
      $0.phase == .stopping && $0.preRoll?.frames ?? 0 > 0
    }
    let state = service.ownState
    #expect(state.phase == .stopping && state.film == "/films/take.mov" && state.films == 1)
    #expect(state.seconds >= recorded.seconds && state.bytes >= recorded.bytes, "\(state) behind \(recorded)")
    #expect(recorded.started == Date(timeIntervalSince1970: 1_800_000_000) && state.started == recorded.started)
    gate.open()
    stop.join()
    #expect(service.ownState.phase == .standby && service.ownState.seconds == 0)
  }

  /// Its length and its size stay, although the camera runs for the next pre-roll, until it is finished.
  @Test func aFilmThatIsBeingFinished_keepsItsLengthAndItsSize() throws {
    let gate = Gate(), service = RecorderService(exposure: nil, standsBy: true, keepsPreRoll: true)
    let films = Films(gate, service), failure = Mutex<(any Error)?>(nil)
    let script = WorkThread(name: "script") {
      do { try Self.recordFilm(with: service, gate) } catch { failure.withLock { $0 = error } }
      gate.open()
      service.requestStop()
    }
    try service.run(films, observer: RecordingSessionTests.Notes())
    script.join()
    if let error = failure.withLock({ $0 }) { throw error }
    #expect(films.concluded?.phase == .standby, "no film of length 0 is being finished")
  }
}

import Audio
import Bake
import CameraTestKit
import Cameras
import Color
import Foundation
import Frames
import Movies
import Recorder
import RecorderAPI
import Sidecar
import Synchronization
import Testing

/// Films of which nobody can say where they are, as on NFS and FUSE.
@Suite struct FilmPlaceTests {
  @Test func whereNumbersDoNotHoldStillAWarningIsAll() throws {
    let camera = ScriptedCamera([.frames(40)], rate: RecordingSessionTests.rate)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: 8)
    let sink = LostSink()
    var parts = RecordingSession.Parts(
      camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
      openSink: { _ throws(CamrecError) in (sink, "take.mov") })
    parts.continuation = SegmentPlan(length: nil, mostBytes: nil, mostFinishing: 1, timeOfDay: { _ in 0 }) {
      () throws(CamrecError) in throw CamrecError(.defect, "it goes on where it is")
    }
    parts.rescue = FilmRescue(freeName: { _ in "copy.mov" }, room: { _ in nil }, held: HeldFilms(say: { _ in }))
    let notes = RecordingSessionTests.Notes()
    let summary = RecordingSession(
      parts: parts, options: SessionOptions(overload: .wait), timeBase: Rational(1, 24000)).run(observer: notes)
    #expect(summary.failure == nil && summary.rescued == 0 && summary.held.isEmpty)
    #expect(summary.counts.written == 40 && sink.frames == 40)
    #expect(notes.warnings.count { $0.hasPrefix("'take.mov' is missing, or is not the file being recorded;") } == 1)
    #expect(notes.warnings.count == 1, "\(notes.warnings)")
  }

  /// No frame comes, so nothing is written.
  @Test(arguments: [
    (FilePlace.unknown, "'take.mov' is missing, or is not the file being recorded;"),
    (
      FilePlace.unlinked,
      "'take.mov' was deleted or replaced by another file while it was being recorded; the recording continues in a new"
        + " file with the next frame"
    ),
  ])
  func whileTheCameraHangsItsFilmIsLookedAt(place: FilePlace, sentence: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let film = folder.appendingPathComponent("take.mov").path
    let sink = MovedSink(to: place), found = Found()
    let camera = ScriptedCamera(
      [
        .frames(40),
        .action {
          // Twice without a frame between: only while none comes.
          guard MovedSink.wait(until: { sink.isIdle }) else { return }
          sink.move()
          let isSeen = MovedSink.wait { sink.isSeen && FileManager.default.fileExists(atPath: film + ".camrec") }
          found.isFound.store(isSeen, ordering: .relaxed)
        }, .frames(2),
      ], rate: RecordingSessionTests.rate)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: 8)
    let head = SidecarHead(
      software: "test", film: "take.mov", camera: camera.name, width: 16, height: 16, pixelFormat: "nv12",
      frameRate: RecordingSessionTests.rate, timeBase: Rational(1, 24000), colorIn: "rec709", colorOut: "rec709",
      codec: "none", start: Date())
    var parts = RecordingSession.Parts(
      camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
      openSink: { _ throws(CamrecError) in (sink, "take.mov") },
      openSidecar: { _, _ throws(CamrecError) in try SidecarWriter(film: film, head: head, isHeldBack: true) })
    parts.continuation = SegmentPlan(length: nil, mostBytes: nil, mostFinishing: 1, timeOfDay: { _ in 0 }) {
      () throws(CamrecError) in throw CamrecError(.defect, "it goes on where it is")
    }
    let notes = RecordingSessionTests.Notes()
    let summary = RecordingSession(
      parts: parts, options: SessionOptions(overload: .wait), timeBase: Rational(1, 24000)).run(observer: notes)
    #expect(summary.failure == nil && sink.frames == 42)
    let isFound = found.isFound.load(ordering: .relaxed)
    #expect(isFound, "its place is seen, and its sidecar begun")
    #expect(notes.warnings.contains { $0.hasPrefix(sentence) }, "\(notes.warnings)")
  }

  @Test func theCommandThatCopiesADeletedFilm_canBeCopied() {
    #expect(HeldFilm.command(copying: "/proc/7/fd/9", to: "a.mov") == "cp /proc/7/fd/9 /ANOTHER/DISK/a.mov")
    #expect(
      HeldFilm.command(copying: "/proc/7/fd/9", to: "my take.mov") == "cp /proc/7/fd/9 '/ANOTHER/DISK/my take.mov'")
  }

  /// The disk has room, but not for the copy.
  @Test func aFilmThatCannotBeCopied_isSaidToLackTheReserve() {
    let words = "the copy needs 2.8 MB, but may take only 1.5 MB of the 23.0 MB that are free: the rest is the reserve"
      + " for the recording"
    #expect(HeldFilm.lack(copy: 2_800_000, room: 1_500_000, free: 23_000_000) == words)
    #expect(HeldFilm.lack(copy: 2_800_000, room: 2_800_000, free: 23_000_000) == nil)
    #expect(HeldFilm.lack(copy: 2_800_000, room: 0, free: 0) == nil)
    #expect(HeldFilm.lack(copy: 2_800_000, room: nil, free: 23_000_000) == nil)
  }

  /// A film that is renamed while its sidecar's end waits for the disk: the sidecar goes with it.
  @Test func aRenameOfTheLastMomentTakesTheSidecarAlong() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let camera = ScriptedCamera([.frames(8)], rate: RecordingSessionTests.rate)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: 8)
    let (film, new) = (folder.appendingPathComponent("take.mov").path, folder.appendingPathComponent("new.mov").path)
    let sink = LateSink(new)
    let rate = RecordingSessionTests.rate
    let head = SidecarHead(
      software: "test", film: "take.mov", camera: camera.name, width: 16, height: 16, pixelFormat: "nv12",
      frameRate: rate, timeBase: Rational(1, 24000), colorIn: "rec709", colorOut: "rec709", codec: "none",
      start: Date())
    let notes = RecordingSessionTests.Notes()
    let summary = RecordingSession(
      parts: RecordingSession.Parts(
        camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
        openSink: { _ throws(CamrecError) in (sink, film) },
        openSidecar: { _, _ throws(CamrecError) in try SidecarWriter(film: film, head: head) }),
      options: SessionOptions(overload: .wait), timeBase: Rational(1, 24000)
    ).run(observer: notes)
    #expect(summary.failure == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["new.mov.camrec"])
    var end: SidecarEnd?
    _ = try SidecarReader(path: SidecarFile.path(ofFilm: new)).records { if case .end(let told) = $0 { end = told } }
    #expect(end?.written == 8)
  }

  /// Finds its file renamed at the second look after its end.
  private final class LateSink: MovieSink {
    private let new: String
    private let state = Mutex((frames: 0, looks: 0))
    init(_ new: String) { self.new = new }
    var bytesWritten: Int64 { 0 }
    var place: FilePlace { state.withLock { $0.looks > 1 ? .renamed(new) : .inPlace } }
    func look() -> FilePlace {
      state.withLock { $0.looks += 1 }
      return place
    }
    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) { state.withLock { $0.frames += 1 } }
    func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {}
    func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
      MovieReport(path: "take.mov", bytes: 0, frames: Int64(state.withLock { $0.frames }))
    }
  }

  private final class Found: Sendable {
    let isFound = Atomic<Bool>(false)
  }

  /// Is moved when somebody says so, and knows whether somebody has asked for its place since. The disk confirms its
  /// name at the same time.
  private final class MovedSink: MovieSink {
    private let new: FilePlace
    private let state = Mutex((frames: 0, looked: 0, isIdle: false, isMoved: false, isSeen: false))
    init(to new: FilePlace) { self.new = new }
    var frames: Int { state.withLock { $0.frames } }
    /// Somebody has asked for its place twice without a frame between.
    var isIdle: Bool { state.withLock { $0.isIdle } }
    var isSeen: Bool { state.withLock { $0.isSeen } }
    var bytesWritten: Int64 { 0 }
    var disk: DiskStatus {
      var disk = DiskStatus()
      disk.capacityBytes = 1
      disk.synchronizations = state.withLock { $0.isMoved } ? 1 : 0
      return disk
    }
    var place: FilePlace {
      state.withLock { state in
        if state.looked == state.frames { state.isIdle = true }
        state.looked = state.frames
        state.isSeen = state.isMoved
        return state.isMoved ? new : .inPlace
      }
    }
    func look() -> FilePlace { place }
    func move() { state.withLock { $0.isMoved = true } }
    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) { state.withLock { $0.frames += 1 } }
    func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {}
    func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
      MovieReport(path: "take.mov", bytes: 0, frames: Int64(frames))
    }

    static func wait(until condition: () -> Bool) -> Bool {
      for _ in 0..<400 where !condition() { usleep(50_000) }
      return condition()
    }
  }

  private final class LostSink: MovieSink {
    private let count = Mutex(0)
    var frames: Int { count.withLock { $0 } }
    var bytesWritten: Int64 { 0 }
    /// As it is from the tenth frame on.
    var place: FilePlace { frames < 10 ? .inPlace : .unknown }
    func look() -> FilePlace { place }
    func write(_ frame: consuming Frame, at time: Int64) throws(CamrecError) { count.withLock { $0 += 1 } }
    func write(_ sound: borrowing AudioBuffer) throws(CamrecError) {}
    func finish(at endTime: Int64) throws(CamrecError) -> MovieReport {
      MovieReport(path: "take.mov", bytes: 0, frames: Int64(frames))
    }
  }
}

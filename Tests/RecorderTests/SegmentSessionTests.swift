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
import TestKit
import Testing

enum ScriptedClock {
  static func time(ofSample sample: Int) -> MonotonicTime {
    ScriptedCamera.origin.advanced(by: Int64((Double(sample) / 48000 * 1e9).rounded()))
  }
}

/// A recording that is divided into files: nothing is lost, nothing is twice, and the accounts add up.
struct SegmentSessionTests {
  final class Told: SessionObserver {
    var segments: [FinishedSegment] = []
    var warnings: [String] = []
    var remarks: [SessionRemark] = []
    func started(at time: MonotonicTime) {}
    func progressed(_ progress: SessionProgress) {}
    func warned(_ sentence: String) { warnings.append(sentence) }
    func remarked(_ remark: SessionRemark) {
      remarks.append(remark)
      if remark.isWarning { warnings.append(remark.message) }
    }
    func segmented(_ segment: FinishedSegment) { segments.append(segment) }
  }

  struct Outcome {
    let summary: SessionSummary
    let files: [SegmentShelf.Contents]
    let told: Told
    let timeBase: Rational

    /// In frames due since the first, over all files.
    func places(ticksPerFrame: Int64) -> [Int64] {
      files.flatMap { file in
        let start = file.start.map { timeBase.inverse.scaling($0.seconds) } ?? 0
        return file.ticks.map { (start + $0) / ticksPerFrame }
      }
    }

    var samples: [Int16] { files.flatMap(\.samples) }
  }

  static func record(
    _ lines: [ScriptedCamera.Line], rate: String = "24", every length: SegmentLength? = .seconds(Rational(1)),
    mostBytes: Int64? = nil, mostFinishing: Int = 2, shelf: SegmentShelf = SegmentShelf(),
    microphone: (any Microphone)? = nil, resampler: (any AudioResampler)? = nil,
    options: SessionOptions = SessionOptions(overload: .wait),
    timeOfDay: @escaping @Sendable (MonotonicTime) -> Double = { _ in 0 },
    begins: (RecordingSession) -> Void = { _ in }
  ) throws -> Outcome {
    let rate = try #require(FrameRate(parsing: rate))
    let timeBase = MovieSettings.timeBase(for: rate)
    let camera = ScriptedCamera(lines, rate: rate)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    var parts = RecordingSession.Parts(
      camera: camera, microphone: microphone, converter: nil, baker: baker, resampler: resampler,
      openSink: { (_) throws(CamrecError) in (shelf.open(nil), shelf.path(0)) })
    if shelf.folder != nil {
      parts.openSidecar = { (_, _) throws(CamrecError) in
        try SidecarWriter(film: shelf.path(0), head: shelf.head(0, rate: rate, timeBase: timeBase))
      }
    }
    parts.path = shelf.path(0)
    if length != nil || mostBytes != nil {
      parts.segments = shelf.plan(
        length, mostBytes: mostBytes, mostFinishing: mostFinishing, rate: rate, timeBase: timeBase,
        timeOfDay: timeOfDay)
    } else if shelf.script.deletedBehind != nil {
      parts.continuation = shelf.plan(nil, mostFinishing: 1, rate: rate, timeBase: timeBase)
    }
    let told = Told()
    let session = RecordingSession(parts: parts, options: options, timeBase: timeBase)
    begins(session)
    let summary = session.run(observer: told)
    #expect(camera.freeFrames == 8, "every frame went back to its pool")
    #expect(summary.counts.underway == 0)
    let sum = told.segments.map(\.counts).reduce(into: [0, 0, 0, 0]) { sum, counts in
      sum[0] += counts.expected
      sum[1] += counts.captured
      sum[2] += counts.written
      sum[3] += counts.totalLost
      #expect(counts.underway == 0, "each file's account is closed: \(counts)")
    }
    if parts.segments != nil, summary.failure == nil {
      let all = summary.counts
      #expect(sum == [all.expected, all.captured, all.written, all.totalLost], "the accounts add up")
    }
    return Outcome(summary: summary, files: shelf.files, told: told, timeBase: timeBase)
  }

  @Test func filesOfARecording_shareItsUUID_andEachHasItsOwn() throws {
    var began: RecordingIdentity?
    let outcome = try Self.record([.frames(72)], begins: { began = $0.identity })
    let films = outcome.told.segments.map(\.identity)
    #expect(films.count == 3 && Set(films.map(\.film)).count == 3 && Set(films.map(\.recording)).count == 1)
    #expect(films.first == began && outcome.summary.identity == films.last)
    let prepared = outcome.files.dropFirst().compactMap(\.start?.identity)
    #expect(prepared == Array(films.dropFirst()), "sidecars have the same")
  }

  @Test(arguments: ["24", "24000/1001", "30000/1001", "25", "60000/1001"], [false, true])
  func fiftyFilesAreTheWhole(rate: String, isPulled: Bool) throws {
    let frameRate = try #require(FrameRate(parsing: rate))
    let count = Int(frameRate.framesPerSecond * 50)
    func microphone() -> CountingMicrophone {
      CountingMicrophone(isPulled: isPulled, total: Int(48_000.0 * Double(count) / frameRate.framesPerSecond) + 100)
    }
    let whole = try Self.record([.frames(count)], rate: rate, every: nil, microphone: microphone())
    // Live, the scripted picture runs far ahead of its sound.
    let parted = try Self.record(
      [.frames(count)], rate: rate, mostFinishing: isPulled ? 2 : 100, microphone: microphone())
    #expect(whole.files.count == 1 && parted.files.count == 50)
    let ticks = (frameRate.frameDuration * parted.timeBase.inverse).scaling(1)
    #expect(parted.places(ticksPerFrame: ticks) == (0..<Int64(count)).map { $0 })
    #expect(parted.files.flatMap(\.firstBytes) == whole.files[0].firstBytes)
    // Sound may be cut short at the end, as the picture is; what is there has no seam.
    #expect(parted.samples == (0..<parted.samples.count).map { Int16(truncatingIfNeeded: $0) })
    #expect(parted.samples.count == whole.samples.count || !isPulled)
    for (file, next) in zip(parted.files, parted.files.dropFirst()) {
      let start = file.start?.seconds ?? Rational(0), end = try #require(next.start?.seconds)
      #expect(file.ticks.first == 0)
      #expect(file.endTicks == parted.timeBase.inverse.scaling(end) - parted.timeBase.inverse.scaling(start))
      #expect(file.samples.count == Int(Rational(48_000).scaling(end) - Rational(48_000).scaling(start)))
    }
    #expect(parted.told.segments.map(\.number) == Array(1...50))
  }

  @Test func aSilentFilmHasFilesAsWell() throws {
    let outcome = try Self.record([.frames(100)])
    #expect(outcome.files.map(\.ticks.count) == [24, 24, 24, 24, 4])
    #expect(outcome.summary.movie?.frames == 100 && outcome.summary.segments == 5)
    #expect(outcome.summary.movie?.path == "memory/take-5.mov")
  }

  /// Losses in front of a file's first frame are the file's before, whichever thread has lost them.
  @Test func lossesBelongToTheFileInWhichTheyLie() throws {
    let outcome = try Self.record([
      .damaged, .frames(20), .gap(10), .frames(10), .damaged, .damaged, .frames(6), .gap(60), .frames(30),
    ])
    let counts = outcome.told.segments.map(\.counts)
    #expect(counts.map(\.deviceGaps) == [10, 60, 0, 0] && counts.map(\.deviceErrors) == [1, 2, 0, 0])
    #expect(counts.map(\.written) == [20, 16, 12, 18])
    #expect(outcome.told.segments.map(\.firstFrame) == [0, 30, 108, 120])
    #expect(outcome.files.map(\.endTicks) == [30_000, 78_000, 12_000, 18_000])
  }

  /// Film and place are those of the sidecar, whichever file is written when it is told.
  @Test func aLossIsToldWithTheFileInWhichItLies() throws {
    let outcome = try Self.record([.frames(30), .gap(2), .frames(4), .damaged, .frames(40)])
    let facts = outcome.told.remarks.filter(\.namesFilm).map(\.facts)
    #expect(
      facts == [
        ["reason": "deviceGap", "count": "2", "film": "memory/take-2.mov", "frame": "6", "last-frame": "7"],
        ["reason": "deviceError", "count": "1", "film": "memory/take-2.mov", "frame": "12", "last-frame": "12"],
      ])
    let sentences = outcome.told.warnings.filter { $0.contains(" lost") }
    #expect(sentences.count == 2)
    #expect(sentences.first?.hasPrefix("2 frames were lost (from frame 6 of take-2.mov on): ") == true)
    #expect(sentences.last?.hasPrefix("a frame was lost (frame 12 of take-2.mov): ") == true)
  }

  @Test func aStopAtTheBoundaryBeginsNoFile() throws {
    let shelf = SegmentShelf()
    var options = SessionOptions(overload: .wait)
    options.limit = .frames(48)
    let outcome = try Self.record([.frames(500)], shelf: shelf, options: options)
    #expect(outcome.files.map(\.ticks.count) == [24, 24] && shelf.discarded == 1)
    #expect(outcome.files.map(\.endTicks) == [24_000, 24_000])
  }

  @Test func aSourceThatFailsLeavesWholeFiles() throws {
    let outcome = try Self.record(
      [.frames(30), .failure(CamrecError(.device, "it broke"))],
      microphone: CountingMicrophone(isPulled: true, total: 48_000 * 10))
    #expect(outcome.summary.failure?.message == "it broke")
    #expect(outcome.files.map(\.ticks.count) == [24, 6] && outcome.files.map(\.endTicks) == [24_000, 6_000])
    #expect(outcome.files[0].samples.count == 48_000)
  }

  @Test func aDiskThatFailsInTheSecondFileLeavesTheFirstWhole() throws {
    let script = SegmentShelf.Script(fullDisks: [SegmentShelf.FullDisk(file: 1, frame: 7)])
    let shelf = SegmentShelf(script: script)
    let outcome = try Self.record([.frames(500)], shelf: shelf)
    #expect(outcome.summary.failure?.code == .output)
    #expect(outcome.files.map(\.ticks.count) == [24, 7])
    #expect(outcome.files[0].endTicks == 24_000 && outcome.files[1].endTicks != nil)
    let counts = outcome.summary.counts, first = try #require(outcome.told.segments.first?.counts)
    #expect(first.written == 24 && first.totalLost == 0)
    #expect(counts.written == 31 && counts.diskLosses == counts.expected - 31 && counts.diskLosses > 0)
  }

  @Test func aSegmentThatFillsTheDiskIsCutOff() throws {
    let fault = OutputFault(.full, .fragments, path: "memory/take-2.mov", frames: 7, bytes: 7000, cause: "ENOSPC")
    let script = SegmentShelf.Script(fullDisks: [SegmentShelf.FullDisk(file: 1, frame: 7, fault: fault)])
    let shelf = SegmentShelf(script: script)
    let outcome = try Self.record([.frames(500)], shelf: shelf)
    #expect(outcome.told.segments.map(\.number) == [1, 2])
    #expect(outcome.told.segments.map(\.isCutOff) == [false, true])
  }

  @Test func whatAFullDiskHasNotKept_isToldWithItsSegment() throws {
    let fault = OutputFault(.full, .fragments, path: "memory/take-2.mov", frames: 5, bytes: 5000, cause: "ENOSPC")
    let script = SegmentShelf.Script(fullDisks: [SegmentShelf.FullDisk(file: 1, frame: 7, fault: fault, stored: 5)])
    let outcome = try Self.record([.frames(500)], shelf: SegmentShelf(script: script))
    let losses = outcome.told.remarks.filter { $0.facts["reason"] == "disk" }
    let told = losses.compactMap { $0.facts["count"].flatMap { Int($0) } }.reduce(0, +)
    #expect(told == outcome.summary.counts.diskLosses)
    #expect(!losses.isEmpty && losses.allSatisfy { $0.facts["film"] == "memory/take-2.mov" }, "\(losses)")
  }

  @Test func framesThatAFinishedFileLacksAreTheDisks() throws {
    let progress = Progress()
    // The first file ends badly when the second has all its frames: a failure ends the film wherever it is.
    let script = SegmentShelf.Script(
      finish: { (file) throws(CamrecError) in
        guard file == 0 else { return }
        progress.wait(forFrames: 30)
        throw CamrecError(.output, "its end does not fit")
      },
      wrote: { _, _ in progress.add() })
    let outcome = try Self.record([.frames(30)], shelf: SegmentShelf(script: script))
    #expect(!progress.gaveUp && outcome.summary.failure?.message == "its end does not fit")
    #expect(outcome.summary.counts.written == 6 && outcome.summary.counts.diskLosses == 24)
    #expect(outcome.told.segments.map(\.counts.written) == [6])
  }

  /// The old file is finished, and the next one made ready, while frames are written: each waits here for frames that
  /// come only if the writer does not wait for it.
  @Test func neitherTheOldFileNorTheNextHoldsUpTheWriter() throws {
    let progress = Progress(), ready = Progress()
    let script = SegmentShelf.Script(
      prepare: { (file) throws(CamrecError) in
        progress.wait(forFrames: min(24 * file + 5, 120))
        ready.add()
      },
      finish: { (file) throws(CamrecError) in if file < 3 { progress.wait(forFrames: 24 * file + 40) } },
      wrote: { file, frame in
        progress.add()
        // Frames come as fast as they go: on a busy machine all would be written before the other thread has run.
        if frame >= 30 {
          ready.wait(forFrames: file + 1)
          Thread.sleep(forTimeInterval: 0.005)
        }
      })
    var options = SessionOptions(overload: .drop)
    // As many as the camera has: none can be lost by overload, however slow the machine is.
    options.capturedQueue = 8
    let outcome = try Self.record(
      [.frames(120)], mostFinishing: 10, shelf: SegmentShelf(script: script),
      microphone: CountingMicrophone(isPulled: false, total: 48_000 * 6), options: options)
    #expect(!progress.gaveUp, "the writer waited")
    #expect(outcome.summary.counts.written == 120 && outcome.summary.counts.totalLost == 0)
    #expect(outcome.files.count >= 4)
    #expect(outcome.places(ticksPerFrame: 1000) == (0..<120).map { $0 })
    #expect(outcome.samples == (0..<outcome.samples.count).map { Int16(truncatingIfNeeded: $0) })
  }

  @Test func filesThatTakeLongToFinishMakeTheNextLonger() throws {
    let progress = Progress(), ready = Progress()
    let script = SegmentShelf.Script(
      prepare: { (_) throws(CamrecError) in ready.add() },
      finish: { (file) throws(CamrecError) in if file < 2 { progress.wait(forFrames: 100) } },
      wrote: { file, frame in
        progress.add()
        // As above: on a busy machine 100 frames would be written before the second file has ended.
        if file < 2, frame >= 20 {
          ready.wait(forFrames: file + 1)
          Thread.sleep(forTimeInterval: 0.005)
        }
      })
    var options = SessionOptions(overload: .drop)
    options.capturedQueue = 8
    let outcome = try Self.record([.frames(130)], shelf: SegmentShelf(script: script), options: options)
    #expect(!progress.gaveUp && outcome.summary.counts.totalLost == 0)
    // Where a file begins depends on when the next one was ready; the third goes on until one of the others is
    // finished.
    let lengths = outcome.files.map(\.ticks.count)
    #expect(lengths.count >= 3 && lengths.prefix(3).reduce(0, +) >= 100, "\(lengths)")
    #expect(outcome.told.warnings.contains { $0.contains("are not finished yet") })
  }

  @Test func aNextFileThatCannotBeMadeIsTriedAgain() throws {
    let attempts = Mutex(0)
    let script = SegmentShelf.Script(prepare: { (_) throws(CamrecError) in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt < 3 { throw CamrecError(.output, "no more names") }
    })
    let outcome = try Self.record([.frames(24 * 30)], shelf: SegmentShelf(script: script))
    #expect(outcome.summary.failure == nil && outcome.summary.counts.written == 720)
    #expect(outcome.files[0].ticks.count > 24 * 20 && outcome.files[1].ticks.count <= 24)
    #expect(
      outcome.told.warnings == ["cannot begin the next film, so 'memory/take-1.mov' goes on: no more names"])
  }

  @Test func sizesEndFilesWhereTheSoundAllowsIt() throws {
    let outcome = try Self.record(
      [.frames(24 * 40)], every: nil, mostBytes: 300_000,
      microphone: CountingMicrophone(isPulled: true, total: 48_000 * 40))
    // 24 kB a second, of which three seconds and the index are kept free.
    #expect(outcome.files.count == 5)
    #expect(outcome.files.allSatisfy { $0.ticks.count * 1064 < 300_000 })
    #expect(outcome.places(ticksPerFrame: 1000) == (0..<960).map { $0 })
    #expect(outcome.samples == (0..<outcome.samples.count).map { Int16(truncatingIfNeeded: $0) })
  }

  /// Silence that stands for lost sound lies across two boundaries.
  @Test func lostSoundIsAccountedInTheFileInWhichItLies() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let shelf = SegmentShelf(folder: folder.path)
    let outcome = try Self.record(
      [.frames(96)], shelf: shelf,
      microphone: CountingMicrophone(isPulled: true, total: 48_000 * 4, loss: (40_000, 60_000)))
    #expect(outcome.files.map(\.samples.count) == [48_000, 48_000, 48_000, 48_000])
    let sidecars = try (0..<4).map { try SidecarSummary(path: SidecarFile.path(ofFilm: shelf.path($0))) }
    #expect(sidecars.map(\.soundLost) == [8_000, 48_000, 4_000, 0])
    #expect(sidecars.map { $0.end?.soundLost } == [8_000, 48_000, 4_000, 0])
    #expect(sidecars.map { $0.end?.soundFrames } == [48_000, 48_000, 48_000, 48_000])
    #expect(outcome.summary.sound?.lostFrames == 60_000)
  }

  @Test func eachFileHasItsOwnSidecar() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let shelf = SegmentShelf(folder: folder.path)
    let outcome = try Self.record(
      [.frames(20), .gap(2), .frames(4), .damaged, .frames(30), .gap(4), .frames(10)], shelf: shelf)
    let sidecars = try outcome.files.indices.map { try SidecarSummary(path: SidecarFile.path(ofFilm: shelf.path($0))) }
    #expect(sidecars.count == 3)
    #expect(sidecars.map { $0.continuation?.film } == [nil, "take-1.mov", "take-2.mov"])
    for (sidecar, file) in zip(sidecars, outcome.files) {
      let end = try #require(sidecar.end)
      #expect(sidecar.frames == Int64(file.ticks.count) && end.written == sidecar.frames)
      #expect(end.totalLost == sidecar.totalLost && end.expected == end.written + end.totalLost)
      #expect(end.ticks == file.endTicks)
      #expect(sidecar.gaps.items.allSatisfy { ($0.frame ?? 0) >= 0 && ($0.frame ?? 0) < end.expected })
    }
    #expect(sidecars.map { $0.gaps.items.map(\.frame) } == [[20], [2], [9]])
    #expect(sidecars.compactMap(\.end?.expected).reduce(0, +) == Int64(outcome.summary.counts.expected))
  }

  /// The next file is being recorded by then.
  @Test func aFileThatIsRenamedAtItsEnd_isWhatTheWarningIsAbout() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let new = folder.appendingPathComponent("new.mov").path
    let shelf = SegmentShelf(folder: folder.path, script: SegmentShelf.Script(renamed: (file: 0, path: new)))
    let outcome = try Self.record([.frames(72)], shelf: shelf)
    let remarks = outcome.told.remarks.filter { $0.facts["renamed"] == new }
    #expect(remarks.map(\.film) == [new])
    let warnings = try [new, shelf.path(1), shelf.path(2)].map { film in
      var count = 0
      _ = try SidecarReader(path: SidecarFile.path(ofFilm: film)).records {
        if case .warning(let sentence, _) = $0, sentence.contains("was renamed while") { count += 1 }
      }
      return count
    }
    #expect(warnings == [1, 0, 0])
  }

  /// The next file is being recorded by then, or is the last one.
  @Test func aWarningFromTheEndOfAFile_isAboutThatFile() throws {
    let folder = try TemporaryFolder()
    let shelf = SegmentShelf(
      folder: folder.url.path, script: SegmentShelf.Script(warnings: { ["take-\($0 + 1) ends early"] }))
    let outcome = try Self.record([.frames(60)], shelf: shelf)
    for file in 0..<3 {
      let sentence = "take-\(file + 1) ends early", remarks = outcome.told.remarks.filter { $0.message == sentence }
      #expect(remarks.map(\.film) == [shelf.path(file)])
      let warnings = try SidecarSummary(path: SidecarFile.path(ofFilm: shelf.path(file))).warnings.items.map(\.text)
      #expect(warnings.filter { $0.hasSuffix("ends early") } == [sentence])
    }
  }

  /// What somebody marks while the writer is held at a frame, and later frames wait for it.
  private final class HeldWriter: Sendable {
    /// The frame of the first file at which the writer is held.
    static let frame = 20
    private let gate = Gate()
    private let session = Mutex<RecordingSession?>(nil)
    private let marker = Mutex<RecorderState.Marker?>(nil)
    /// What a remote is answered when the marker's file is known.
    private let answer = Mutex<(marker: RecorderState.Marker?, path: String)>((nil, ""))

    init() { gate.close() }

    var answered: (marker: RecorderState.Marker?, path: String) { answer.withLock { $0 } }

    /// Where the marker is, whenever that is asked.
    var placed: PlacedMarker? {
      guard let session = session.withLock({ $0 }), let marker = marker.withLock({ $0 }) else { return nil }
      return session.place(of: marker)
    }

    func begins(_ session: RecordingSession) { self.session.withLock { $0 = session } }

    func wrote(_ file: Int, _ frame: Int) { if file == 0, frame == HeldWriter.frame { gate.pass() } }

    /// Happens on the capture thread, so that no frame is newer than the one before it.
    func mark(isDivided: Bool) {
      gate.awaitSomebody()
      guard let session = session.withLock({ $0 }), let set = session.mark("slate") else { return gate.open() }
      marker.withLock { $0 = set }
      #expect((session.marker == nil) == isDivided, "where its frame ends up is not known")
      #expect((placed == nil) == isDivided && session.place(of: set, isCertain: false)?.marker.text == "slate")
      gate.open()
      while session.marker == nil { Thread.sleep(forTimeInterval: 0.001) }
      answer.withLock { $0 = (session.marker, session.currentFile.path) }
    }
  }

  /// In front of the boundary, at it, and behind it: a marker is where the newest frame ends up.
  @Test(arguments: [23, 24, 25])
  func aMarkerBelongsToTheNewestFrame(newest: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let held = HeldWriter()
    let shelf = SegmentShelf(folder: folder.path, script: SegmentShelf.Script(wrote: { held.wrote($0, $1) }))
    let outcome = try Self.record(
      [.frames(newest + 1), .action { held.mark(isDivided: true) }, .frames(40)], shelf: shelf, begins: held.begins)
    let file = newest / 24, seconds = Double(newest % 24) / 24
    let markers = outcome.files.map(\.markers)
    #expect(markers.map(\.count) == markers.indices.map { $0 == file ? 1 : 0 })
    let chapter = try #require(markers[file].first)
    #expect(chapter.text == "slate" && abs(chapter.seconds - seconds) < 1e-6, "\(chapter)")
    for index in outcome.files.indices {
      let noted = try SidecarSummary(path: SidecarFile.path(ofFilm: shelf.path(index))).markers.items
      #expect(noted.map(\.text) == (index == file ? ["slate"] : []))
      #expect(noted.allSatisfy { abs($0.seconds - seconds) < 0.001 }, "\(noted)")
    }
    let answer = held.answered
    #expect(answer.path == shelf.path(file))
    #expect(answer.marker?.text == "slate" && abs((answer.marker?.seconds ?? -1) - seconds) < 1e-6, "\(answer)")
    // Whoever asks late, when other files have begun, hears the same.
    let placed = try #require(held.placed)
    #expect(placed.marker == answer.marker && placed.film == answer.path && placed.number == file + 1, "\(placed)")
  }

  /// One that a film cannot get any more is refused, not lost.
  @Test func whileAFilmIsFinished_itTakesNoMarker() throws {
    let late = LateMarks()
    var script = SegmentShelf.Script()
    script.finish = { (_: Int) in late.mark() }
    let outcome = try Self.record(
      [.frames(25), .action { late.mark() }, .frames(1)], every: nil, shelf: SegmentShelf(script: script),
      begins: late.begins)
    late.mark()
    #expect(late.taken == [true, false, false])
    #expect(outcome.files.map { $0.markers.map(\.text) } == [["marker 1"]])
  }

  /// Marks a recording now and then, and notes whether that was taken.
  private final class LateMarks: Sendable {
    private let session = Mutex<RecordingSession?>(nil)
    private let answers = Mutex<[Bool]>([])

    var taken: [Bool] { answers.withLock { $0 } }

    func begins(_ session: RecordingSession) { self.session.withLock { $0 = session } }

    func mark() {
      let marker = session.withLock { $0 }?.mark(nil)
      answers.withLock { $0.append(marker != nil) }
    }
  }

  /// As its timecode counts it: no frame is taken for the one before it.
  @Test(arguments: ["24", "24000/1001", "25", "30000/1001", "60000/1001", "120"])
  func aFramesTimeIsItsOwn(rate: String) throws {
    let rate = try #require(FrameRate(parsing: rate)), timeBase = MovieSettings.timeBase(for: rate)
    let ticks = timeBase.inverse.scaling(rate.frameDuration)
    func frame(atTicks ticks: Int64) -> Int64 {
      RecordingSession.frame(at: Double(ticks) * timeBase.doubleValue, rate)
    }
    let numbers: Range<Int64> = 0..<20_000
    let wrong = numbers.filter { frame(atTicks: $0 * ticks) != $0 || frame(atTicks: $0 * ticks + ticks - 1) != $0 }
    #expect(wrong == [])
  }

  /// The file that is being written is deleted while the marker's frame waits.
  @Test func aMarkerBehindADeletionIsInTheFileThatFollows() throws {
    let held = HeldWriter()
    var script = SegmentShelf.Script(wrote: { held.wrote($0, $1) })
    script.deletedBehind = HeldWriter.frame
    let outcome = try Self.record(
      [.frames(25), .action { held.mark(isDivided: false) }, .frames(40)], every: nil,
      shelf: SegmentShelf(script: script), begins: held.begins)
    #expect(outcome.files.count == 2 && outcome.files[0].markers == [])
    let start = try #require(outcome.files[1].start?.seconds), marker = try #require(outcome.files[1].markers.first)
    #expect(outcome.files[1].markers.count == 1 && abs(marker.seconds - (1 - start.doubleValue)) < 1e-6, "\(marker)")
  }

  /// The file that is being written is deleted while its sidecar already has a loss from behind the writer's place.
  @Test func lossesBehindADeletion_areInTheAccountOfTheirFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let held = HeldWriter()
    var script = SegmentShelf.Script(wrote: { held.wrote($0, $1) })
    script.deletedBehind = HeldWriter.frame
    let shelf = SegmentShelf(folder: folder.path, script: script)
    let outcome = try Self.record(
      [.frames(23), .damaged, .frames(1), .action { held.mark(isDivided: false) }, .frames(40)], every: nil,
      shelf: shelf, begins: held.begins)
    #expect(outcome.files.count == 2)
    var lost: [Int64] = []
    for index in outcome.files.indices {
      let summary = try SidecarSummary(path: SidecarFile.path(ofFilm: shelf.path(index)))
      let end = try #require(summary.end)
      #expect(summary.lost == end.losses.filter { $0.value > 0 }, "\(index): \(end)")
      #expect(end.expected == end.written + end.totalLost, "\(index): \(end)")
      lost.append(end.totalLost)
    }
    #expect(lost.reduce(0, +) == 1)
  }

  /// Live sound that ends: what follows waits for its silence, and is cut as well.
  @Test func aMicrophoneThatFallsSilentHoldsUpNoFile() throws {
    let outcome = try Self.record(
      [.frames(120)], mostFinishing: 10, microphone: FadingMicrophone(frames: 48_000), resampler: CountingResampler())
    #expect(outcome.files.count == 5)
    #expect(outcome.files.map(\.samples.count) == [48_000, 48_000, 48_000, 48_000, 48_000])
  }
}

/// Frames written so far, for who waits for them; a minute is given up.
final class Progress: @unchecked Sendable {
  // @unchecked Sendable: touched only while `condition` is locked.
  private let condition = NSCondition()
  private var frames = 0
  private(set) var gaveUp = false

  func add() {
    condition.lock()
    frames += 1
    condition.broadcast()
    condition.unlock()
  }

  func wait(forFrames count: Int) {
    condition.lock()
    let deadline = Date(timeIntervalSinceNow: 60)
    while frames < count {
      if !condition.wait(until: deadline) {
        gaveUp = true
        break
      }
    }
    condition.unlock()
  }
}

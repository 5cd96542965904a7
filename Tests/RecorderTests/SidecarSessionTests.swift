import Bake
import CameraTestKit
import Cameras
import Color
import Foundation
import Frames
import MovieTestKit
import Movies
import Platform
import Recorder
import Sidecar
import Synchronization
import Testing

/// What a session leaves in its sidecar.
struct SidecarSessionTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
  private var film: String { folder.appendingPathComponent("take.mov").path }

  private static let slow = ExposureRecord(exposureTime: 0.02, iso: 100, gainEV: 1)
  private static let bright = ExposureRecord(exposureTime: 0.02, iso: 200, gainEV: 2)

  private struct Outcome {
    var summary: SessionSummary
    var records: [SidecarRecord]
    var warnings: [String]

    var frames: [SidecarFrame] {
      records.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    var losses: [SidecarRecord] {
      records.filter { if case .frameLoss = $0 { true } else { false } }
    }

    var end: SidecarEnd? {
      if case .end(let end)? = records.last { end } else { nil }
    }
  }

  private func record(
    _ lines: [ScriptedCamera.Line], overload: OverloadPolicy = .wait, limit: RecordingLimit? = nil,
    sink: any MovieSink = CollectingSink(), microphone: FadingMicrophone? = nil,
    prepare: (RecordingSession) -> Void = { _ in }
  ) throws -> Outcome {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let rate = RecordingSessionTests.rate, timeBase = RecordingSessionTests.timeBase, film = film
    let options = SessionOptions(overload: overload, limit: limit)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    let head = SidecarHead(
      software: "test", film: "take.mov", camera: "scripted camera", width: 16, height: 16, pixelFormat: "nv12",
      frameRate: rate, timeBase: timeBase, colorIn: "rec709", colorOut: "rec709", codec: "none", start: Date())
    let session = RecordingSession(
      parts: RecordingSession.Parts(
        camera: ScriptedCamera(lines, rate: rate, pool: 16), microphone: microphone, converter: nil, baker: baker,
        resampler: microphone == nil ? nil : CountingResampler(), openSink: { _ throws(CamrecError) in (sink, "") },
        openSidecar: { _, _ throws(CamrecError) in try SidecarWriter(film: film, head: head) }),
      options: options, timeBase: timeBase)
    prepare(session)
    let notes = RecordingSessionTests.Notes()
    let summary = session.run(observer: notes)
    var records: [SidecarRecord] = []
    if FileManager.default.fileExists(atPath: SidecarFile.path(ofFilm: film)) {
      let extent = try SidecarReader(path: SidecarFile.path(ofFilm: film)).records { records.append($0) }
      #expect(extent.tornBytes == 0 && extent.damagedLines == 0)
    }
    return Outcome(summary: summary, records: records, warnings: notes.warnings)
  }

  @Test func everyWrittenFrameIsThereWithItsExposure() throws {
    let outcome = try record([
      .exposure(Self.slow), .frames(300), .exposure(Self.bright), .frames(10), .exposure(nil), .frames(2),
    ])
    #expect(outcome.frames.map(\.index) == Array(0..<312))
    #expect(outcome.frames.map(\.sequence) == Array(0..<312))
    #expect(outcome.frames.allSatisfy { $0.ticks == $0.index * 1000 })
    #expect(outcome.frames[..<300].allSatisfy { $0.exposure == Self.slow })
    #expect(outcome.frames[300..<310].allSatisfy { $0.exposure == Self.bright })
    #expect(outcome.frames[310...].allSatisfy { $0.exposure == nil })
    #expect(outcome.end?.written == 312 && outcome.end?.totalLost == 0 && outcome.end?.ticks == 312_000)
  }

  /// Whoever reads the sidecar then, or kills the recorder, finds every frame that was written.
  @Test func whileTheCameraSendsNothing_theLastFramesAreThere() throws {
    let path = SidecarFile.path(ofFilm: film), known = Mutex(0)
    let outcome = try record([
      .frames(13),
      .action {
        // Gives up after a minute.
        for _ in 0..<6000 {
          var frames = 0
          _ = try? SidecarReader(path: path).records { if case .frame = $0 { frames += 1 } }
          known.withLock { $0 = frames }
          if frames == 13 { return }
          WorkThread.sleep(.milliseconds(10))
        }
      }, .frames(1),
    ])
    #expect(known.withLock { $0 } == 13 && outcome.frames.count == 14)
  }

  @Test func gapsAndDamageStandThereWithTheirPlaces() throws {
    let outcome = try record([.damaged, .frames(10), .gap(3), .frames(10), .gap(2), .damaged, .frames(5)])
    let losses: [SidecarRecord] = [
      .frameLoss(.deviceError, frame: nil, count: 1), .frameLoss(.deviceGap, frame: 10, count: 3),
      .frameLoss(.deviceGap, frame: 23, count: 2), .frameLoss(.deviceError, frame: 25, count: 1),
    ]
    #expect(outcome.losses == losses)
    let indices: [Int64] = Array(0..<10) + Array(13..<23) + Array(26..<31)
    #expect(outcome.frames.map(\.index) == indices)
    #expect(outcome.frames.first?.sequence == 1, "the camera's own count, of which the first was damaged")
    let end = try #require(outcome.end)
    #expect(end.expected == 32 && end.captured == 25 && end.written == 25)
    #expect(end.losses == [.deviceGap: 5, .deviceError: 2, .overload: 0, .disk: 0, .defect: 0])
  }

  @Test func framesMissingAtTheLimitAreAccounted() throws {
    let outcome = try record([.frames(18), .gap(40), .frames(5)], limit: .frames(20))
    #expect(outcome.losses == [.frameLoss(.deviceGap, frame: 18, count: 2)])
  }

  /// Every frame that was due is a frame or a loss of the sidecar, once.
  @Test func overloadsHaveTheirPlaces() throws {
    let outcome = try record([.frames(100)], overload: .drop, sink: SlowSink(delay: .milliseconds(10)))
    var places = outcome.frames.map(\.index)
    for case .frameLoss(let reason, let frame?, let count) in outcome.losses {
      #expect(reason == .overload)
      places += Array(frame..<frame + count)
    }
    #expect(outcome.losses.count > 0 && places.sorted() == Array(0..<100))
  }

  @Test func aFullDiskIsNamedFrameByFrame() throws {
    let outcome = try record([.frames(200)], sink: CollectingSink(failAtFrame: 50))
    #expect(outcome.frames.map(\.index) == Array(0..<50))
    var lost: Int64 = 0
    for case .frameLoss(.disk, _, let count) in outcome.losses { lost += count }
    #expect(lost >= 1 && lost == outcome.end?.losses[.disk])
    #expect(outcome.end?.failure == "the disk is full")
  }

  @Test func soundThatIsLostHasItsPlace() throws {
    let outcome = try record([.frames(120)], microphone: FadingMicrophone(frames: 48_000))
    var begin: Int64?, next: Int64 = 0, total: Int64 = 0
    for case .soundLoss(let sample, let count) in outcome.records {
      #expect(begin == nil || sample == next, "a silence in one piece")
      begin = begin ?? sample
      next = sample + count
      total += count
    }
    #expect(abs(try #require(begin) - 48_000) < 100 && abs(total - 192_000) < 100)
    #expect(total == outcome.end?.soundLost)
  }

  /// What is silent and what the disk refused are two parts of the film.
  @Test func soundThatTheDiskRefused_isLostInOnePlace() throws {
    let fault = OutputFault(.full, .film, path: "take.mov", frames: 50, bytes: 1000, cause: "")
    let outcome = try record(
      [.frames(200)], sink: CollectingSink(failAtFrame: 50, fault: fault, storedSamples: 4000),
      microphone: FadingMicrophone(frames: 9600))
    var places: [Range<Int64>] = []
    for case .soundLoss(let sample, let count) in outcome.records { places.append(sample..<sample + count) }
    places.sort { $0.lowerBound < $1.lowerBound }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }, "\(places)")
    let due = Int64(outcome.summary.counts.expected) * 2000
    #expect(places.first?.lowerBound == 4000 && places.reduce(0) { $0 + Int64($1.count) } == due - 4000, "\(places)")
    #expect(outcome.end?.soundLost == due - 4000 && outcome.end?.soundFrames == 4000)
  }

  @Test func settingsAndWarningsAreNoted() throws {
    let outcome = try record([.frames(5)]) { session in session.noteSetting("iso", "800") }
    #expect(outcome.records.contains(.setting("iso", value: "800", seconds: 0)))
  }

  @Test func aSidecarThatCannotBeMadeIsAWarning() throws {
    let outcome = try record([.frames(50)]) { _ in try? FileManager.default.removeItem(at: folder) }
    #expect(outcome.summary.counts.written == 50 && outcome.summary.failure == nil)
    #expect(
      outcome.warnings == [
        "the film has no sidecar: cannot create '\(SidecarFile.path(ofFilm: film))' (No such file or directory)"
      ])
  }
}

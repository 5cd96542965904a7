import Bake
import CameraTestKit
import Color
import Foundation
import Frames
import Movies
import MovieTestKit
import Platform
import Recorder
import RecorderAPI
import Sidecar
import TestKit
import Testing

/// A disk that takes nothing for a while, as a session sees it.
struct DiskStallTests {
  private static func status(_ seconds: Double, _ call: DiskStatus.Call? = .synchronize) -> DiskStatus {
    var disk = DiskStatus()
    (disk.stalledSeconds, disk.stalledCall) = (seconds, call)
    return disk
  }

  private static func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func stallIsSaidAtOnceAndAgainAndWhenItIsOver() {
    var watch = DiskWatch()
    func look(_ seconds: Double, lost: Int, at time: Double, _ call: DiskStatus.Call? = .synchronize) -> String? {
      watch.look(Self.status(seconds, call), of: "take.mov", lost: lost, lossLimit: 1, at: Self.at(time))
    }
    #expect(look(0, lost: 2, at: 100) == nil)
    #expect(look(0.04, lost: 2, at: 100.2) == nil)
    #expect(look(0.25, lost: 2, at: 100.5)
      == "the disk of 'take.mov' is 0.2 s behind (fdatasync does not return); until it catches up, a crash or a power "
        + "cut may cost 1.2 s or more instead of 1.0 s")
    #expect(look(5, lost: 2, at: 105.25) == nil)
    #expect(
      look(10.25, lost: 30, at: 110.5, .write)?.hasPrefix("the disk of 'take.mov' is 10 s behind (a write does") == true
    )
    #expect(look(15, lost: 30, at: 115.25) == nil)
    #expect(look(20.25, lost: 30, at: 120.5, nil)?.contains("(it is too slow)") == true)
    #expect(look(0, lost: 33, at: 121) == nil, "a disk that is slow comes and goes")
    #expect(look(0, lost: 33, at: 121.6)
      == "the disk of 'take.mov' keeps up again after 20 s; it was up to 20 s behind, and 31 frames were lost to the "
        + "disk")
    #expect(look(0, lost: 33, at: 130) == nil)
    #expect(look(0.5, lost: 33, at: 140) != nil)
    #expect(look(0, lost: 34, at: 142)?.hasSuffix(" behind, and 1 frame was lost to the disk") == true)
    #expect(look(0.5, lost: 34, at: 150) != nil)
    let unharmed = look(0, lost: 34, at: 152)
    #expect(
      unharmed?.hasSuffix(" behind, and no frame was lost to the disk") == true, "others may be lost to the encoder")
  }

  /// The queues fill, frames are the disk's loss, with their places; the recording goes on, and says so.
  @Test func framesThatAStalledDiskCostsAreItsLoss() throws {
    let gate = Gate()
    gate.close()
    let sink = StallingSink(gate, atFrame: 20)
    let outcome = try Self.record(
      [
        .frames(20), .action { while sink.contents.ticks.count < 20 { WorkThread.sleep(.milliseconds(1)) } },
        .frames(1), .action { gate.awaitSomebody() }, .frames(59),
        // The watch has looked, and everything that comes fits the queues again.
        .action {
          WorkThread.sleep(.milliseconds(400))
          gate.open()
          while sink.contents.ticks.count < 26 { WorkThread.sleep(.milliseconds(1)) }
        }, .frames(1), .nothing,
      ], sink: sink, policy: .drop)
    let counts = outcome.summary.counts
    #expect(counts.lost(.disk) > 40 && counts.expected == 81 && counts.underway == 0)
    #expect(counts.written + counts.lost(.disk) + counts.lost(.overload) == 81)
    #expect(outcome.summary.failure == nil && sink.contents.ticks.last == 80_000, "it goes on")
    let said = outcome.warnings.filter { $0.hasPrefix("the disk of 'stalled.mov' is ") }
    #expect(said.count == 1)
    for case .frameLoss(let reason, let frame?, _) in outcome.records where frame > 30 { #expect(reason == .disk) }
    #expect(outcome.records.contains { if case .warning(said.first, _) = $0 { true } else { false } })
  }

  @Test func stopOnOverloadNamesTheDisk() throws {
    let gate = Gate()
    gate.close()
    let sink = StallingSink(gate, atFrame: 5)
    let outcome = try Self.record(
      [
        .frames(5), .action { while sink.contents.ticks.count < 5 { WorkThread.sleep(.milliseconds(1)) } }, .frames(1),
        .action { gate.awaitSomebody() }, .frames(60), .action { gate.open() }, .frames(10),
      ],
      sink: sink, policy: .stop, whenLost: { gate.open() })
    #expect(outcome.summary.counts.lost(.disk) == 1 && outcome.summary.counts.lost(.overload) == 0)
    let reason =
      "the recording stopped because the disk could not keep up (--on-overload stop); use a faster disk or a lower "
      + "--bitrate"
    #expect(outcome.summary.failure == CamrecError(.overload, reason))
    let ends: [SidecarEnd] = outcome.records.compactMap { if case .end(let end) = $0 { end } else { nil } }
    #expect(ends.map(\.failure) == [reason], "the sidecar's end has it as well")
  }

  private struct Outcome {
    var summary: SessionSummary
    var warnings: [String]
    var records: [SidecarRecord]
  }

  private static func record(
    _ lines: [ScriptedCamera.Line], sink: StallingSink, policy: OverloadPolicy,
    whenLost: @escaping @Sendable () -> Void = {}
  ) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let film = folder.appendingPathComponent("take.mov").path
    let rate = RecordingSessionTests.rate, options = SessionOptions(overload: policy)
    let baker = try Baker(
      input: FrameFormat(width: 16, height: 16, layout: .nv12, color: .rec709), outputLayout: .nv12,
      outputColor: .rec709, lut: nil, interpolation: .tetrahedral, workers: 1, frames: options.bakedFrames)
    let head = SidecarHead(
      software: "test", film: "take.mov", camera: "scripted camera", width: 16, height: 16, pixelFormat: "nv12",
      frameRate: rate, timeBase: RecordingSessionTests.timeBase, colorIn: "rec709", colorOut: "rec709", codec: "none",
      start: Date())
    final class Opener: SessionObserver {
      var warnings: [String] = []
      let whenLost: @Sendable () -> Void
      init(_ whenLost: @escaping @Sendable () -> Void) { self.whenLost = whenLost }
      func started(at time: MonotonicTime) {}
      func progressed(_ progress: SessionProgress) {}
      func warned(_ sentence: String) {
        warnings.append(sentence)
        if sentence.contains("the disk is too slow") { whenLost() }
      }
    }
    let observer = Opener(whenLost)
    let camera = ScriptedCamera(lines, rate: rate, pool: 16, pacing: .milliseconds(2))
    let summary = RecordingSession(
      parts: RecordingSession.Parts(
        camera: camera, microphone: nil, converter: nil, baker: baker, resampler: nil,
        openSink: { _ throws(CamrecError) in (sink, "") },
        openSidecar: { _, _ throws(CamrecError) in try SidecarWriter(film: film, head: head) }),
      options: options, timeBase: RecordingSessionTests.timeBase
    ).run(observer: observer)
    var records: [SidecarRecord] = []
    _ = try SidecarReader(path: SidecarFile.path(ofFilm: film)).records { records.append($0) }
    return Outcome(summary: summary, warnings: observer.warnings, records: records)
  }
}

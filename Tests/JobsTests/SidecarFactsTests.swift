import Foundation
import Frames
import Goldens
import Jobs
import Sidecar
import TestKit
import Testing

/// What a golden says of a film that lacks frames of its sidecar: the same as `camrec info`.
@Suite struct SidecarFactsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The facts about written and lost frames, of a sidecar with six frames.
  private func account(_ records: [SidecarRecord]) throws -> [String] {
    let film = folder.path("take.mov")
    let head = SidecarHead(
      software: "camrec", film: "take.mov", camera: "camera", width: 64, height: 48, pixelFormat: "nv12",
      frameRate: try #require(FrameRate(parsing: "24")), timeBase: Rational(1, 24), colorIn: "rec709",
      colorOut: "rec709", codec: "hevc", start: Date(timeIntervalSince1970: 0))
    let writer = try SidecarWriter(film: film, head: head)
    for index in 0..<Int64(6) {
      writer.append(
        .frame(SidecarFrame(index: index, ticks: index, sequence: UInt64(index), exposure: nil, controls: nil)))
    }
    records.forEach(writer.append)
    writer.flush()
    let facts = GoldenFacts(try SidecarSummary(path: SidecarFile.path(ofFilm: film))).facts
    return facts.filter { $0.name == "frames written" || $0.name.hasPrefix("lost, ") }.map { "\($0.name): \($0.value)" }
  }

  private func end(written: Int64, lost: Int64) -> SidecarRecord {
    .end(
      SidecarEnd(
        date: Date(timeIntervalSince1970: 1), expected: 6, captured: 6, written: written, losses: [.disk: lost],
        ticks: written))
  }

  @Test func aWholeFilm() throws {
    #expect(try account([end(written: 6, lost: 0)]) == ["frames written: 6"])
  }

  @Test func aFrameThatAFullDiskRefusedIsLostAndNotWritten() throws {
    let found = try account([.frameLoss(.disk, frame: nil, count: 2), end(written: 4, lost: 2)])
    #expect(found == ["frames written: 4", "lost, by the disk: 2"])
  }

  @Test func aFrameThatARecoveryDidNotFindIsLostAndNotWritten() throws {
    let recovery = SidecarRecovery(
      date: Date(timeIntervalSince1970: 2), frames: 4, missing: 2, unlisted: 0, silentSamples: 0)
    let found = try account([.missing(frame: 4, count: 2), .recovered(recovery)])
    #expect(found == ["frames written: 4", "lost, when the film was cut off or damaged: 2"])
  }
}

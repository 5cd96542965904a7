import Foundation
import Frames
import Recovery
import Sidecar
import TestKit
import Testing

/// What a film that was cut off has, and what it lacks of what its sidecar says was written. Its times are rounded to
/// milliseconds, as a .mkv's are.
struct FilmExtentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// - Parameter ticks: of the film's frames, at 24000 a second.
  private func extent(_ ticks: [Int64], soundSamples: Int64? = nil, silence: [Range<Int64>] = []) -> FilmExtent {
    var times = TimeRuns()
    for time in ticks { times.append(Int64((Double(time) / 24).rounded())) }
    return FilmExtent(
      pictures: times, timescale: 1000, tolerance: 1, soundSamples: soundSamples, silence: silence)
  }

  private func content(
    of extent: FilmExtent, rate: String = "23.976", sampleRate: Int? = nil, _ records: [SidecarRecord]
  ) throws -> SidecarSummary.FilmContent {
    let film = folder.path("take.mkv")
    let head = SidecarHead(
      software: "camrec 0.1.0", film: "take.mkv", camera: "test", width: 96, height: 64, pixelFormat: "nv12",
      frameRate: try #require(FrameRate(parsing: rate)), timeBase: Rational(1, 24000), colorIn: "rec709",
      colorOut: "rec709", codec: "hevc", microphone: sampleRate.map { _ in "microphone" }, sampleRate: sampleRate,
      start: Date(timeIntervalSince1970: 1_795_255_200))
    do {
      let writer = try SidecarWriter(film: film, head: head)
      records.forEach(writer.append)
    }
    return try extent.content(comparedWith: SidecarFile.path(ofFilm: film))
  }

  private func frame(_ index: Int64, ticks: Int64? = nil) -> SidecarRecord {
    .frame(SidecarFrame(index: index, ticks: ticks ?? index * 1001, sequence: UInt64(index), exposure: nil))
  }

  @Test func roundedTimesAreThoseOfTheSidecar() throws {
    let found = try content(of: extent((0..<100).map { $0 * 1001 }), (0..<100).map { frame($0) })
    #expect(found.frames == 100 && found.missing == 0 && found.unwritten == 0)
    #expect(found.silentSamples == 0 && found.missingSamples == 0)
    #expect(abs(found.seconds - 100 * 1001 / 24000.0) < 1e-9, "the exact time, not the rounded one")
    // A millisecond more, by another rounding.
    var times = TimeRuns()
    for index in 0..<100 { times.append(Int64((Double(index * 1001) / 24).rounded()) + Int64(index % 2)) }
    let other = FilmExtent(pictures: times, timescale: 1000, tolerance: 1, soundSamples: nil)
    #expect(try content(of: other, (0..<100).map { frame($0) }).missing == 0)
  }

  /// At 1000 fps, a millisecond is a frame.
  @Test func neighboursAreNotMistakenForEachOther() throws {
    let records: [SidecarRecord] = (0..<8).map { frame($0, ticks: $0 * 24) }
    let found = try content(of: extent([0, 1, 2, 4, 5, 7].map { $0 * 24 }), rate: "1000", records)
    #expect(found.frames == 6 && found.missing == 2, "3 and 6")
  }

  /// Where frames are stored in another order than they are shown in, a later one may be there.
  @Test func whatTheFilmLacksIsMissing() throws {
    let there: [Int64] = [0, 1, 2, 3, 4, 6, 7, 11]
    let found = try content(of: extent(there.map { $0 * 1001 }), (0..<14).map { frame($0) })
    #expect(found.frames == 8 && found.missing == 6, "5, 8 to 10, 12 and 13")
    #expect(abs(found.seconds - 12 * 1001 / 24000.0) < 1e-9)
  }

  /// The sidecar's own end is lost, too.
  @Test func framesWithoutARecordAreInTheFilm() throws {
    let records: [SidecarRecord] = (0..<10).map { frame($0) } + [.frameLoss(.overload, frame: 14, count: 2)]
    let found = try content(of: extent((0..<12).map { $0 * 1001 }), records)
    #expect(found.frames == 12 && found.missing == 0 && found.unwritten == 2, "12 and 13")
    #expect(abs(found.seconds - 12 * 1001 / 24000.0) < 0.0006)
  }

  /// `--fill-gaps`: they have no records of frames.
  @Test func repeatedFramesAreNotMissing() throws {
    let records: [SidecarRecord] = [
      frame(0), frame(1), .frameLoss(.deviceGap, frame: 2, count: 3), .repeated(frame: 2, count: 3), frame(5), frame(6),
    ]
    let found = try content(of: extent((0..<6).map { $0 * 1001 }), records)
    #expect(found.frames == 6 && found.missing == 1)
  }

  @Test func audioThatWasDueIsLost() throws {
    let records: [SidecarRecord] = (0..<24).map { frame($0) } + [.soundLoss(sample: 4000, count: 1000)]
    let pictures = (0..<24).map { Int64($0) * 1001 }
    // The last 2048 samples are gone, and 3000 before. Of these, the microphone had lost 1000.
    let film = extent(pictures, soundSamples: 48048 - 2048, silence: [3000..<6000])
    let lost = try content(of: film, sampleRate: 48_000, records)
    #expect(lost.silentSamples == 2000 && lost.missingSamples == 2048)
    let whole = try content(of: extent(pictures, soundSamples: 50_000), sampleRate: 48_000, records)
    #expect(whole.silentSamples == 0 && whole.missingSamples == 0)
  }

  /// The end of the sidecar is lost: two frames of the film have no record, and it lacks their audio.
  @Test func audioOfFramesWithoutARecordIsDue() throws {
    let film = extent((0..<26).map { Int64($0) * 1001 }, soundSamples: 48048)
    let found = try content(of: film, sampleRate: 48_000, (0..<24).map { frame($0) })
    #expect(found.missingSamples == 2 * 2002 && found.silentSamples == 0)
  }

  @Test func aFilmWithoutFramesLacksAll() throws {
    let found = try content(of: extent([]), (0..<3).map { frame($0) })
    #expect(found.frames == 0 && found.missing == 3 && found.seconds == 0)
  }
}

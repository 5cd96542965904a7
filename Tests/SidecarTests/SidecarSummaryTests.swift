import Foundation
import Frames
import Sidecar
import Testing

@Suite struct SidecarSummaryTests {
  private let sample: SidecarSample

  init() throws { sample = try SidecarSample() }

  @Test func `it adds up what the records say`() throws {
    try sample.write()
    let summary = try SidecarSummary(path: sample.path)
    #expect(summary.frames == 9 && summary.totalLost == 4 && summary.soundLost == 480)
    #expect(summary.lost == [.deviceGap: 2, .deviceError: 1, .overload: 1])
    #expect(summary.end == SidecarSample.end && abs(summary.seconds - 12012 / 24000.0) < 1e-12)
    #expect(summary.ranges[.iso] == 100...125.992 && summary.ranges[.exposureTime] == 0.0208...0.0208)
    #expect(summary.ranges[.meteredEV] == -0.25...0.1 && summary.ranges[.gain] == 20...20)
    let angle = try #require(summary.ranges[.shutterAngle]?.lowerBound)
    #expect(abs(angle - 179.532467532) < 1e-6)
    #expect(summary.isoChanges.items.map(\.frame) == [6])
    #expect(summary.isoChanges.items.first?.from == 100 && summary.isoChanges.items.first?.to == 125.992)
    #expect(summary.gaps.items.map(\.frame) == [4, nil, 8] && summary.gaps.items.map(\.count) == [2, 1, 1])
    let begin = try #require(summary.gaps.items.first?.seconds)
    #expect(abs(begin - 4004 / 24000.0) < 1e-12)
    #expect(summary.soundGaps.items.map(\.seconds) == [0.25] && summary.soundGaps.items.map(\.length) == [0.01])
    #expect(summary.settings.items.first?.text == "iso=126" && summary.warnings.items.count == 1)
  }

  @Test func `losses in a row are one gap, and lists do not grow without end`() throws {
    var records: [SidecarRecord] = [.frame(SidecarSample.frame(0))]
    records += (1...50).map { .frameLoss(.overload, frame: $0, count: 1) }
    records += (0..<1500).map { .frameLoss(.overload, frame: 100 + 2 * $0, count: 1) }
    records += [
      .soundLoss(sample: 0, count: 480), .soundLoss(sample: 480, count: 480), .soundLoss(sample: 4800, count: 1),
    ]
    try sample.write(records)
    let summary = try SidecarSummary(path: sample.path)
    #expect(summary.gaps.items.first?.count == 50 && summary.gaps.items.count == 1000 && summary.gaps.omitted == 501)
    #expect(summary.lost == [.overload: 1550])
    #expect(summary.soundGaps.items.count == 2 && summary.soundGaps.items.first?.length == 0.02)
  }

  /// The disk stored four of seven frames, the fourth of which is a repeated one.
  @Test func `repeated frames that the disk refused are not listed`() throws {
    let records: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .repeated(frame: 1, count: 1), .frame(SidecarSample.frame(2)),
      .repeated(frame: 3, count: 2), .frame(SidecarSample.frame(5)), .repeated(frame: 6, count: 1),
      .frame(SidecarSample.frame(7)), .frameLoss(.disk, frame: nil, count: 2),
    ]
    let end = SidecarEnd(
      date: Date(timeIntervalSince1970: 0), expected: 8, captured: 4, written: 2, losses: [.deviceGap: 4, .disk: 2],
      ticks: 4 * 1001)
    try sample.write(records + [.end(end)])
    let summary = try SidecarSummary(path: sample.path), repeated = summary.repeated.items
    #expect(repeated.map(\.frame) == [1, 3] && repeated.map(\.count) == [1, 1], "\(repeated)")
    #expect(summary.written == 2 && summary.filmFrames == 4)
  }

  /// A bake that ends within a gap, of a version that wrote all repeats of its clip.
  @Test func `repeated frames behind a film's end are not listed`() throws {
    let records: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .repeated(frame: 1, count: 1), .frame(SidecarSample.frame(2)),
      .repeated(frame: 3, count: 3), .repeated(frame: 9, count: 2),
    ]
    let end = SidecarEnd(
      date: Date(timeIntervalSince1970: 0), expected: 4, captured: 2, written: 2, losses: [.deviceGap: 2],
      ticks: 4 * 1001)
    try sample.write(records + [.end(end)])
    let summary = try SidecarSummary(path: sample.path), repeated = summary.repeated.items
    #expect(repeated.map(\.frame) == [1, 3] && repeated.map(\.count) == [1, 1], "\(repeated)")
    #expect(summary.written == 2 && summary.filmFrames == 4)
  }

  /// A recording was killed when it had handed five repeats to its film, which has so many frames.
  @Test(arguments: [(3, [1]), (4, [1, 1]), (5, [1, 2])] as [(Int64, [Int64])])
  func `a cut-off film lists the repeats that it has`(frames: Int64, counts: [Int64]) throws {
    let records: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .repeated(frame: 1, count: 1), .frame(SidecarSample.frame(2)),
      .repeated(frame: 3, count: 4),
    ]
    try sample.write(records)
    var open = try SidecarSummary(path: sample.path)
    #expect(open.repeated.items.map(\.count) == [1, 4], "nobody has looked")
    let seconds = Double(frames) * 1001 / 24000
    open.look(into: SidecarSummary.FilmContent(frames: frames, missing: 0, seconds: seconds))
    let recovery = SidecarRecovery(date: Date(), frames: frames, missing: 0, unlisted: 0, silentSamples: 0)
    try SidecarWriter.append([.recovered(recovery)], to: sample.path)
    let recovered = try SidecarSummary(path: sample.path)
    for summary in [open, recovered] {
      #expect(summary.repeated.items.map(\.count) == counts && summary.written == 2)
      #expect(summary.filmFrames == frames)
      #expect(abs(summary.seconds - seconds) < 1e-9, "\(summary.seconds)")
    }
  }

  /// Frames 1 to 4 are gone, two lost ones among them.
  @Test func `a film that lacks a gap's frames has no repeats there`() throws {
    let records: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frame(SidecarSample.frame(1)), .repeated(frame: 2, count: 2),
      .frame(SidecarSample.frame(4)), .frame(SidecarSample.frame(5)), .repeated(frame: 6, count: 1),
      .frame(SidecarSample.frame(7)), .missing(frame: 1, count: 1), .missing(frame: 4, count: 1),
      .recovered(SidecarRecovery(date: Date(), frames: 4, missing: 2, unlisted: 0, silentSamples: 0)),
    ]
    try sample.write(Array(records.dropLast(3)))
    try SidecarWriter.append(Array(records.suffix(3)), to: sample.path)
    let summary = try SidecarSummary(path: sample.path)
    #expect(summary.repeated.items.map(\.frame) == [6] && summary.written == 3)
  }

  @Test func `a marker whose frame is not in the film is behind its end`() throws {
    let place = 3 * 1001 / 24000.0
    let records: [SidecarRecord] =
      (0..<4).map { .frame(SidecarSample.frame($0)) } + [.marker("slate", seconds: place)]
    try sample.write(records)
    var open = try SidecarSummary(path: sample.path)
    let marker = try #require(open.markers.items.first)
    #expect(!open.isBehindEnd(marker), "the film goes on, perhaps")
    for (frames, isBehind) in [(4, false), (3, true)] as [(Int64, Bool)] {
      let content = SidecarSummary.FilmContent(
        frames: frames, missing: 4 - frames, seconds: Double(frames) * 1001 / 24000)
      open.look(into: content)
      #expect(open.isBehindEnd(marker) == isBehind, "\(frames) frames")
    }
  }

  /// The camera was slower than its rate, and the last two of eight frames are missing. Earlier versions did not write
  /// down where the film ends.
  @Test(arguments: [true, false]) func `a recovered film ends where its last frame does`(isKnown: Bool) throws {
    let pace: Int64 = 1502, tick = 1 / 24000.0
    let ends: Int64 = 5 * pace + 1001
    var records: [SidecarRecord] = (0..<8).map { .frame(SidecarSample.frame($0, ticks: $0 * pace)) }
    for place in [5, 6] as [Int64] { records.append(.marker("slate", seconds: Double(place * pace) * tick)) }
    try sample.write(records)
    let recovery = SidecarRecovery(
      date: Date(timeIntervalSince1970: 1_700_000_020), frames: 6, missing: 2, unlisted: 0, silentSamples: 0,
      ticks: isKnown ? ends : nil)
    try SidecarWriter.append([.missing(frame: 6, count: 2), .recovered(recovery)], to: sample.path)
    let summary = try SidecarSummary(path: sample.path)
    #expect(summary.recovery == recovery)
    #expect(summary.markers.items.map(summary.isBehindEnd) == [false, isKnown])
    if isKnown { #expect(abs(summary.seconds - Double(ends) * tick) < 1e-9, "\(summary.seconds)") }
  }

  /// 1200 runs were handed to a film that ends with one of them, or with the frame in front of it.
  @Test(arguments: [Int64(2200), 2199]) func `repeats are counted past the end of the list`(frames: Int64) throws {
    let records = (0..<Int64(1200)).flatMap { place -> [SidecarRecord] in
      [.frame(SidecarSample.frame(2 * place)), .repeated(frame: 2 * place + 1, count: 1)]
    }
    try sample.write(records)
    let missing = (1100..<Int64(1200)).map { SidecarRecord.missing(frame: 2 * $0, count: 1) }
    let recovery = SidecarRecovery(date: Date(), frames: frames, missing: 100, unlisted: 0, silentSamples: 0)
    try SidecarWriter.append(missing + [.recovered(recovery)], to: sample.path)
    let summary = try SidecarSummary(path: sample.path), repeated = summary.repeated
    #expect(summary.written == 1100 && summary.filmFrames == frames)
    #expect(repeated.items.count == 1000 && repeated.omitted == Int(frames) - 2100, "\(repeated.omitted)")
  }

  @Test func `a gap is marked for as long as it lasts`() throws {
    let records: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frameLoss(.deviceGap, frame: 1, count: 9999),
      .frame(SidecarSample.frame(10_000)),
      .frame(SidecarSample.frame(10_001)), .soundLoss(sample: 0, count: 48_000),
    ]
    try sample.write(records)
    let losses = try SidecarSummary(path: sample.path).losses
    let lost = losses.bins.count { $0.reasons == [.deviceGap] }, silent = losses.bins.count { $0.isSilent }
    #expect(abs(Double(lost) * losses.width - 9999 * 1001 / 24000.0) < 2 * losses.width)
    #expect(abs(Double(silent) * losses.width - 1) < 2 * losses.width)
  }

  /// 20000 frames are more than there are bins.
  @Test func `a long film keeps its extremes`() throws {
    let records = (0..<20_000).map { index -> SidecarRecord in
      let iso = index == 7777 ? 3200.0 : 100 + Double(index % 2)
      return .frame(SidecarSample.frame(Int64(index), ExposureRecord(exposureTime: 0.02, iso: iso)))
    }
    try sample.write(records)
    let curve = try #require(try SidecarSummary(path: sample.path).curves[.iso])
    #expect(curve.bins.count <= 2048 && curve.bins.count > 1000)
    let place = Int(7777 * 1001 / 24000.0 / curve.width)
    let ordinary: ClosedRange<Double> = 100...101
    #expect(curve.bins[place].range?.upperBound == 3200)
    for (index, bin) in curve.bins.enumerated() where index != place { #expect(bin.range == ordinary, "bin \(index)") }
  }

  /// Behind a record that was cut off, and with what an earlier recovery had found.
  @Test func `a recovery says what is missing since the film was cut off`() throws {
    var bytes = try sample.write((0..<12).map { .frame(SidecarSample.frame($0)) })
    bytes.removeLast(4)
    try Data(bytes).write(to: URL(fileURLWithPath: sample.path))
    let date = Date(timeIntervalSince1970: 1_700_000_020)
    let first = SidecarRecovery(date: date, frames: 5, missing: 6, unlisted: 0, silentSamples: 0)
    try SidecarWriter.append([.missing(frame: 5, count: 6), .recovered(first)], to: sample.path)
    let second = SidecarRecovery(date: date, frames: 9, missing: 2, unlisted: 1, silentSamples: 480)
    try SidecarWriter.append(
      [.missing(frame: 3, count: 1), .missing(frame: 7, count: 1), .recovered(second)], to: sample.path)
    let summary = try SidecarSummary(path: sample.path)
    #expect(summary.frames == 11 && summary.recovery == second && summary.end == nil)
    #expect(summary.absentSound == 480, "silence stands for lost audio")
    #expect(summary.missing.items.map(\.frame) == [3, 7] && summary.missing.items.map(\.count) == [1, 1])
    let seconds = try #require(summary.missing.items.last?.seconds)
    #expect(abs(seconds - 7 * 1001 / 24000.0) < 1e-9)
    #expect(abs(summary.seconds - 12 * 1001 / 24000.0) < 1e-9, "with the frame that has no record")
    #expect(summary.extent.damagedLines == 1 && summary.extent.tornBytes == 0 && summary.extent.unknownRecords == 0)
    let text = try String(contentsOfFile: sample.path, encoding: .utf8)
    #expect(text.contains("\n{\"missing\":5,\"count\":6}\n{\"recovered\":\"2023-11-14T22:13:40.000Z\",\"frames\":5,"))
  }

  /// The film has silence in place of 1000 samples, and ends 4000 too early. The microphone had lost 100.
  @Test func `audio that a film lacks at its end is lost, before a recovery and after it`() throws {
    let records: [SidecarRecord] =
      (0..<6).map { .frame(SidecarSample.frame($0)) } + [.soundLoss(sample: 0, count: 100)]
    try sample.write(records)
    var open = try SidecarSummary(path: sample.path)
    open.look(
      into: SidecarSummary.FilmContent(
        frames: 4, missing: 2, seconds: 4 * 1001 / 24000.0, silentSamples: 1000, missingSamples: 4000))
    #expect(open.cutOffSound == 5000 && open.absentSound == 5100)
    let recovery = SidecarRecovery(
      date: Date(timeIntervalSince1970: 1_700_000_020), frames: 4, missing: 2, unlisted: 0, silentSamples: 1000,
      missingSamples: 4000)
    try SidecarWriter.append([.missing(frame: 4, count: 2), .recovered(recovery)], to: sample.path)
    let recovered = try SidecarSummary(path: sample.path)
    #expect(recovered.recovery == recovery)
    #expect(recovered.cutOffSound == 5000 && recovered.absentSound == 5100)
  }

  /// Frames 6 and 8 waited to be written when the recording was cut off.
  @Test func `frames that waited to be written are lost, before a recovery and after it`() throws {
    let records: [SidecarRecord] =
      (0..<6).map { .frame(SidecarSample.frame($0)) }
      + [.frameLoss(.overload, frame: 7, count: 1), .frameLoss(.overload, frame: 9, count: 2)]
    try sample.write(records)
    var open = try SidecarSummary(path: sample.path)
    open.look(into: SidecarSummary.FilmContent(frames: 4, missing: 2, unwritten: 2, seconds: 4 * 1001 / 24000.0))
    let recovery = SidecarRecovery(
      date: Date(timeIntervalSince1970: 1_700_000_020), frames: 4, missing: 2, unlisted: 0, silentSamples: 0,
      unwritten: 2)
    try SidecarWriter.append([.missing(frame: 4, count: 2), .recovered(recovery)], to: sample.path)
    let recovered = try SidecarSummary(path: sample.path)
    #expect(recovered.recovery == recovery)
    for summary in [open, recovered] {
      #expect(summary.written == 4 && summary.missingWritten == 2 && summary.unaccounted == 4 && summary.absent == 7)
    }
  }

  @Test func `a recovered film is as long as what is in it`() throws {
    var records = (0..<Int64(11)).filter { $0 != 8 }.map { SidecarRecord.frame(SidecarSample.frame($0)) }
    records.append(.frameLoss(.deviceGap, frame: 8, count: 1))
    let recovery = SidecarRecovery(date: Date(), frames: 6, missing: 4, unlisted: 0, silentSamples: 0)
    records += [.missing(frame: 6, count: 2), .missing(frame: 9, count: 2), .recovered(recovery)]
    try sample.write(records)
    let summary = try SidecarSummary(path: sample.path)
    #expect(abs(summary.seconds - 6 * 1001 / 24000.0) < 1e-9)
    #expect(summary.written == 6 && summary.absent == 5)
    let duration = 1001 / 24000.0
    let marked = [6.5, 7.5].map { place in summary.losses.bins[Int(place * duration / summary.losses.width)] }
    #expect(marked.allSatisfy { $0.reasons == [.disk] }, "\(marked)")
  }

  /// Frames 0 and 2 with a repeated one between them are in the film, and one whose record was cut off.
  @Test func `a recovered film's repeated frames are not its written ones`() throws {
    let records: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frameLoss(.deviceGap, frame: 1, count: 1), .repeated(frame: 1, count: 1),
      .frame(SidecarSample.frame(2)), .frame(SidecarSample.frame(3)),
    ]
    try sample.write(records)
    var open = try SidecarSummary(path: sample.path)
    open.look(into: SidecarSummary.FilmContent(frames: 3, missing: 1, seconds: 3 * 1001 / 24000.0))
    #expect(open.written == 2 && open.absent == 2)
    let recovery = SidecarRecovery(date: Date(), frames: 4, missing: 1, unlisted: 1, silentSamples: 0)
    try sample.write(records + [.missing(frame: 3, count: 1), .recovered(recovery)])
    let recovered = try SidecarSummary(path: sample.path)
    #expect(recovered.written == 3 && recovered.absent == 2)
  }

  /// The account has what a full disk refused, and a recovery finds the same frames missing.
  @Test func `a frame that a full disk refused is absent once`() throws {
    var end = SidecarSample.end
    (end.expected, end.captured, end.written, end.losses) = (6, 6, 4, [.disk: 2])
    let records: [SidecarRecord] =
      (0..<6).map { .frame(SidecarSample.frame($0)) } + [.frameLoss(.disk, frame: nil, count: 2), .end(end)]
    try sample.write(records)
    let full = try SidecarSummary(path: sample.path)
    #expect(full.written == 4 && full.absent == 2)
    let recovery = SidecarRecovery(date: Date(), frames: 4, missing: 2, unlisted: 0, silentSamples: 0)
    try SidecarWriter.append([.missing(frame: 4, count: 2), .recovered(recovery)], to: sample.path)
    let recovered = try SidecarSummary(path: sample.path)
    #expect(recovered.written == 4 && recovered.absent == 2)
  }

  /// A full disk cut the sidecar off, too: its frames have records, and the film lacks those that were refused.
  @Test func `without an end, a frame is in the film or lost, and not both`() throws {
    let frames: [SidecarRecord] = (0..<6).map { .frame(SidecarSample.frame($0)) }
    let content = SidecarSummary.FilmContent(frames: 4, missing: 2, seconds: 4 * 1001 / 24000.0)
    for refused in [[.frameLoss(.disk, frame: nil, count: 2)], []] as [[SidecarRecord]] {
      try sample.write(frames + refused)
      var summary = try SidecarSummary(path: sample.path)
      #expect(summary.isOpen && summary.written == (refused.isEmpty ? 6 : 4))
      summary.look(into: content)
      #expect(summary.written == 4 && summary.absent == 2 && summary.seconds == content.seconds)
      #expect(summary.unaccounted == (refused.isEmpty ? 2 : 0))
    }
    try sample.write()
    var whole = try SidecarSummary(path: sample.path)
    let before = whole.seconds
    whole.look(into: content)
    #expect(whole.content == nil && whole.written == 9 && whole.seconds == before, "its end says more")
  }
}

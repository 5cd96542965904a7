import Foundation
import Frames
import Sidecar
import Synchronization
import Testing

/// The sidecar of a film that is made of another one goes on with what that one's says.
@Suite struct CarriedRecordTests {
  /// What is read back of a sidecar that was given `records` and carries those of `original`.
  private func carried(
    _ original: [SidecarRecord], _ records: [SidecarRecord], from offset: Double = 0,
    head: SidecarHead = SidecarSample.head, reachesEnd: Bool = false, content: SidecarSummary.FilmContent? = nil,
    lostBefore: @escaping @Sendable (Int64, Bool) -> Void = { _, _ in }
  ) throws -> [SidecarRecord] {
    let source = try SidecarSample(), target = try SidecarSample()
    try source.write(original, head: head)
    let reader = try SidecarReader(path: source.path)
    do {
      let writer = try SidecarWriter(
        film: target.film, head: head, carrying: reader, from: offset, reachesEnd: { reachesEnd },
        originalContent: { content }, lostBefore: lostBefore)
      records.forEach(writer.append)
    }
    var read: [SidecarRecord] = []
    let extent = try SidecarReader(path: target.path).records { read.append($0) }
    #expect(extent.damagedLines == 0 && extent.tornBytes == 0)
    return read
  }

  /// As a bake counts: what it writes, from 0 on.
  private func baked(_ ticks: [Int64], without damaged: Set<Int64> = []) -> [SidecarRecord] {
    ticks.enumerated().map { index, ticks in
      damaged.contains(Int64(index))
        ? .frameLoss(.deviceError, frame: Int64(index), count: 1)
        : .frame(SidecarFrame(index: Int64(index), ticks: ticks, sequence: UInt64(index), exposure: nil))
    }
  }

  private func end(_ written: Int64, ticks: Int64, sound: (Int64, Int64)? = nil, losses: [LossReason: Int64] = [:])
    -> SidecarRecord
  {
    .end(
      SidecarEnd(
        date: SidecarSample.end.date, expected: written + losses.values.reduce(0, +), captured: written,
        written: written, losses: losses, ticks: ticks, soundFrames: sound?.0, soundLost: sound?.1))
  }

  private let ticks: [Int64] = [0, 1001, 2002, 3003, 6006, 7100, 9050, 10010, 11011]

  /// What a film carries of a sidecar whose `damage` stands in front of its end record, or at the file's end.
  ///
  /// - Parameter film: the film's own records, if it has only the beginning of the clip.
  private func unread(
    _ damage: String, of records: [SidecarRecord], isGrowing: Bool = false, film: [SidecarRecord]? = nil
  ) throws -> (lost: Int64, isAtLeast: Bool, records: [SidecarRecord]) {
    let source = try SidecarSample(), target = try SidecarSample()
    let text = String(decoding: try source.write(records), as: UTF8.self)
    var lines = text.split(separator: "\n").map { String($0) + "\n" }
    lines.insert(damage, at: lines.last?.hasPrefix("{\"end\"") == true ? lines.count - 1 : lines.count)
    try source.put(lines.joined().utf8)
    let told = Mutex<(Int64, Bool)>((0, false))
    do {
      let writer = try SidecarWriter(
        film: target.film, head: SidecarSample.head, carrying: SidecarReader(path: source.path),
        isGrowing: { isGrowing }, reachesEnd: { film == nil },
        lostBefore: { lost, isAtLeast in told.withLock { $0 = (lost, isAtLeast) } })
      (film ?? baked([0, 1001]) + [end(2, ticks: 2002)]).forEach(writer.append)
    }
    let (lost, isAtLeast) = told.withLock { $0 }
    return (lost, isAtLeast, try target.read().records)
  }

  private func warnings(_ records: [SidecarRecord]) -> [String] {
    records.compactMap { if case .warning(let words, _) = $0 { words } else { nil } }
  }

  /// They may tell of losses: nobody is to take the account for complete.
  @Test func linesThatCannotBeReadAreTold() throws {
    let records: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frame(SidecarSample.frame(1)), .frameLoss(.disk, frame: 2, count: 1),
    ]
    for (damage, what) in [
      ("{\"lost\":\"d\n", "1 line of 'take.mov.camrec' cannot be read"),
      ("{\"lost\":\"d\n{}}\n", "2 lines of 'take.mov.camrec' cannot be read"),
      ("{\"lost\":\"d", "'take.mov.camrec' is cut off in the middle of a record"),
    ] {
      let told = try unread(damage, of: records)
      #expect(told.lost == 1 && told.isAtLeast, "\(damage)")
      #expect(warnings(told.records) == ["\(what): this account may lack losses"])
      // The doubt stays, whatever is baked of that film.
      let again = try unread("", of: told.records)
      #expect(again.lost == 1 && again.isAtLeast && warnings(again.records) == warnings(told.records))
    }
    let whole = try unread("", of: records)
    #expect(whole.lost == 1 && !whole.isAtLeast && warnings(whole.records).isEmpty)
    // What is still being written may end anywhere.
    let growing = try unread("{\"lost\":\"d", of: records, isGrowing: true)
    #expect(growing.lost == 1 && !growing.isAtLeast && warnings(growing.records).isEmpty)
    // The damage is behind the film.
    let beginning = try unread(
      "{}}\n", of: (0..<4).map { .frame(SidecarSample.frame($0)) }, film: baked([0]) + [end(1, ticks: 1001)])
    #expect(!beginning.isAtLeast && warnings(beginning.records).isEmpty)
  }

  /// The frame for which a damaged repetition stands is lost already, and counts once.
  @Test func aRepeatThatIsDamagedOnTheWay_isNoOtherLoss() throws {
    let original: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frameLoss(.deviceError, frame: 1, count: 1), .repeated(frame: 1, count: 1),
      .frame(SidecarSample.frame(2)), end(2, ticks: 3003, losses: [.deviceError: 1]),
    ]
    let before = Mutex<Int64>(0)
    let film = baked([0, 1001, 2002], without: [1]) + [end(2, ticks: 3003, losses: [.deviceError: 1])]
    let read = try carried(
      original, film, reachesEnd: true, lostBefore: { lost, _ in before.withLock { $0 = lost } })
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.losses[.deviceError] == 1 && end.expected == 3 && before.withLock { $0 } == 1, "\(read)")
  }

  /// A film that ends in the gap before the clip's last frame lacks that one: what is missing behind it is not in the
  /// film's account.
  @Test func theClipsLastFrameStandsAlone() throws {
    let recovery = SidecarRecovery(
      date: SidecarSample.end.date, frames: 4, missing: 3, unlisted: 1, silentSamples: 0)
    let original: [SidecarRecord] =
      (0..<6).map { .frame(SidecarSample.frame($0)) } + [
        .frameLoss(.disk, frame: nil, count: 3), end(4, ticks: 5005, losses: [.disk: 3]),
        .missing(frame: 3, count: 1), .missing(frame: 5, count: 2), .recovered(recovery),
      ]
    for (ticks, frames, isRead, lost) in [
      ([0, 1001, 2002], 3003, false, 0), ([0, 1001, 2002], 4004, false, 1), ([0, 1001, 2002, 4004], 5005, true, 3),
    ] as [([Int64], Int64, Bool, Int64)] {
      let read = try carried(original, baked(ticks) + [end(Int64(ticks.count), ticks: frames)], reachesEnd: isRead)
      guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
      #expect(end.losses[.disk] ?? 0 == lost && end.expected == Int64(ticks.count) + lost, "\(frames): \(end)")
    }
  }

  /// The end of the sidecar counts what the other lines list.
  @Test func whereThereIsAnEnd_itSettlesWhatIsLost() throws {
    let frames = [SidecarRecord.frame(SidecarSample.frame(0)), .frame(SidecarSample.frame(1))]
    for count in [0, 3] as [Int64] {
      let told = try unread("{\"lost\":\"d\n", of: frames + [end(2, ticks: 2002, losses: [.overload: count])])
      #expect(told.lost == count && !told.isAtLeast && warnings(told.records).isEmpty)
      guard case .end(let end)? = told.records.last else { return #expect(Bool(false), "no end") }
      #expect(end.losses[.overload] ?? 0 == count && end.expected == 2 + count && end.captured == 2 + count)
      #expect(told.records.contains(.frameLoss(.overload, frame: nil, count: count)) == (count > 0))
    }
    let disk = try unread("{\"lost\":\"d\n", of: frames + [end(2, ticks: 2002, losses: [.disk: 3])])
    #expect(disk.lost == 0 && disk.isAtLeast)
  }

  @Test func aWholeFilmHasAllOfIt() throws {
    let read = try carried(SidecarSample.records, baked(ticks) + [end(9, ticks: 12012, sound: (24000, 0))])
    var records = SidecarSample.records
    // Known before a frame in front of it, it stands where it belongs.
    let place = try #require(records.firstIndex(of: .frameLoss(.overload, frame: 8, count: 1)))
    records.swapAt(place, place + 1)
    var whole = SidecarSample.end
    // Three of no place and with one: what is written and lost comes to what was due.
    whole.losses[.deviceError] = 1
    (whole.expected, whole.captured) = (13, 10)
    records[records.count - 1] = .end(whole)
    #expect(Set(read) == Set(records))
    #expect(read.filter(\.isFrame) == records.filter(\.isFrame))
    #expect(read.last == .end(whole))
  }

  @Test func aFilmThatEndsBefore_hasWhatIsInFrontOfItsEnd() throws {
    let read = try carried(
      SidecarSample.records, baked(Array(ticks.prefix(5))) + [end(5, ticks: 7007, sound: (14000, 0))])
    #expect(read.count(where: \.isFrame) == 5)
    #expect(read.contains(.frameLoss(.deviceGap, frame: 4, count: 2)))
    #expect(read.contains(.soundLoss(sample: 12000, count: 480)))
    #expect(!read.contains(.frameLoss(.overload, frame: 8, count: 1)))
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.expected == 7 + (end.losses[.deviceError] ?? 0) && end.written == 5 && end.losses[.deviceGap] == 2)
    #expect(end.soundLost == 480 && end.failure == nil)
  }

  /// The recording has lost frames 4 to 7.
  @Test(arguments: [(Int64(4004), Int64(0)), (6006, 2), (8008, 4)])
  func aFilmThatEndsInsideAGap_lacksItsFramesUpToThere(ticks: Int64, lost: Int64) throws {
    var original: [SidecarRecord] = (0..<4).map { .frame(SidecarSample.frame($0)) }
    original.append(.frameLoss(.deviceGap, frame: 4, count: 4))
    let film = baked([0, 1001, 2002, 3003]) + [end(4, ticks: ticks)]
    let behind: [SidecarRecord] = [.frame(SidecarSample.frame(8)), .frame(SidecarSample.frame(9))]
    for rest in [[], behind] {
      let read = try carried(original + rest, film)
      let losses = read.filter { if case .frameLoss = $0 { true } else { false } }
      let left: [SidecarRecord] = lost > 0 ? [.frameLoss(.deviceGap, frame: 4, count: lost)] : []
      #expect(losses == left)
      guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
      #expect(end.expected == 4 + lost && end.written == 4 && end.losses[.deviceGap] == lost)
    }
  }

  /// The recording lost samples 6000 to 9999, and said so in two records behind them; a bake of it says so before its
  /// frames there.
  @Test(arguments: [(Int64(3003), Int64(6)), (4004, 2008), (5005, 4000)])
  func aFilmThatEndsInsideAGapOfItsAudio_lacksItsSamplesUpToThere(ticks: Int64, lost: Int64) throws {
    let frames: [SidecarRecord] = (0..<10).map { .frame(SidecarSample.frame($0)) }
    let gap: [SidecarRecord] = [.soundLoss(sample: 6000, count: 2500), .soundLoss(sample: 8500, count: 1500)]
    let film = baked(Array(stride(from: 0, to: ticks, by: 1001)))
    for place in [3, 6, 10] {
      let original = Array(frames[..<place]) + gap + Array(frames[place...])
      let read = try carried(original, film + [end(ticks / 1001, ticks: ticks, sound: (ticks * 2, 0))])
      var silent: Int64 = 0
      for case .soundLoss(let sample, let count) in read {
        #expect(sample == 6000 + silent)
        silent += count
      }
      guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
      #expect(silent == lost && end.soundLost == lost, "\(silent), \(end)")
    }
  }

  /// Of 20020 samples, the disk refuses those from 8008 on. The recording had lost samples on both sides of that place:
  /// at 4000, at 8000, at 12000, and at 19800 with some behind the last frame that was handed to the disk.
  @Test func audioThatTheClipLostAndTheDiskRefuses_isLostOnce() throws {
    var original: [SidecarRecord] = []
    for index in Int64(0)..<20 {
      original.append(.frame(SidecarSample.frame(index)))
      switch index {
      case 2: original.append(.soundLoss(sample: 4000, count: 500))
      case 4: original.append(.soundLoss(sample: 8000, count: 20))
      case 6: original.append(.soundLoss(sample: 12000, count: 480))
      case 12: original.append(.soundLoss(sample: 19800, count: 2000))
      default: break
      }
    }
    let film =
      baked((0..<10).map { $0 * 1001 }) + [
        .soundLoss(sample: 8008, count: 12012), .frameLoss(.disk, frame: nil, count: 6),
        end(4, ticks: 4004, sound: (8008, 12012), losses: [.disk: 6]),
      ]
    let read = try carried(original, film)
    var places: [Range<Int64>] = []
    for case .soundLoss(let sample, let count) in read { places.append(sample..<sample + count) }
    places.sort { $0.lowerBound < $1.lowerBound }
    #expect(places == [4000..<4500, 8000..<8020, 8020..<12000, 12000..<12480, 12480..<20020])
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.soundLost == 500 + 8 + 12012 && end.losses[.disk] == 6, "\(end)")
  }

  /// Two of the clip's pictures do not decode.
  @Test func whatTheBakeLosesIsInItsPlace() throws {
    let read = try carried(
      SidecarSample.records, baked(ticks, without: [1, 7]) + [end(7, ticks: 12012, losses: [.deviceError: 2])])
    #expect(read.contains(.frameLoss(.deviceError, frame: 1, count: 1)))
    #expect(read.contains(.frameLoss(.deviceError, frame: 10, count: 1)))
    let frames = read.compactMap { if case .frame(let frame) = $0 { Int(frame.index) } else { nil } }
    #expect(frames == [0, 2, 3, 6, 7, 9, 11])
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.losses[.deviceError] == 3 && end.written == 7)
    #expect(end.expected == end.written + end.totalLost)
  }

  /// A frame that does not decode lies beside two that a recovery did not find; another one comes too late.
  @Test func eachLossHasAPlaceOfItsOwn() throws {
    let original: [SidecarRecord] =
      (0..<10).map { .frame(SidecarSample.frame($0)) } + [
        .missing(frame: 3, count: 2),
        .recovered(SidecarRecovery(date: SidecarSample.end.date, frames: 8, missing: 2, unlisted: 0, silentSamples: 0)),
      ]
    let film = baked([0, 1001, 2002, 5005, 6006, 8008, 7007, 9009], without: [3, 6])
    let read = try carried(original, film + [end(6, ticks: 10010, losses: [.deviceError: 2])])
    let frames = read.compactMap { if case .frame(let frame) = $0 { Int(frame.index) } else { nil } }
    #expect(frames == [0, 1, 2, 6, 8, 9])
    let losses = read.filter { if case .frameLoss = $0 { true } else { false } }
    #expect(
      losses == [
        .frameLoss(.deviceError, frame: 5, count: 1), .frameLoss(.deviceError, frame: 7, count: 1),
        .frameLoss(.disk, frame: 3, count: 2),
      ])
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.expected == 10 && end.losses[.deviceError] == 2 && end.losses[.disk] == 2)
  }

  /// Times are written to the millisecond: what was noted at a frame stands in front of that frame again.
  @Test(arguments: ["23.976", "24", "25", "29.97", "30", "50", "59.94", "60"])
  func aTimeBelongsToItsFrame(rate text: String) throws {
    let rate = try #require(FrameRate(parsing: text)), count: Int64 = 3000, early: Int64 = 3
    var head = SidecarSample.head
    (head.frameRate, head.timeBase) = (rate, Rational(1, rate.rational.numerator))
    let times = (0..<count).map { $0 * rate.rational.denominator }
    var original: [SidecarRecord] = []
    for (index, ticks) in times.enumerated() {
      // Read some frames before its own.
      let noted = Int64(index) + early
      if noted < count { original.append(.marker("\(noted)", seconds: Double(noted) / rate.framesPerSecond)) }
      original.append(.frame(SidecarSample.frame(Int64(index), ticks: ticks)))
    }
    let read = try carried(
      original, baked(times) + [end(count, ticks: count * rate.rational.denominator)], head: head)
    var next: Int64 = 0, markers: [String] = []
    for record in read {
      switch record {
      case .marker(let text, _): markers.append(text)
      case .frame(let frame):
        #expect(frame.index == next && markers == (next < early ? [] : ["\(next)"]), "frame \(next)")
        (next, markers) = (next + 1, [])
      default: break
      }
    }
    #expect(next == count)
  }

  /// More frames than the original has in that time.
  @Test func noNumberComesTwice() throws {
    let original: [SidecarRecord] = (0..<4).map { .frame(SidecarSample.frame($0)) }
    let read = try carried(original, baked([0, 1001, 1002, 1003, 2002, 3003]) + [end(6, ticks: 4004)])
    #expect(read.compactMap { if case .frame(let frame) = $0 { Int(frame.index) } else { nil } } == [0, 1, 2, 3, 4, 5])
  }

  @Test func repeatsStayRepeats_andWhatARecoveryMissedIsLost() throws {
    let original: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frameLoss(.deviceGap, frame: 1, count: 2), .repeated(frame: 1, count: 2),
      .frame(SidecarSample.frame(3)), .frame(SidecarSample.frame(4)), .frame(SidecarSample.frame(5)),
      .missing(frame: 4, count: 1),
      .recovered(SidecarRecovery(date: SidecarSample.end.date, frames: 5, missing: 1, unlisted: 0, silentSamples: 0)),
    ]
    let read = try carried(original, baked([0, 1001, 2002, 3003, 5005]) + [end(5, ticks: 6006)])
    #expect(
      read == [
        .frame(SidecarSample.frame(0)), .frameLoss(.deviceGap, frame: 1, count: 2), .repeated(frame: 1, count: 2),
        .frame(SidecarSample.frame(3)), .frame(SidecarSample.frame(5)), .frameLoss(.disk, frame: 4, count: 1),
        .end(
          SidecarEnd(
            date: SidecarSample.end.date, expected: 6, captured: 4, written: 3,
            losses: [.deviceGap: 2, .deviceError: 0, .overload: 0, .disk: 1, .defect: 0], ticks: 6006)),
      ])
  }

  /// Of eleven frames, five never came, and repeats stand for them. The disk refuses the last three that were handed to
  /// it, two of them repeats, and takes nothing more: one more repeat and two frames.
  @Test func aRepeatThatTheDiskRefusesIsNotLostOnceMore() throws {
    let original: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frameLoss(.deviceGap, frame: 1, count: 2), .repeated(frame: 1, count: 2),
      .frame(SidecarSample.frame(3)), .frame(SidecarSample.frame(4)), .frameLoss(.deviceGap, frame: 5, count: 2),
      .repeated(frame: 5, count: 2), .frame(SidecarSample.frame(7)), .frameLoss(.deviceGap, frame: 8, count: 1),
      .repeated(frame: 8, count: 1), .frame(SidecarSample.frame(9)), .frame(SidecarSample.frame(10)),
      end(6, ticks: 11011, losses: [.deviceGap: 5]),
    ]
    let refused = (8..<11).map { SidecarRecord.frameLoss(.disk, frame: $0, count: 1) }
    let film =
      baked((0..<8).map { $0 * 1001 }) + refused + [
        .frameLoss(.disk, frame: nil, count: 3), end(5, ticks: 5005, losses: [.disk: 6]),
      ]
    let before = Mutex<Int64>(0)
    let read = try carried(original, film, lostBefore: { lost, _ in before.withLock { $0 = lost } })
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.written == 3 && end.losses[.disk] == 3 && end.losses[.deviceGap] == 5, "\(end)")
    #expect(end.expected == 11 && end.captured == 6, "\(end)")
    #expect(before.withLock { $0 } == 5, "what the recording had lost")
    #expect(read.contains(.frameLoss(.disk, frame: nil, count: 1)))
    #expect(read.contains(.frameLoss(.disk, frame: 9, count: 1)))
    #expect(read.contains(.frameLoss(.disk, frame: 10, count: 1)))
    // The film is recovered, and baked once more.
    let recovery = SidecarRecovery(date: end.date, frames: 5, missing: 1, unlisted: 0, silentSamples: 0)
    let found = read + [.missing(frame: 7, count: 1), .recovered(recovery)]
    let sample = try SidecarSample()
    for records in [read, found] {
      try sample.write(records)
      let summary = try SidecarSummary(path: sample.path), repeated = summary.repeated.items
      #expect(summary.written == 3 && summary.absent == 8, "\(summary.written), \(summary.absent)")
      #expect(repeated.map(\.frame) == [1] && repeated.map(\.count) == [2], "\(repeated)")
    }
    let again = try carried(found, baked((0..<5).map { $0 * 1001 }) + [self.end(5, ticks: 5005)], reachesEnd: true)
    guard case .end(let second)? = again.last else { return #expect(Bool(false), "no end") }
    #expect(second.expected == 11 && second.captured == 6 && second.written == 3 && second.totalLost == 8, "\(second)")
    let repeats = again.filter { if case .repeated = $0 { true } else { false } }
    #expect(repeats == [.repeated(frame: 1, count: 2)])
  }

  /// The film has the first of three repeats. The others, and the frames that they stand for, are due behind its end.
  @Test func aFilmThatEndsInsideAFilledGap_hasAPartOfIt() throws {
    let original: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frame(SidecarSample.frame(1)), .frameLoss(.deviceGap, frame: 2, count: 3),
      .repeated(frame: 2, count: 3), .frame(SidecarSample.frame(5)), .frame(SidecarSample.frame(6)),
    ]
    let read = try carried(original, baked([0, 1001, 2002]) + [end(3, ticks: 3003)])
    #expect(
      read == [
        .frame(SidecarSample.frame(0)), .frame(SidecarSample.frame(1)), .frameLoss(.deviceGap, frame: 2, count: 1),
        .repeated(frame: 2, count: 1),
        .end(
          SidecarEnd(
            date: SidecarSample.end.date, expected: 3, captured: 2, written: 2,
            losses: [.deviceGap: 1, .deviceError: 0, .overload: 0, .disk: 0, .defect: 0], ticks: 3003)),
      ])
  }

  /// A recording was killed when it had handed two repeats to its film, which lacks them.
  @Test func repeatsThatTheClipLacksAreNotInTheFilm() throws {
    let original: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frameLoss(.deviceGap, frame: 1, count: 2), .repeated(frame: 1, count: 2),
      .frame(SidecarSample.frame(3)), .frameLoss(.deviceGap, frame: 4, count: 2), .repeated(frame: 4, count: 2),
      .recovered(SidecarRecovery(date: SidecarSample.end.date, frames: 4, missing: 0, unlisted: 0, silentSamples: 0)),
    ]
    let read = try carried(original, baked([0, 1001, 2002, 3003]) + [end(4, ticks: 4004)], reachesEnd: true)
    let repeats = read.filter { if case .repeated = $0 { true } else { false } }
    #expect(repeats == [.repeated(frame: 1, count: 2)])
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.written == 2 && end.losses[.deviceGap] == 4 && end.expected == 6)
  }

  /// A camera that does not keep to its rate: after 100 frames, their times are those of 110.
  @Test func repeatsAreFoundAtAnyRate() throws {
    let times = (0..<104).map { Int64($0) * 1101 }
    var original = (0..<100).map { SidecarRecord.frame(SidecarSample.frame($0, ticks: times[Int($0)])) }
    original += [
      .frameLoss(.deviceGap, frame: 100, count: 3), .repeated(frame: 100, count: 3),
      .frame(SidecarSample.frame(103, ticks: times[103])),
    ]
    let read = try carried(original, baked(times) + [end(104, ticks: 104 * 1101)])
    #expect(read.contains(.repeated(frame: 100, count: 3)))
    let frames = read.compactMap { if case .frame(let frame) = $0 { Int(frame.index) } else { nil } }
    #expect(frames == Array(0..<100) + [103])
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.written == 101 && end.expected == 104)
  }

  /// The last frames are missing, too, and holes in the audio and what it lacks at its end have no place.
  @Test func whatARecoveryMissedAtTheEndIsLost() throws {
    let original: [SidecarRecord] =
      (0..<7).map { .frame(SidecarSample.frame($0)) } + [
        .missing(frame: 2, count: 1), .missing(frame: 5, count: 2),
        .recovered(
          SidecarRecovery(
            date: SidecarSample.end.date, frames: 4, missing: 3, unlisted: 0, silentSamples: 8192,
            missingSamples: 400)),
      ]
    let read = try carried(original, baked([0, 1001, 3003, 4004]) + [end(4, ticks: 5005, sound: (10010, 0))])
    #expect(read.contains(.frameLoss(.disk, frame: 2, count: 1)))
    #expect(read.contains(.frameLoss(.disk, frame: 5, count: 2)))
    guard case .end(let whole)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(whole.losses[.disk] == 3 && whole.expected == 7 && whole.soundLost == 8592)
    let part = try carried(original, baked([0, 1001]) + [end(2, ticks: 2002, sound: (4004, 0))])
    guard case .end(let beginning)? = part.last else { return #expect(Bool(false), "no end") }
    #expect(beginning.totalLost == 0 && beginning.soundLost == 0)
  }

  /// Of a .mkv that a full disk ended: frame 9 was stored before frame 8, which was refused with 10 and 11.
  @Test func aRefusedFrameInFrontOfAStoredOne_isLostOnce() throws {
    let original: [SidecarRecord] =
      (0..<12).map { .frame(SidecarSample.frame($0)) } + [
        .frameLoss(.disk, frame: nil, count: 3), end(9, ticks: 10010, losses: [.disk: 3]),
      ]
    let film = baked((0..<10).filter { $0 != 8 }.map { $0 * 1001 }) + [end(9, ticks: 10010)]
    let read = try carried(original, film, reachesEnd: true)
    guard case .end(let whole)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(whole.losses[.disk] == 3 && whole.expected == 12, "\(whole)")
  }

  /// A bake has frames that its clip's crash never let be written: they have no record, and lie behind its end.
  @Test func aShorterBakeOfABake_hasNothingFromBehindItsEnd() throws {
    let original: [SidecarRecord] =
      (0..<10).map { .frame(SidecarSample.frame($0)) } + [
        .frameLoss(.overload, frame: 30, count: 1), .frameLoss(.disk, frame: nil, count: 20),
        end(10, ticks: 10010, losses: [.disk: 20, .overload: 1]),
      ]
    let part = try carried(original, baked((0..<8).map { $0 * 1001 }) + [end(8, ticks: 8008)])
    guard case .end(let beginning)? = part.last else { return #expect(Bool(false), "no end") }
    #expect(beginning.totalLost == 0, "\(beginning)")
  }

  /// A baked film's own end counts samples that none of its records has: a recovery of its clip gave them no place.
  @Test func lostSamplesWithoutAPlaceAreCarriedOn() throws {
    let original: [SidecarRecord] =
      (0..<4).map { .frame(SidecarSample.frame($0)) } + [
        .soundLoss(sample: 0, count: 480), end(4, ticks: 4004, sound: (8008, 480 + 8592)),
      ]
    let whole = try carried(original, baked([0, 1001, 2002, 3003]) + [end(4, ticks: 4004, sound: (8008, 0))])
    guard case .end(let again)? = whole.last else { return #expect(Bool(false), "no end") }
    #expect(again.soundLost == 9072)
    let part = try carried(original, baked([0, 1001]) + [end(2, ticks: 2002, sound: (4004, 0))])
    guard case .end(let beginning)? = part.last else { return #expect(Bool(false), "no end") }
    #expect(beginning.soundLost == 480)
  }

  /// Frame 4 waited to be written when the recording was cut off; frame 5 was lost before.
  @Test func whatWaitedToBeWrittenIsLost() throws {
    let original: [SidecarRecord] =
      (0..<4).map { .frame(SidecarSample.frame($0)) } + [
        .frameLoss(.overload, frame: 5, count: 1),
        .recovered(
          SidecarRecovery(
            date: SidecarSample.end.date, frames: 4, missing: 0, unlisted: 0, silentSamples: 0, unwritten: 1)),
      ]
    let film = baked([0, 1001, 2002, 3003]) + [end(4, ticks: 4004)]
    let read = try carried(original, film, reachesEnd: true)
    #expect(read.contains(.frameLoss(.disk, frame: nil, count: 1)))
    guard case .end(let whole)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(whole.losses[.disk] == 1 && whole.losses[.overload] == 1 && whole.written == 4 && whole.expected == 6)
    let part = try carried(original, baked([0, 1001]) + [end(2, ticks: 2002)])
    guard case .end(let beginning)? = part.last else { return #expect(Bool(false), "no end") }
    #expect(beginning.totalLost == 0)
  }

  /// Nobody has recovered the film, as nobody recovers a .mkv: frames 4 and 5 waited to be written; of these, it has
  /// frame 4.
  @Test func whatWaitedToBeWritten_isLostWithoutARecovery() throws {
    let original: [SidecarRecord] =
      (0..<4).map { .frame(SidecarSample.frame($0)) } + [.frameLoss(.overload, frame: 6, count: 1)]
    let film = baked([0, 1001, 2002, 3003, 4004]) + [end(5, ticks: 5005)]
    let content = SidecarSummary.FilmContent(frames: 5, missing: 0, unwritten: 1, seconds: 5005 / 24000.0)
    guard case .end(let whole)? = try carried(original, film, reachesEnd: true, content: content).last else {
      return #expect(Bool(false), "no end")
    }
    #expect(whole.losses[.disk] == 1 && whole.losses[.overload] == 1 && whole.written == 5 && whole.expected == 7)
    // It may still be recorded.
    guard case .end(let part)? = try carried(original, film, content: content).last else {
      return #expect(Bool(false), "no end")
    }
    #expect(part.losses[.disk] ?? 0 == 0)
    // The account has all of them.
    let ended = original + [end(5, ticks: 5005, losses: [.overload: 2])]
    guard case .end(let all)? = try carried(ended, film, reachesEnd: true, content: content).last else {
      return #expect(Bool(false), "no end")
    }
    #expect(all.losses[.disk] ?? 0 == 0)
  }

  /// The clip lacks frames 2, 5 and 6, 400 samples at its end, and 8192 in gaps. The microphone had lost 480.
  ///
  /// - Parameter found: samples of the gaps that the new film has found itself: it does not find them where zeros fill
  ///   them.
  @Test(arguments: [Int64(0), 8192, 9000]) func whatAnOpenClipLacksIsLostOnce(found: Int64) throws {
    let original: [SidecarRecord] =
      (0..<7).map { .frame(SidecarSample.frame($0)) } + [.soundLoss(sample: 100, count: 480)]
    let content = SidecarSummary.FilmContent(
      frames: 4, missing: 3, seconds: 5005 / 24000.0, silentSamples: 8192, missingSamples: 400)
    var film = baked([0, 1001, 3003, 4004])
    if found > 0 { film.append(.soundLoss(sample: 600, count: found)) }
    film.append(end(4, ticks: 5005, sound: (10010, found)))
    let read = try carried(original, film, reachesEnd: true, content: content)
    #expect(read.contains(.frameLoss(.disk, frame: 2, count: 1)))
    #expect(read.contains(.frameLoss(.disk, frame: 5, count: 2)))
    guard case .end(let whole)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(whole.losses[.disk] == 3 && whole.written == 4 && whole.expected == 7, "\(whole)")
    #expect(whole.soundLost == 480 + max(8192, found) + 400, "\(whole)")
    let part = try carried(
      original, baked([0, 1001]) + [end(2, ticks: 2002, sound: (4004, 0))], content: content)
    guard case .end(let beginning)? = part.last else { return #expect(Bool(false), "no end") }
    #expect(beginning.totalLost == 0 && beginning.soundLost == 480, "\(beginning)")
  }

  /// The first fragments were damaged; those frames have no place in a film that begins behind them.
  ///
  /// - Parameter behind: frames that are missing at the end as well.
  @Test(arguments: [Int64(0), 1]) func whatARecoveryMissedAtTheBeginningIsLost(behind: Int64) throws {
    let written = 6 - behind
    var original: [SidecarRecord] = (0..<8).map { .frame(SidecarSample.frame($0)) }
    original.append(.missing(frame: 0, count: 2))
    if behind > 0 { original.append(.missing(frame: 8 - behind, count: behind)) }
    original.append(
      .recovered(
        SidecarRecovery(
          date: SidecarSample.end.date, frames: written, missing: 2 + behind, unlisted: 0, silentSamples: 0)))
    let film = baked((0..<written).map { $0 * 1001 }) + [end(written, ticks: written * 1001)]
    let read = try carried(original, film, from: 2 * 1001 / 24000.0)
    #expect(read.contains(.frameLoss(.disk, frame: nil, count: 2)))
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.losses[.disk] == 2 + behind && end.expected == 8 && end.written == written)
  }

  /// A container that has lost packets says nothing of it. Behind the film's end, frames are left out.
  @Test func framesThatTheClipHasLostSinceAreLostToTheDisk() throws {
    let original: [SidecarRecord] = (0..<8).map { .frame(SidecarSample.frame($0)) } + [end(8, ticks: 8008)]
    let read = try carried(original, baked([0, 1001, 4004, 5005]) + [end(4, ticks: 6006)])
    let losses = read.filter { if case .frameLoss = $0 { true } else { false } }
    #expect(losses == [.frameLoss(.disk, frame: 2, count: 2)])
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.expected == 6 && end.written == 4 && end.losses[.disk] == 2)
  }

  /// Its first frames are lost, or do not decode; its last ones are lost if the film goes on up to the clip's end.
  @Test func framesLostAtTheClipsEnds() throws {
    let original: [SidecarRecord] = (0..<8).map { .frame(SidecarSample.frame($0)) } + [end(8, ticks: 8008)]
    let offset = 2 * 1001 / 24000.0
    func losses(_ records: [SidecarRecord], reachesEnd: Bool) throws -> ([SidecarRecord], SidecarEnd?) {
      let read = try carried(original, records, from: offset, reachesEnd: reachesEnd)
      var end: SidecarEnd?
      if case .end(let last)? = read.last { end = last }
      return (read.filter { if case .frameLoss = $0 { true } else { false } }, end)
    }
    let film = baked([0, 1001, 2002])
    let (limited, part) = try losses(film + [end(3, ticks: 3003)], reachesEnd: false)
    #expect(limited == [.frameLoss(.disk, frame: nil, count: 2)] && part?.expected == 5)
    let (all, whole) = try losses(film + [end(3, ticks: 3003)], reachesEnd: true)
    #expect(all == [.frameLoss(.disk, frame: nil, count: 2), .frameLoss(.disk, frame: 3, count: 3)])
    #expect(whole?.expected == 8 && whole?.written == 3 && whole?.losses[.disk] == 5)
    let broken: SidecarRecord = .frameLoss(.deviceError, frame: nil, count: 2)
    let (damaged, account) = try losses(
      [broken] + film + [end(3, ticks: 3003, losses: [.deviceError: 2])], reachesEnd: false)
    #expect(damaged == [broken] && account?.expected == 5 && account?.losses[.disk] == 0)
  }

  /// The recording had lost frame 1, and the clip has lost frame 0 since.
  @Test func aLossInFrontOfTheFirstFrameIsCounted() throws {
    let original: [SidecarRecord] = [
      .frame(SidecarSample.frame(0)), .frameLoss(.overload, frame: 1, count: 1), .frame(SidecarSample.frame(2)),
      end(2, ticks: 3003, losses: [.overload: 1]),
    ]
    let read = try carried(original, baked([0]) + [end(1, ticks: 1001)], from: 2 * 1001 / 24000.0)
    #expect(read.contains(.frameLoss(.overload, frame: nil, count: 1)))
    guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
    #expect(end.expected == 3 && end.losses[.overload] == 1 && end.losses[.disk] == 1)
  }

  /// The account has no places for what the disk refused; a recovery has them.
  @Test func whatAFullDiskRefusedIsLostOnce() throws {
    let full: [SidecarRecord] =
      (0..<6).map { .frame(SidecarSample.frame($0)) } + [
        .soundLoss(sample: 8008, count: 800), .frameLoss(.disk, frame: nil, count: 2),
        end(4, ticks: 4004, sound: (8008, 800), losses: [.disk: 2]),
      ]
    let found: [SidecarRecord] = [
      .missing(frame: 4, count: 2),
      .recovered(SidecarRecovery(date: SidecarSample.end.date, frames: 4, missing: 2, unlisted: 0, silentSamples: 0)),
    ]
    let film = baked([0, 1001, 2002, 3003]) + [end(4, ticks: 4004, sound: (8008, 0))]
    for (more, place) in [([SidecarRecord](), Int64?.none), (found, Int64?(4))] {
      let read = try carried(full + more, film, reachesEnd: place == nil)
      let losses = read.filter { if case .frameLoss = $0 { true } else { false } }
      #expect(losses == [.frameLoss(.disk, frame: place, count: 2)])
      guard case .end(let end)? = read.last else { return #expect(Bool(false), "no end") }
      #expect(end.losses[.disk] == 2 && end.expected == 6 && end.written == 4 && end.soundLost == 800)
    }
  }

  /// The first pictures do not decode, so that the film begins behind them; nothing is known of its last frames.
  @Test func placesAndTimesCountFromTheFilmsFirstFrame() throws {
    let original: [SidecarRecord] =
      (0..<6).map { .frame(SidecarSample.frame($0)) } + [
        .marker("slate", seconds: 0.15), .frameLoss(.overload, frame: 6, count: 1), .frame(SidecarSample.frame(7)),
      ]
    let offset = 2 * 1001 / 24000.0
    let read = try carried(original, baked([0, 1001, 2002, 3003, 5005, 6006]) + [end(6, ticks: 7007)], from: offset)
    let frames = read.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    #expect(frames.map(\.index) == [0, 1, 2, 3, 5, 6])
    #expect(frames.map(\.sequence) == [9, 10, 11, 12, 14, 15])
    #expect(read.contains(.frameLoss(.overload, frame: 4, count: 1)))
    let marker = read.compactMap { if case .marker(_, let seconds) = $0 { seconds } else { nil } }
    #expect(marker.count == 1 && abs(marker[0] - (0.15 - offset)) < 0.001)
  }
}

extension SidecarRecord {
  fileprivate var isFrame: Bool { if case .frame = self { true } else { false } }
}

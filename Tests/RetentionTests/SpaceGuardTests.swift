import Retention
import Testing

/// A disk that a recorder fills, second by second.
private struct FillingDisk {
  var space: SpaceGuard
  var time = 1000.0
  var free: Int64
  var written: Int64 = 0
  var reclaimable: Int64 = 0
  var isRecording = true
  var closing: Int64 = 0
  var expected = 20_000_000.0
  /// Seconds between two looks.
  var apart = 1.0

  mutating func run(seconds: Int, rate: Int64, others: Int64 = 0) -> [SpaceGuard.Decision] {
    (0..<seconds).flatMap { _ in step(rate: rate, others: others) }
  }

  mutating func step(rate: Int64, others: Int64 = 0) -> [SpaceGuard.Decision] {
    time += apart
    if isRecording {
      written += rate
      free -= rate
    }
    free -= others
    return space.look(
      SpaceGuard.Look(
        time: time, freeBytes: free, reclaimableBytes: reclaimable, writtenBytes: written, closingBytes: closing,
        expectedBytesPerSecond: expected, isRecording: isRecording))
  }
}

private func marks(_ decisions: [SpaceGuard.Decision]) -> [SpaceMark] {
  decisions.compactMap { if case .warn(let mark, _) = $0 { mark } else { nil } }
}

@Suite struct SpaceGuardTests {
  static let MB: Int64 = 1_000_000

  @Test func beforeTenSecondsTheExpectedRateCounts_thenTheMeasuredOne() throws {
    var disk = FillingDisk(space: SpaceGuard(), free: 100_000 * Self.MB)
    _ = disk.run(seconds: 3, rate: Self.MB)
    let early = try #require(disk.space.room)
    #expect(!early.isMeasured && early.bytesPerSecond == 20_000_000)
    _ = disk.run(seconds: 60, rate: Self.MB)
    let room = try #require(disk.space.room)
    #expect(room.isMeasured)
    #expect(abs(try #require(room.bytesPerSecond) - 1_000_000) < 1000)
    let left = Double(room.freeBytes - room.reserve) / 1_000_000
    #expect(abs(try #require(room.secondsLeft) - left) < 200)
  }

  /// What is expected no longer counts where another program writes as well.
  @Test func aDiskThatFillsFasterThanExpected_isMeasuredAtOnce() throws {
    var disk = FillingDisk(space: SpaceGuard(), free: 10_000 * Self.MB)
    _ = disk.run(seconds: 2, rate: Self.MB)
    _ = disk.step(rate: Self.MB, others: 100 * Self.MB)
    #expect(try #require(disk.space.room).isExpected, "one look may be chance")
    _ = disk.step(rate: Self.MB, others: 100 * Self.MB)
    let room = try #require(disk.space.room)
    #expect(!room.isExpected && !room.isMeasured && room.bytesPerSecond == 101_000_000)
    #expect(room.reserve == SpaceGuard.reserve(closing: 0, bytesPerSecond: 20_000_000), "no film ends for it")
    #expect(abs(try #require(room.secondsLeft) - Double(room.freeBytes - room.reserve) / 101_000_000) < 1)
    _ = disk.run(seconds: 2, rate: Self.MB)
    #expect(try #require(disk.space.room).isExpected, "the other program has ended")
    _ = disk.run(seconds: 20, rate: Self.MB)
    let end = try #require(disk.space.room)
    #expect(!end.isExpected && end.isMeasured)
  }

  /// A warning has the figures of the state, and comes when they are below its mark.
  @Test func aDiskThatFillsFasterThanExpected_isWarnedOfAtOnce() throws {
    var disk = FillingDisk(space: SpaceGuard(marks: [.seconds(20)]), free: 60 * Self.MB)
    disk.expected = 250_000
    #expect(disk.run(seconds: 3, rate: 200_000).isEmpty)
    #expect(disk.step(rate: 200_000, others: 5 * Self.MB).isEmpty, "one look may be chance")
    let decisions = disk.step(rate: 200_000, others: 5 * Self.MB)
    guard decisions.count == 1, case .warn(let mark, let room)? = decisions.first else {
      return #expect(Bool(false), "\(decisions)")
    }
    #expect(mark == .seconds(20) && room == disk.space.room && room.bytesPerSecond == 5_200_000)
    #expect(room.secondsLeft == Double(room.freeBytes - room.reserve) / 5_200_000)
    #expect(marks(disk.run(seconds: 5, rate: 200_000, others: 5 * Self.MB)).isEmpty, "said once")
  }

  @Test func aFileThatLiesThereForAMomentChangesNoRate() throws {
    var disk = FillingDisk(space: SpaceGuard(), free: 100_000 * Self.MB)
    _ = disk.run(seconds: 60, rate: Self.MB)
    disk.free -= 50_000 * Self.MB
    _ = disk.run(seconds: 30, rate: Self.MB)
    disk.free += 50_000 * Self.MB
    _ = disk.run(seconds: 30, rate: Self.MB)
    #expect(abs(try #require(disk.space.room?.bytesPerSecond) - 1_000_000) < 10_000)
  }

  /// Another program's file in the first seconds, also where the looks are late: a film that has room goes on.
  @Test(arguments: [1.0, 1.01, 1.2, 1.7, 2.6]) func oneFileOfAnotherProgramEndsNoFilm(apart: Double) throws {
    for full in SpaceGuard.Full.allCases {
      var disk = FillingDisk(space: SpaceGuard(marks: [], full: full), free: 200 * Self.MB)
      (disk.apart, disk.expected) = (apart, 336_000)
      _ = disk.run(seconds: 3, rate: 200_000)
      _ = disk.step(rate: 200_000, others: disk.free - 25 * Self.MB)
      #expect(disk.run(seconds: 30, rate: 200_000).isEmpty, "\(full)")
      #expect(try #require(disk.space.room).isMeasured)
    }
  }

  @Test func whatAnotherCameraWritesCounts() throws {
    var disk = FillingDisk(space: SpaceGuard(), free: 100_000 * Self.MB)
    _ = disk.run(seconds: 60, rate: Self.MB, others: 3 * Self.MB)
    #expect(abs(try #require(disk.space.room?.bytesPerSecond) - 4_000_000) < 10_000)
  }

  @Test func aPauseIsNoTimeOfRecording() throws {
    var disk = FillingDisk(space: SpaceGuard(), free: 100_000 * Self.MB)
    _ = disk.run(seconds: 60, rate: Self.MB)
    disk.isRecording = false
    _ = disk.run(seconds: 600, rate: 0, others: 5 * Self.MB)
    disk.isRecording = true
    _ = disk.run(seconds: 2, rate: Self.MB)
    #expect(abs(try #require(disk.space.room?.bytesPerSecond) - 1_000_000) < 20_000)
  }

  @Test func eachMarkIsSaidOnceOnTheWayDown() {
    var disk = FillingDisk(
      space: SpaceGuard(marks: [.seconds(600), .seconds(60), .bytes(300 * Self.MB)]), free: 1500 * Self.MB)
    let said = marks(disk.run(seconds: 1460, rate: Self.MB))
    #expect(said == [.seconds(600), .bytes(300 * Self.MB), .seconds(60)])
  }

  @Test func aMarkIsSaidAgainOnlyBehindHalfAsMuchMore() {
    var disk = FillingDisk(space: SpaceGuard(marks: [.bytes(500 * Self.MB)]), free: 520 * Self.MB)
    #expect(marks(disk.run(seconds: 60, rate: Self.MB)).count == 1)
    // As a rotation does.
    for _ in 0..<50 {
      disk.free += 240 * Self.MB
      #expect(marks(disk.run(seconds: 240, rate: Self.MB)).isEmpty)
    }
    disk.free = 800 * Self.MB
    #expect(marks(disk.run(seconds: 320, rate: Self.MB)).count == 1)
  }

  @Test func noMarksNoWarnings() {
    var disk = FillingDisk(space: SpaceGuard(marks: []), free: 100 * Self.MB)
    #expect(marks(disk.run(seconds: 80, rate: Self.MB)).isEmpty)
  }

  @Test(arguments: [50_000, 1_000_000, 80_000_000] as [Int64])
  func aFilmEndsOnceWhileItsIndexFits(rate: Int64) throws {
    var disk = FillingDisk(
      space: SpaceGuard(marks: []), free: 20 * rate + SpaceGuard.needed(bytesPerSecond: 20_000_000))
    disk.closing = 3 * Self.MB
    var stops: [SpaceGuard.Room] = []
    for _ in 0..<6000 where stops.isEmpty {
      for case .stop(let room) in disk.step(rate: rate) { stops.append(room) }
    }
    let room = try #require(stops.first)
    // The rest of the film, and the index.
    #expect(room.freeBytes >= disk.closing + 3 * rate, "there is room left: \(room)")
    #expect(room.freeBytes < disk.closing + 7 * rate + 9 * Self.MB, "and not more than is needed: \(room)")
    #expect(disk.run(seconds: 3, rate: rate).isEmpty)
  }

  @Test func roomIsMadeAheadAndTheFilmGoesOn() {
    var disk = FillingDisk(space: SpaceGuard(marks: [.seconds(600)], full: .rotate), free: 1000 * Self.MB)
    disk.reclaimable = 5000 * Self.MB
    var made = 0
    for _ in 0..<3000 {
      for decision in disk.step(rate: Self.MB) {
        guard case .makeRoom(let target, let room) = decision else {
          Issue.record("\(decision)")
          continue
        }
        let bytes = target.bytes - room.freeBytes
        #expect(room.freeBytes > room.reserve, "before it is needed")
        #expect(bytes > 0)
        // What is recorded comes to be reclaimable.
        disk.free += bytes
        made += 1
      }
    }
    #expect((10...80).contains(made), "\(made)")
  }

  /// What is written becomes a film every four seconds; the oldest of them go.
  @Test(arguments: [30, 60, 1000], [200_000, 500_000, 1_000_000] as [Int64])
  func aDiskOfAnySizeIsRotatedForAsLongAsItTakes(megabytes: Int64, rate: Int64) {
    var disk = FillingDisk(space: SpaceGuard(marks: [], full: .rotate), free: megabytes * Self.MB)
    disk.expected = Double(2 * rate)
    var films: [Int64] = [], written: Int64 = 0
    for second in 1...5000 {
      let decisions = disk.step(rate: rate)
      written += rate
      if second.isMultiple(of: 4) {
        films.append(written)
        written = 0
      }
      disk.reclaimable = films.reduce(0, +)
      for decision in decisions {
        guard case .makeRoom(let target, let room) = decision else {
          Issue.record("\(second) s: \(decision)")
          return
        }
        let bytes = target.bytes - room.freeBytes
        var freed: Int64 = 0
        while freed < bytes, !films.isEmpty { freed += films.removeFirst() }
        disk.free += freed
        disk.reclaimable = films.reduce(0, +)
      }
      #expect(disk.free > 5 * rate)
    }
  }

  /// Two minutes never fit there. Without this rule nearly all films would go at once.
  @Test func aSmallDiskKeepsHalfOfItsFilms() throws {
    var disk = FillingDisk(space: SpaceGuard(marks: [], full: .rotate), free: 200 * Self.MB)
    _ = disk.run(seconds: 30, rate: Self.MB)
    (disk.free, disk.reclaimable) = (14 * Self.MB, 40 * Self.MB)
    guard case .makeRoom(let target, let room)? = disk.step(rate: 0).first else {
      return #expect(Bool(false), "no room is made")
    }
    let above = room.freeBytes + disk.reclaimable - room.reserve
    #expect(target.bytes == room.reserve + 2 * (above / 4), "\(target) of \(above) above \(room.reserve)")
  }

  @Test func whereNothingMayBeDeletedTheFilmEnds() {
    var disk = FillingDisk(space: SpaceGuard(marks: [], full: .rotate), free: 100 * Self.MB)
    let decisions = disk.run(seconds: 95, rate: Self.MB)
    #expect(decisions.count == 1)
    guard case .stop? = decisions.first else { return #expect(Bool(false), "\(decisions)") }
  }

  @Test func whereDeletingFreesNothingTheFilmEnds_whileItCanBeFinished() {
    var disk = FillingDisk(space: SpaceGuard(marks: [], full: .rotate), free: 200 * Self.MB)
    disk.reclaimable = 100_000 * Self.MB
    var room: SpaceGuard.Room?
    for _ in 0..<195 where room == nil {
      for case .stop(let now) in disk.step(rate: Self.MB) { room = now }
    }
    #expect(room.map { $0.freeBytes > 8 * Self.MB } == true, "\(String(describing: room))")
  }

  /// Another program takes the room: the films would be gone, and the recording ends all the same.
  @Test func whereAllFilmsTogetherDoNotSufficeNoneGoes_andTheFilmEnds() throws {
    var disk = FillingDisk(space: SpaceGuard(marks: [.bytes(30 * Self.MB)], full: .rotate), free: 200 * Self.MB)
    // Reserve 13.4 MB, and ten seconds of 1 MB.
    disk.reclaimable = 23 * Self.MB
    #expect(disk.run(seconds: 30, rate: Self.MB).isEmpty)
    disk.free = Self.MB / 10
    let decisions = disk.run(seconds: 4, rate: 0)
    #expect(marks(decisions) == [.bytes(30 * Self.MB)], "they are no room")
    guard decisions.count == 2, case .stop(let room)? = decisions.last else {
      return #expect(Bool(false), "\(decisions)")
    }
    #expect(room.secondsLeft == 0)
    disk = FillingDisk(space: SpaceGuard(marks: [], full: .rotate), free: 200 * Self.MB)
    disk.reclaimable = 24 * Self.MB
    _ = disk.run(seconds: 30, rate: Self.MB)
    disk.free = Self.MB / 10
    guard case .makeRoom(let target, let now)? = disk.step(rate: 0).first else {
      return #expect(Bool(false), "ten seconds are worth it")
    }
    #expect(target.least == now.reserve + Int64(10 * (now.bytesPerSecond ?? 0)))
  }

  /// The film is being finished; others that may go by now would be gone for nothing.
  @Test func forAFilmThatEndsNoneGoes() {
    var disk = FillingDisk(space: SpaceGuard(marks: [], full: .rotate), free: 200 * Self.MB)
    disk.reclaimable = 23 * Self.MB
    _ = disk.run(seconds: 30, rate: Self.MB)
    disk.free = Self.MB / 10
    guard case .stop? = disk.step(rate: 0).first else { return #expect(Bool(false), "it does not end") }
    #expect(disk.space.hasStopped)
    disk.reclaimable = 100 * Self.MB
    #expect(disk.run(seconds: 3, rate: 0).isEmpty)
    // The next one may have them.
    disk.isRecording = false
    _ = disk.step(rate: 0)
    disk.isRecording = true
    guard case .makeRoom? = disk.run(seconds: 30, rate: 1000).first else {
      return #expect(Bool(false), "no room is made for the next film")
    }
  }

  /// What file systems without a limit, and damaged numbers, come to.
  @Test func noNumberTraps() {
    let numbers: [Int64] = [.min, -1, 0, 1, 9_200_000_000_000_000_000, .max]
    let rates: [Double?] = [nil, .nan, -1, 0, 1e300, .infinity]
    for full in SpaceGuard.Full.allCases {
      var space = SpaceGuard(marks: [.seconds(60), .bytes(.max)], full: full), time = 0.0
      for free in numbers {
        for reclaimable in numbers {
          for rate in rates {
            for written in numbers {
              time += 1
              _ = space.look(
                SpaceGuard.Look(
                  time: time, freeBytes: free, reclaimableBytes: reclaimable, writtenBytes: written,
                  closingBytes: written, expectedBytesPerSecond: rate, isRecording: Int(time) % 13 != 0))
            }
          }
        }
      }
    }
    for rate in rates.compactMap(\.self) { #expect(SpaceGuard.needed(bytesPerSecond: rate) > 0) }
  }

  @Test func aFilmThatEndedForLackOfRoomIsNotFollowedAtOnce() {
    for rate in [0, 1e5, 5e6, 2e8] {
      #expect(SpaceGuard.needed(bytesPerSecond: rate) >= 2 * SpaceGuard.reserve(closing: 0, bytesPerSecond: rate))
    }
  }
}

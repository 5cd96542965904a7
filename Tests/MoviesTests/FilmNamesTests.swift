import Foundation
import Frames
import Movies
import Synchronization
import Testing

/// Names that nobody else has, and that sort as the films were made.
@Suite final class FilmNamesTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-names-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
  private func make(_ name: String) throws { try Data([1]).write(to: URL(fileURLWithPath: path(name))) }
  private func name(_ output: OutputPath) -> String { (output.path as NSString).lastPathComponent }

  private func numbered(_ pattern: String) -> FilmNames {
    FilmNames(pattern: path(pattern), isUTC: false, isNumbered: true, overwrite: false)
  }

  private func film(_ names: FilmNames, isFirst: Bool = false) throws -> OutputPath {
    let output = try names.film(isFirst: isFirst)
    names.claim(output.path)
    return output
  }

  @Test func segmentsCountOnFromFilmToFilm() throws {
    let names = numbered("take.mov")
    let first = try film(names, isFirst: true)
    let second = try names.segment(behind: first)
    names.begins(second.path)
    let third = try names.segment(behind: second)
    names.begins(third.path)
    let next = try film(names)
    #expect(
      [first, second, third, next].map(name) == ["take-0001.mov", "take-0002.mov", "take-0003.mov", "take-0004.mov"])
    #expect(next.container == .mov)
  }

  /// A segment is prepared seconds ahead; a recording that ends before leaves no hole in the numbers.
  @Test func aNumberWithoutAFrameIsGivenAgain() throws {
    let names = numbered("take.mov")
    let first = try film(names, isFirst: true)
    let unused = try names.segment(behind: first)
    names.givesBack(unused.path)
    #expect(name(try film(names)) == "take-0002.mov")
    // Only the latest: nothing sorts in front of a film that was made before it.
    let third = try film(names), fourth = try film(names)
    names.givesBack(third.path)
    #expect(try name(fourth) == "take-0004.mov" && name(film(names)) == "take-0005.mov")
    // A name that was used is never given again, also when its file was deleted.
    let used = try names.segment(behind: fourth)
    names.begins(used.path)
    names.givesBack(used.path)
    #expect(try name(used) == "take-0006.mov" && name(film(names)) == "take-0007.mov")
  }

  /// The film that continues a recording is named while the segment that was prepared for it still exists.
  @Test func aPreparedSegmentSharesItsNameWithTheNextFilm() throws {
    let names = numbered("take.mov")
    let first = try film(names, isFirst: true)
    try make("take-0001.mov")
    let unused = try names.segment(behind: first)
    try make("take-0002.mov")
    let next = try film(names)
    #expect(name(next) == "take-0002.mov")
    try FileManager.default.removeItem(atPath: unused.path)
    names.givesBack(unused.path)
    try make("take-0002.mov")
    #expect(name(try names.segment(behind: next)) == "take-0003.mov")
  }

  /// Its first frame comes first: the film finds the name taken.
  @Test func aPreparedSegmentThatBeginsKeepsItsName() throws {
    let names = numbered("take.mov")
    let first = try film(names, isFirst: true)
    try make("take-0001.mov")
    let second = try names.segment(behind: first)
    try make("take-0002.mov")
    #expect(name(try film(names)) == "take-0002.mov")
    names.begins(second.path)
    let third = try names.segment(behind: second)
    try make("take-0003.mov")
    let other = try #require(try names.another(isFirst: false))
    #expect(name(third) == "take-0003.mov" && name(other) == "take-0004.mov")
    names.givesBack(third.path)
    #expect(name(try names.segment(behind: other)) == "take-0005.mov")
  }

  @Test func numbersGoOnBehindWhatIsThereAndTakeNothing() throws {
    for name in ["take-0007.mov", "take-0009.mov.camrec", "take-12.mov", "take-0040.txt", "other-0100.mov"] {
      try make(name)
    }
    let names = numbered("take.mov")
    let first = try film(names, isFirst: true)
    #expect(name(first) == "take-0010.mov")
    try make("take-0011.mov")
    try FileManager.default.createSymbolicLink(atPath: path("take-0012.mov"), withDestinationPath: "/nowhere")
    #expect(name(try names.segment(behind: first)) == "take-0013.mov")
  }

  @Test func whatIsNotClaimedIsStillFree() throws {
    let names = numbered("take.mov")
    #expect(name(try names.film(isFirst: true)) == "take-0001.mov")
    #expect(name(try film(names)) == "take-0001.mov")
    #expect(name(try film(names)) == "take-0002.mov")
  }

  @Test func numbersGrowBeyondFourDigits() throws {
    try make("take-9999.mov")
    #expect(name(try film(numbered("take.mov"))) == "take-10000.mov")
  }

  /// A start that recorded nothing.
  @Test func aNameWithoutAFilmIsGivenAgain() throws {
    let names = FilmNames(pattern: path("take.mov"), isUTC: false, isNumbered: false, overwrite: false)
    let first = try film(names, isFirst: true)
    names.givesBack(first.path)
    #expect(name(try film(names)) == "take.mov")
    let second = try film(names), third = try film(names)
    names.givesBack(second.path)
    let fourth = try film(names)
    #expect(name(third) == "take-3.mov" && name(fourth) == "take-4.mov", "only the latest")
  }

  /// Another program has the first name, and the disk refuses a file of the second.
  @Test(arguments: [false, true]) func aSecondNameWithoutAFilmIsGivenAgain(isNumbered: Bool) throws {
    let names = FilmNames(pattern: path("take.mov"), isUTC: false, isNumbered: isNumbered, overwrite: false)
    let claim = FilmClaim(names), first = try names.film(isFirst: false)
    claim.take(first.path)
    try make(name(first))
    let second = try #require(try claim.another(isFirst: false))
    #expect(name(second) == (isNumbered ? "take-0002.mov" : "take-2.mov"))
    claim.giveBack()
    claim.giveBack()
    let next = try film(names)
    #expect(next.path == second.path)
    #expect(name(try film(names)) == (isNumbered ? "take-0003.mov" : "take-3.mov"))
  }

  @Test func filmsThatAreNotNumberedKeepTheirName() throws {
    let names = FilmNames(pattern: path("take.mov"), isUTC: false, isNumbered: false, overwrite: false)
    #expect(name(try film(names, isFirst: true)) == "take.mov")
    #expect(name(try film(names)) == "take-2.mov")
    #expect(name(try film(names)) == "take-3.mov")
  }

  /// Two films overlap where one camera follows another: each goes on under its own name.
  @Test func aFilmGoesOnUnderItsOwnName() throws {
    let clock = Mutex((date: Date(timeIntervalSince1970: 1_000_000_000), time: MonotonicTime(nanoseconds: 0)))
    let names = FilmNames(
      pattern: path("%H%M%S.mov"), isUTC: true, isNumbered: true, overwrite: false, now: { clock.withLock { $0 } })
    let old = try film(names, isFirst: true)
    clock.withLock { $0.date += 1 }
    let new = try film(names)
    #expect(name(old) == "014640-0001.mov" && name(new) == "014641-0001.mov")
    #expect(name(try names.segment(behind: old)) == "014640-0002.mov")
    #expect(name(try names.segment(behind: new)) == "014641-0002.mov")
  }

  @Test func aClockThatIsSetBackLeavesTheNamesInOrder() throws {
    let start = Date(timeIntervalSince1970: 1_780_000_000)
    let clock = Mutex((date: start, time: MonotonicTime(nanoseconds: 0)))
    let names = FilmNames(
      pattern: path("%Y-%m-%d_%H-%M-%S.mov"), isUTC: true, isNumbered: false, overwrite: false,
      now: { clock.withLock { $0 } })
    func next(_ seconds: Double, wall: Double) throws -> String {
      clock.withLock { $0 = (start + wall, MonotonicTime(nanoseconds: Int64(seconds * 1e9))) }
      return name(try film(names))
    }
    let all = [
      try next(0, wall: 0), try next(60, wall: 60), try next(120, wall: -3600 + 120), try next(180, wall: -3600 + 180),
      try next(7200, wall: 7200),
    ]
    #expect(all == all.sorted() && Set(all).count == 5)
    #expect(all[2].hasPrefix("2026-05-28_20-28-40"), "it goes on by the monotonic clock: \(all[2])")
  }

  /// A battery that is empty, and a time server that answers a minute later.
  @Test(arguments: [false, true])
  func aClockThatWasYearsAhead_leavesNoNamesBehind(isSynchronized: Bool) throws {
    let start = Date(timeIntervalSince1970: 1_780_000_000)
    let wrong = isSynchronized ? 5.0 * 86_400 : 10 * 365 * 86_400
    let clock = Mutex((date: start + wrong, time: MonotonicTime(nanoseconds: 0), isSynchronized: false))
    let names = FilmNames(
      pattern: path("%Y-%m-%d_%H-%M-%S.mov"), isUTC: true, isNumbered: false, overwrite: false,
      now: { clock.withLock { ($0.date, $0.time) } }, isSynchronized: { clock.withLock { $0.isSynchronized } })
    #expect(name(try film(names)) == (isSynchronized ? "2026-06-02_20-26-40.mov" : "2036-05-25_20-26-40.mov"))
    clock.withLock { $0 = (start + 60, MonotonicTime(nanoseconds: 60_000_000_000), isSynchronized) }
    #expect(name(try film(names)) == "2026-05-28_20-27-40.mov")
    // Set back by an hour while it is kept synchronised, it goes on.
    clock.withLock { $0 = (start - 3480, MonotonicTime(nanoseconds: 120_000_000_000), isSynchronized) }
    #expect(name(try film(names)) == "2026-05-28_20-28-40.mov")
  }

  /// It is opened beforehand. The names behind it follow the clock as if it had not been.
  @Test func aFilmWithATimeToCome_isNamedByThat() throws {
    let start = Date(timeIntervalSince1970: 1_780_000_000.25)
    func seconds(_ count: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: count * 1_000_000_000) }
    let clock = Mutex((date: start, time: seconds(0)))
    let names = FilmNames(
      pattern: path("%H-%M-%S.mov"), isUTC: true, isNumbered: false, overwrite: false,
      now: { clock.withLock { $0 } })
    let claim = FilmClaim(names), first = try names.film(isFirst: true, at: seconds(8))
    #expect(name(first) == "20-26-48.mov")
    claim.take(first.path)
    // It was stopped before it began.
    claim.giveBack()
    clock.withLock { $0 = (start + 2, seconds(2)) }
    #expect(name(try film(names)) == "20-26-42.mov")
    // A time that has just passed is now.
    clock.withLock { $0 = (start + 4, seconds(4)) }
    #expect(name(try names.film(isFirst: false, at: seconds(3))) == "20-26-44.mov")
    // Another program was faster.
    let third = try names.film(isFirst: false, at: seconds(12))
    claim.take(third.path)
    try make("20-26-52.mov")
    #expect(try claim.another(isFirst: false, at: seconds(12)).map(name) == "20-26-53.mov")
    #expect(name(third) == "20-26-52.mov")
  }

  @Test func namesOfLongAgoAreForgotten() {
    let names = FilmNames(pattern: path("take.mov"), isUTC: false, isNumbered: false, overwrite: false)
    for number in 0...FilmNames.mostTaken { names.claim(path("\(number).csv")) }
    #expect(names.free(path("0.csv")) == path("0.csv"))
    #expect(names.free(path("1.csv")) == path("1-2.csv"))
    #expect(names.free(path("\(FilmNames.mostTaken).csv")) == path("\(FilmNames.mostTaken)-2.csv"))
  }

  @Test func aNumberThatNobodyCountsToIsNotCountedOnFrom() throws {
    try make("take-9223372036854775807.mov")
    #expect(name(try film(numbered("take.mov"), isFirst: true)) == "take-0001.mov")
  }

  /// Another recorder creates the file between the choice of its name and its creation here.
  @Test func aNameThatIsTakenMeanwhileHasAnother() throws {
    let now = (date: Date(timeIntervalSince1970: 1_780_000_000.25), time: MonotonicTime(nanoseconds: 0))
    let timed = FilmNames(
      pattern: path("%H-%M-%S.mov"), isUTC: true, isNumbered: false, overwrite: false, now: { now })
    #expect(name(try film(timed, isFirst: true)) == "20-26-40.mov")
    try make("20-26-40.mov")
    #expect(try timed.another(isFirst: true).map(name) == "20-26-41.mov")
    let counted = numbered("take.mov")
    #expect(name(try film(counted, isFirst: true)) == "take-0001.mov")
    try make("take-0001.mov")
    #expect(try counted.another(isFirst: true).map(name) == "take-0002.mov")
    let plain = FilmNames(pattern: path("one.mov"), isUTC: true, isNumbered: false, overwrite: false)
    #expect(try plain.another(isFirst: true) == nil, "one name was meant")
  }

  /// "…-2.mov" would sort in front of "….mov".
  @Test func filmsOfOneSecondSortAsTheyWereMade() throws {
    let now = (date: Date(timeIntervalSince1970: 1_780_000_000.25), time: MonotonicTime(nanoseconds: 0))
    let names = FilmNames(
      pattern: path("%H-%M-%S.mov"), isUTC: true, isNumbered: false, overwrite: false, now: { now })
    var all: [String] = []
    for _ in 0..<5 {
      let film = try film(names)
      names.claim(film.path)
      all.append(name(film))
    }
    #expect(all == (0..<5).map { "20-26-4\($0).mov" })
    // Another recorder's are there already.
    let others = FilmNames(
      pattern: path("%H-%M-%S.mov"), isUTC: true, isNumbered: false, overwrite: false, now: { now })
    try make("20-26-40.mov")
    try make("20-26-41.mov")
    #expect(name(try film(others)) == "20-26-42.mov")
  }

  /// A name that is looked for but not used, as for a film in standby, or that takes the next second, puts no later
  /// film into the future.
  @Test func aNameOfTheNextSecondLeavesLaterNamesTheirTime() throws {
    let start = Date(timeIntervalSince1970: 1_780_000_000.25)
    let clock = Mutex((date: start, time: MonotonicTime(nanoseconds: 0)))
    let names = FilmNames(
      pattern: path("%H-%M-%S.mov"), isUTC: true, isNumbered: false, overwrite: false,
      now: { clock.withLock { $0 } })
    func look(_ seconds: Double) throws -> OutputPath {
      clock.withLock { $0 = (start + seconds, MonotonicTime(nanoseconds: Int64(seconds * 1e9))) }
      return try names.film(isFirst: false)
    }
    func film(_ seconds: Double) throws -> String {
      let output = try look(seconds)
      names.claim(output.path)
      return name(output)
    }
    #expect(try film(0) == "20-26-40.mov")
    // The film that stands by from now on.
    #expect(try name(look(0.5)) == "20-26-41.mov")
    #expect(try name(look(0.5)) == "20-26-41.mov")
    #expect(try film(4) == "20-26-44.mov")
    // Two films in one second: the clock catches up.
    #expect(try film(4.5) == "20-26-45.mov")
    #expect(try film(5) == "20-26-46.mov")
    #expect(try film(7) == "20-26-47.mov")
    // Names that become free again are passed.
    for taken in ["20-26-50.mov", "20-26-51.mov"] { try make(taken) }
    #expect(try film(10) == "20-26-52.mov")
    for taken in ["20-26-50.mov", "20-26-51.mov"] { try FileManager.default.removeItem(atPath: path(taken)) }
    #expect(try film(10.5) == "20-26-53.mov")
    #expect(try film(14) == "20-26-54.mov")
  }

  /// A recorder that is started again in the second in which it ended, or two that are started together.
  @Test func firstFilmOfASecondThatIsTakenHasTheNextOne() throws {
    let now = (date: Date(timeIntervalSince1970: 1_780_000_000.25), time: MonotonicTime(nanoseconds: 0))
    func first(_ pattern: String, overwrite: Bool = false) throws -> String {
      let names = FilmNames(pattern: path(pattern), isUTC: true, isNumbered: false, overwrite: overwrite, now: { now })
      return name(try film(names, isFirst: true))
    }
    try make("20-26-40.mov")
    #expect(try first("%H-%M-%S.mov") == "20-26-41.mov")
    #expect(try first("%H-%M-%S.mov", overwrite: true) == "20-26-40.mov")
    // The next minute's name is that minute's.
    try make("20-26.mov")
    #expect(try first("%H-%M.mov") == "20-26-2.mov")
    try make("20-26-2.mov")
    #expect(try first("%H-%M.mov") == "20-26-3.mov")
    // Who names no time means this film.
    try make("take%.mov")
    #expect(throws: CamrecError.self) { try first("take%%.mov") }
  }

  /// A number that nothing comes behind any more, or that somebody has made up, ends no recording.
  @Test(arguments: [
    ("take-999999999999999.mov", ["take-0001.mov", "take-0002.mov"]),
    ("take-99999999999999999999999999.mov", ["take-0001.mov", "take-0002.mov"]),
    ("take-999999999999998.mov", ["take-999999999999999.mov", "take-1000000000000000.mov"]),
  ])
  func theHighestNumberEndsNoRecording(there: String, next: [String]) throws {
    try make(there)
    for expected in next {
      // Each a recorder of its own, which knows of the others by the files alone.
      let names = numbered("take.mov")
      let first = try film(names, isFirst: true)
      #expect(name(first) == expected)
      try make(expected)
    }
    let names = numbered("take.mov")
    let first = try film(names, isFirst: true)
    try make(name(first))
    #expect(try FileManager.default.fileExists(atPath: names.segment(behind: first).path) == false)
  }

  /// Where a film is deleted while it is recorded, it goes on there.
  @Test func aFilmThatIsNotNumberedGoesOnWithANumber() throws {
    let names = FilmNames(pattern: path("take.mov"), isUTC: false, isNumbered: false, overwrite: false)
    let first = try film(names, isFirst: true)
    let second = try names.segment(behind: first)
    #expect(name(second) == "take-2.mov")
    #expect(try name(names.segment(behind: first)) == "take-3.mov", "the second one is claimed")
  }

  /// NTP, people, a battery that is empty: whatever the clock does while a recorder runs.
  @Test(arguments: [false, true], [1, 2, 3])
  func namesSortAsTheFilmsWereMade_howeverTheClockJumps(isNumbered: Bool, seed: UInt64) throws {
    let start = Date(timeIntervalSince1970: 1_780_000_000)
    let clock = Mutex((date: start, time: MonotonicTime(nanoseconds: 0)))
    let names = FilmNames(
      pattern: path("%Y-%m-%d_%H-%M-%S.mov"), isUTC: true, isNumbered: isNumbered, overwrite: false,
      now: { clock.withLock { $0 } })
    var random = seed, all: [String] = []
    func next(_ most: UInt64) -> Double {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double((random >> 33) % most)
    }
    for count in 0..<200 {
      let seconds = 1 + next(600)
      // Half of the films follow a jump, of up to a day each way.
      let jump = count % 2 == 0 ? next(172_800) - 86_400 : 0
      clock.withLock {
        $0.time = $0.time.advanced(by: Int64(seconds * 1e9))
        $0.date += seconds + jump
      }
      let first = try self.film(names)
      try make(name(first))
      all.append(name(first))
    }
    #expect(all == all.sorted() && Set(all).count == 200)
  }

  @Test func patternsMeanUTCWhereThatIsAskedFor() throws {
    let date = Date(timeIntervalSince1970: 1792891200)
    #expect(
      try OutputPath(pattern: "%Y-%m-%d_%H-%M-%S%z.mov", date: date, isUTC: true).path == "2026-10-25_01-20-00+0000.mov"
    )
    let local = try OutputPath(pattern: "%z.mov", date: date).path
    #expect(local.wholeMatch(of: /[+-]\d{4}\.mov/) != nil)
  }

  @Test(arguments: [("films/%D.mov", "%D.mov"), ("%Y/../../take.mov", ".."), ("%Y/./take.mov", ".")])
  func aPatternStaysInItsFolder(pattern: String, part: String) {
    let error = #expect(throws: CamrecError.self) {
      try OutputPath(pattern: pattern, date: Date(timeIntervalSince1970: 0))
    }
    #expect(error?.code == .usage)
    #expect(error?.message.hasPrefix("the output's '\(part)' becomes '") == true)
    #expect(
      error?.message.hasSuffix("which leads out of the folder; use patterns without a /, as in %Y-%m-%d_%H-%M-%S")
        == true)
  }

  @Test func whatPeopleWriteThemselvesIsTheirs() throws {
    #expect(
      try OutputPath(pattern: "../%Y.mov", date: Date(timeIntervalSince1970: 1e9), isUTC: true).path == "../2001.mov")
    #expect(try OutputPath(pattern: "../../take.mov", date: Date()).path == "../../take.mov")
    #expect(try OutputPath(pattern: "100%%.mov", date: Date()).path == "100%.mov")
  }
}

@Suite struct FileSizeLimitTests {
  /// As proc(5) prints it, with optional fields and without.
  private static let mounts = """
    36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
    37 35 8:17 / /media/card rw shared:5 master:2 - vfat /dev/sdb1 rw,fmask=0022
    38 35 0:44 / /run rw - tmpfs tmpfs rw
    39 35 8:18
    """

  @Test func aFileSystemIsFoundByItsDevice() {
    #expect(FileSizeLimit.fileSystem(ofDevice: "8:17", mounts: Self.mounts) == "vfat")
    #expect(FileSizeLimit.fileSystem(ofDevice: "98:0", mounts: Self.mounts) == "ext3")
    #expect(FileSizeLimit.fileSystem(ofDevice: "0:44", mounts: Self.mounts) == "tmpfs")
    #expect(FileSizeLimit.fileSystem(ofDevice: "8:18", mounts: Self.mounts) == nil)
    #expect(FileSizeLimit.fileSystem(ofDevice: "8:1", mounts: Self.mounts) == nil)
  }

  @Test func nothingLimitsAFileHere() { #expect(FileSizeLimit.bytes(beside: "/tmp/take.mov") == nil) }
}

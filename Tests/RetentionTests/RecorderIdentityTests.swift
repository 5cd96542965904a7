import Foundation
import Frames
import Retention
import Testing

/// Several recorders of one name in one folder.
@Suite struct RecorderIdentityTests {
  private let place: Place
  private let one = RetentionLimits(count: 1)

  init() throws { place = try Place() }

  private func work(_ service: RetentionService, after seconds: Double = 61) {
    place.uptime += seconds
    service.work(beside: "\(place.path)/next.mov")
  }

  private func end(_ service: RetentionService) { service.end(beside: "\(place.path)/next.mov") }

  private func id(_ service: RetentionService) throws -> String? { try service.withFolder { $0.ownID } ?? nil }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [])
      .filter { $0.hasPrefix(".camrec-recorder-") }.sorted()
  }

  /// What was said of films of recorders that have ended.
  private var said: [RetentionNotice] {
    place.notices.filter {
      switch $0 {
      case .willAdopt, .adopted: true
      default: false
      }
    }
  }

  /// Films of a recorder that has ended; it leaves its file.
  private func leave(
    _ count: Int, _ pattern: String, machine: String = "", isRestarted: Bool = false, first: Int = 1
  ) throws {
    let service = place.service(pattern: pattern, machine: machine, isRestarted: isRestarted)
    for index in first..<(first + count) { try place.record("\(pattern)_\(index).mov", by: service) }
  }

  @Test(arguments: ["left", "right"])
  func eachThatLivesKeepsItsNewest_alsoOfOnePattern(pattern: String) throws {
    let left = place.service(one, pattern: "left"), right = place.service(one, pattern: pattern)
    for index in 1...3 {
      try place.record("left_\(index).mov", by: left)
      try place.record("right_\(index).mov", by: right)
    }
    try place.record("left_4.mov", by: left)
    #expect(place.films == ["left_4.mov", "right_3.mov"])
    // Nor does the room that a recording needs cost one its newest film.
    left.makeRoom(RoomTarget(bytes: 110, least: 110), beside: "\(place.path)/next.mov")
    #expect(place.films == ["left_4.mov", "right_3.mov"])
    #expect(files.count == 2 && said.isEmpty)
  }

  @Test func oneThatIsStartedAgainHasItsIdentityAndItsFilms() throws {
    try leave(3, "take")
    let service = place.service(one, pattern: "take")
    work(service, after: 1)
    #expect(place.films == ["take_3.mov"] && said.isEmpty && files.count == 1)
  }

  @Test func twoOfOnePatternTakeOneIdentityEach() throws {
    var ids: [String?] = []
    for _ in 1...2 {
      let services = (1...2).map { _ in place.service(pattern: "take") }
      for (index, service) in services.enumerated() { try place.record("\(UUID())-\(index).mov", by: service) }
      ids += try services.map(id)
    }
    #expect(Set(ids).count == 2 && !ids.contains(nil) && files.count == 2)
  }

  /// While their folder is away, neither holds its file there.
  @Test(arguments: [false, true])
  func twoOfOnePatternHaveTheirFilmsAgain_whenTheirFolderIsBack(isReversed: Bool) throws {
    let left = place.service(one, pattern: "take"), right = place.service(pattern: "take")
    try place.record("left_1.mov", by: left)
    for index in 1...3 { try place.record("right_\(index).mov", by: right) }
    let ids = try [left, right].map(id), away = place.path + "-away"
    try FileManager.default.moveItem(atPath: place.path, toPath: away)
    try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: false)
    for service in [left, right] { work(service) }
    try FileManager.default.removeItem(atPath: place.path)
    try FileManager.default.moveItem(atPath: away, toPath: place.path)
    for service in isReversed ? [right, left] : [left, right] { work(service) }
    #expect(try [left, right].map(id) == ids)
    #expect(place.films == ["left_1.mov", "right_1.mov", "right_2.mov", "right_3.mov"] && files.count == 2)
  }

  @Test func aChangedOutputStrandsNoFilm() throws {
    try leave(3, "old")
    let service = place.service(one, pattern: "new")
    try place.record("new_1.mov", by: service)
    #expect(said == [.willAdopt(films: 3, pattern: "old", seconds: 60)] && place.films.count == 4)
    work(service)
    #expect(said.last == .adopted(films: 3, pattern: "old"))
    #expect(place.films == ["new_1.mov"] && files.count == 1)
    work(service)
    #expect(said.count == 2)
  }

  @Test func aShortRecordingTakesThemOnAtItsEnd_andSoDoesTheNext() throws {
    for index in 1...3 {
      let service = place.service(one, pattern: "take-\(index)")
      try place.record("take-\(index).mov", by: service)
      end(service)
      #expect(place.films == ["take-\(index).mov"] && files.count == 1)
    }
  }

  /// A power cut, and a script that starts both again.
  @Test func oneThatIsStartedALittleLaterKeepsItsFilms() throws {
    try leave(3, "left")
    try leave(3, "right")
    let left = place.service(one, pattern: "left")
    try place.record("left_4.mov", by: left)
    #expect(place.films == ["left_4.mov", "right_1.mov", "right_2.mov", "right_3.mov"])
    // It has ended again before the other one looks.
    place.uptime += 30
    try leave(1, "right", first: 4)
    work(left)
    work(left, after: 1000)
    end(left)
    #expect(place.films == ["left_4.mov", "right_1.mov", "right_2.mov", "right_3.mov", "right_4.mov"])
  }

  /// Its folder was moved away and back in between: what ended meanwhile is not what had ended before.
  @Test func whatEndsWhileARecorderLives_isNotTakenOnByItsEnd() throws {
    let left = place.service(one, pattern: "left")
    try place.record("left_1.mov", by: left)
    try leave(2, "right")
    let away = place.path + "-away"
    try FileManager.default.moveItem(atPath: place.path, toPath: away)
    try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: false)
    work(left, after: 61)
    try FileManager.default.removeItem(atPath: place.path)
    try FileManager.default.moveItem(atPath: away, toPath: place.path)
    work(left, after: 61)
    end(left)
    #expect(place.films == ["left_1.mov", "right_1.mov", "right_2.mov"])
  }

  /// Its beginning is entered when the folder is back, and what happens to it elsewhere before that.
  @Test func aFilmWhoseFolderIsAwayAsItBegins_staysItsRecorders() throws {
    let left = place.service(one, pattern: "left", folder: place.path)
    let right = place.service(one, pattern: "right", folder: place.path)
    try place.record("left_1.mov", by: left)
    try place.record("right_1.mov", by: right)
    let away = place.path + "-away", film = "\(place.path)/left_2.mov", moved = "\(away)/left_2.mov"
    try Data("0123456789".utf8).write(to: URL(fileURLWithPath: film))
    // Whoever writes a film has its lock.
    let lock = open(film, O_RDWR | O_CLOEXEC)
    flock(lock, LOCK_EX | LOCK_NB)
    try FileManager.default.moveItem(atPath: place.path, toPath: away)
    left.began(film)
    work(left, after: 1)
    left.renamed(from: film, to: moved)
    left.work(beside: moved)
    try FileManager.default.moveItem(atPath: away, toPath: place.path)
    left.renamed(from: moved, to: film)
    work(left, after: 1)
    // Away once more, and finished there, where this recorder has no identity.
    try FileManager.default.moveItem(atPath: place.path, toPath: away)
    left.renamed(from: film, to: moved)
    close(lock)
    left.finished(.init(path: moved, seconds: 1, frames: 24, lost: 0))
    left.work(beside: moved)
    try FileManager.default.moveItem(atPath: away, toPath: place.path)
    try place.record("right_2.mov", by: right)
    work(left, after: 1)
    #expect(place.films == ["left_2.mov", "right_2.mov"])
  }

  /// It records without limits and hook, into a folder whose films others look after.
  @Test func oneWithoutLimitsKeepsWhatItsPatternHasThere_andEntersNothing() throws {
    try leave(2, "right")
    var right: RetentionService? = place.service(pattern: "right", entersFilms: false)
    work(try #require(right))
    try place.record("right_3.mov", by: try #require(right))
    var left: RetentionService? = place.service(one, pattern: "left")
    try place.record("left_1.mov", by: try #require(left))
    for _ in 1...3 {
      work(try #require(right))
      work(try #require(left), after: 1000)
    }
    #expect(place.films == ["left_1.mov", "right_1.mov", "right_2.mov", "right_3.mov"] && files.count == 2)
    #expect(said.isEmpty)
    end(try #require(right))
    right = nil
    work(try #require(left), after: 1000)
    end(try #require(left))
    left = nil
    #expect(place.films.count == 4, "it lived while the other one did")
    let next = place.service(one, pattern: "next")
    try place.record("next_1.mov", by: next)
    work(next)
    #expect(place.films == ["next_1.mov", "right_3.mov"], "what was not entered is nobody's to delete")
  }

  @Test func oneThatSomebodyStartsAgainIsWaitedForLonger_andOneOfAnotherMachineADay() throws {
    try leave(2, "rig", isRestarted: true)
    try leave(2, "far", machine: "other")
    let service = place.service(one, pattern: "new")
    try place.record("new_1.mov", by: service)
    work(service, after: 590)
    #expect(place.films.count == 5)
    work(service)
    #expect(place.films == ["far_1.mov", "far_2.mov", "new_1.mov"])
    work(service, after: 86400)
    #expect(place.films == ["new_1.mov"])
  }

  @Test func filmsOfAPatternThatSomebodyHasAreHisToTakeOn() throws {
    var both: [RetentionService]? = (1...2).map { _ in place.service(pattern: "left") }
    for (index, service) in (both ?? []).enumerated() { try place.record("left_\(index).mov", by: service) }
    both = nil
    let left = place.service(one, pattern: "left"), other = place.service(one, pattern: "other")
    work(left, after: 1)
    for _ in 1...3 { work(other, after: 1000) }
    #expect(place.films.count == 2)
    work(left)
    #expect(place.films == ["left_1.mov"])
  }

  @Test func aFileThatSomebodyRemovesIsThereAgain() throws {
    let left = place.service(one, pattern: "left"), right = place.service(one, pattern: "right")
    try place.record("left_1.mov", by: left)
    try place.record("right_1.mov", by: right)
    let before = files
    for file in before { try FileManager.default.removeItem(atPath: "\(place.path)/\(file)") }
    for _ in 1...20 {
      work(left)
      work(right)
    }
    #expect(place.films == ["left_1.mov", "right_1.mov"] && files == before)
  }

  @Test func whatHasNoFilmsLeavesNothing() throws {
    let service = place.service(pattern: "take")
    work(service)
    #expect(files.count == 1)
    end(service)
    #expect(files.isEmpty)
    // One that was killed.
    var other: RetentionService? = place.service(pattern: "other")
    work(try #require(other))
    other = nil
    try FileManager.default.createDirectory(
      atPath: "\(place.path)/.camrec-recorder-\(UUID())", withIntermediateDirectories: false)
    try Data("notes".utf8).write(to: URL(fileURLWithPath: "\(place.path)/.camrec-recorder-notes"))
    #expect(files.count == 3)
    try place.record("take.mov", by: place.service(pattern: "take"))
    #expect(files.count == 3, "its own, and what is none")
  }

  @Test func oneThatHasRecordedNothingTakesOnNothingWhenItEnds() throws {
    try leave(3, "right")
    let left = place.service(one, pattern: "left")
    work(left, after: 1)
    end(left)
    #expect(place.films.count == 3 && files.count == 1)
  }

  /// The disk is full, or this user may make no files there.
  @Test func oneThatCanMakeNoFileSaysSo_countsByName_andHasItsIdentityOnceItCan() throws {
    try leave(2, "old")
    let right = place.service(pattern: "right")
    try place.record("right_1.mov", by: right)
    place.makesFiles = false
    let left = place.service(one, pattern: "left")
    try place.record("left_1.mov", by: left)
    let error = place.notices.compactMap { if case .noIdentity(let error) = $0 { error } else { nil } }.first
    #expect(error?.message.hasPrefix("cannot tell this recorder from others of its name in '\(place.path)'") == true)
    #expect(place.films == ["left_1.mov", "right_1.mov"], "none of one that lives")
    place.makesFiles = true
    work(left)
    #expect(try id(left) != nil)
    work(right)
    #expect(place.films == ["left_1.mov", "right_1.mov"] && files.count == 2)
  }

  @Test func filmsWithoutAnIdentityCountByName() throws {
    place.hasLocks = false
    try leave(3, "old")
    #expect(files.isEmpty)
    place.hasLocks = true
    let service = place.service(one, pattern: "new")
    work(service)
    #expect(place.films == ["old_3.mov"])
    try place.record("new_1.mov", by: service)
    #expect(place.films == ["new_1.mov"] && said.isEmpty)
  }

  @Test func aHookIsRunByName_butForNoneThatHasItsOwn() throws {
    var left: RetentionService? = place.service(hasHook: true, pattern: "left")
    try place.record("left_1.mov", by: try #require(left))
    let right = place.service(hasHook: true, pattern: "right")
    try place.record("right_1.mov", by: right)
    func due() throws -> [String]? {
      let moment = Moment(boot: "one", uptime: place.uptime, time: 0, isSynchronized: false)
      return try right.withFolder { (folder) throws(CamrecError) in
        try folder.entriesForOwnHook(at: moment).map(\.film.film)
      }
    }
    #expect(try due() == ["right_1.mov"])
    left = nil
    #expect(try due() == ["left_1.mov", "right_1.mov"], "no hook waits for a pattern that is gone")
  }
}

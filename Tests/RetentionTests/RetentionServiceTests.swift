import Foundation
import Frames
import Movies
import Retention
import Synchronization
import Testing

extension DiskSpace {
  fileprivate func adding(_ bytes: Int64) -> DiskSpace { DiskSpace(free: free + bytes, total: total) }
}

/// A folder of real films on a disk that exists in numbers.
final class Place: @unchecked Sendable {
  let path: String
  var space: DiskSpace? = DiskSpace(free: 100, total: 1000)
  var uptime = 1000.0
  var frees = true
  /// Bytes of a deleted film that show as free at once; the others do three seconds later.
  var early: Int64 = .max
  private var late: [(at: Double, bytes: Int64)] = []
  var notices: [RetentionNotice] = []
  var hasLocks = true
  /// No recorder can have a file of its own.
  var makesFiles = true

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("place-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var films: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".mov") }.sorted()
  }

  func service(
    _ limits: RetentionLimits = RetentionLimits(), of recorder: String = "front", hasHook: Bool = false,
    pattern: String = "", machine: String = "", isRestarted: Bool = false, entersFilms: Bool = true,
    folder: String? = nil
  ) -> RetentionService {
    notices = []
    return RetentionService(
      .init(
        limits: limits, recorder: recorder, hasHook: hasHook, pattern: pattern, machine: machine,
        isRestarted: isRestarted, entersFilms: entersFilms, folder: folder),
      ports: RetentionPorts(
        space: { [unowned self] _ in
          space.map { $0.adding(late.filter { $0.at <= uptime }.reduce(0) { $0 + $1.bytes }) }
        },
        moment: { [unowned self] in Moment(boot: "one", uptime: uptime, time: 0, isSynchronized: true) },
        pause: { [unowned self] in uptime += $0 },
        inspect: { _, _ in FilmInspection(state: .whole) }, start: { _ in nil },
        say: { [unowned self] notice in
          notices.append(notice)
          if case .deleted(let film, _) = notice, frees, let now = space {
            space = now.adding(min(film.bytes, early))
            if film.bytes > early { late.append((uptime + 3, film.bytes - early)) }
          }
        }, system: RefusingFolder { [unowned self] in
          $0 == .lock && !hasLocks ? ENOLCK : $0 == .create && !makesFiles ? ENOSPC : nil
        }))
  }

  /// A film of ten bytes.
  func record(_ name: String, by service: RetentionService) throws {
    uptime += 1
    try Data("0123456789".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    service.finished(.init(path: "\(path)/\(name)", seconds: 1, frames: 24, lost: 0))
    service.work(beside: "\(path)/next.mov")
  }

  func fill(_ count: Int, by recorder: String = "front", hasHook: Bool = false) throws {
    let service = service(of: recorder, hasHook: hasHook)
    for index in 1...count { try record("\(recorder)-\(index).mov", by: service) }
  }

  func admit(_ service: RetentionService, _ needed: Int64) -> Int64? {
    service.admit("\(path)/next.mov", needed: needed, bytesPerSecond: 1, mayDelete: true)
  }
}

@Suite struct RetentionServiceTests {
  /// A film has its index some moments before its recorder tells its end, which says more than its file.
  @Test func aFilmOfThisProcessIsEnteredAsItsEndIsTold() throws {
    let place = try Place(), service = place.service(), next = "\(place.path)/next.mov"
    let films = ["told.mov", "untold.mov"].map { "\(place.path)/\($0)" }
    func frames() throws -> [Int64] {
      try service.withFolder { (folder) throws(CamrecError) in
        try folder.entries(at: service.moment()).map(\.film.frames)
      } ?? []
    }
    for film in films {
      service.began(film)
      try Data("0123456789".utf8).write(to: URL(fileURLWithPath: film))
    }
    service.work(beside: next)
    place.uptime += 61
    service.work(beside: next)
    #expect(try frames() == [])
    service.finished(.init(path: films[0], seconds: 1, frames: 24, lost: 0))
    service.work(beside: next)
    #expect(try frames() == [24])
    // What its file says is all there is.
    service.abandoned(films[1])
    place.uptime += 61
    service.work(beside: next)
    #expect(try frames() == [24, 0] || frames() == [0, 24])
  }

  /// Snapshots, files that are held open, quotas.
  @Test func whereNothingIsFreedOneFilmGoes_andNoneAtTheNextStarts() throws {
    let place = try Place()
    try place.fill(8)
    place.frees = false
    for start in 1...5 {
      let service = place.service()
      #expect(place.admit(service, 115) == 100, "start \(start)")
      #expect(place.films.count == 7, "start \(start)")
      #expect(place.notices.contains { if case .inVain = $0 { true } else { false } }, "start \(start)")
      #expect(service.reclaimableBytes == 0)
      service.makeRoom(RoomTarget(bytes: 130, least: 120), beside: "\(place.path)/next.mov")
    }
    // The snapshot is gone.
    place.frees = true
    place.space = DiskSpace(free: 107, total: 1000)
    #expect(place.admit(place.service(), 125) == nil)
    #expect(place.films.count == 5)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).allSatisfy { !$0.contains("in-vain") })
  }

  @Test func aShortfallThatFilmsCannotMakeUpDeletesNone() throws {
    let place = try Place()
    try place.fill(8)
    #expect(place.admit(place.service(), 171) == 100)
    #expect(place.films.count == 8)
    #expect(place.admit(place.service(), 170) == nil)
    #expect(place.films == ["front-8.mov"], "the newest stays")
  }

  @Test func filmsToRelease_areThoseThatCouldGoWithoutTheirKeepMarks() throws {
    let place = try Place()
    try place.fill(4)
    for film in ["front-1.mov", "front-4.mov"] {
      try Data().write(to: URL(fileURLWithPath: "\(place.path)/\(film).keep"))
    }
    let service = place.service()
    #expect(place.admit(service, 200) == 100 && place.films.count == 4)
    #expect(service.reclaimableBytes == 20)
    let kept = service.keptFilms
    #expect(kept.count == 1 && kept.bytes == 10, "the newest stays in any case")
  }

  @Test func roomThatFilmsCannotMakeDeletesNone_butTenSecondsOfFilmAreWorthIt() throws {
    let place = try Place(), next = "\(place.path)/next.mov"
    try place.fill(8)
    let service = place.service()
    service.makeRoom(RoomTarget(bytes: 300, least: 171), beside: next)
    #expect(place.films.count == 8 && service.reclaimableBytes == 70)
    // Not all that is aimed for, and enough to go on.
    service.makeRoom(RoomTarget(bytes: 300, least: 170), beside: next)
    #expect(place.films == ["front-8.mov"])
  }

  /// The recording has ended while another recorder had the catalogue, or while films were being deleted.
  @Test func noFilmGoesForARecordingThatHasEnded() throws {
    let place = try Place()
    try place.fill(5)
    let service = place.service()
    let next = "\(place.path)/next.mov"
    service.makeRoom(RoomTarget(bytes: 140, least: 120), beside: next) { false }
    #expect(place.films.count == 5)
    service.makeRoom(RoomTarget(bytes: 140, least: 120), beside: next) { place.films.count > 3 }
    #expect(place.films.count == 3)
  }

  /// Others take the room meanwhile: those that are left do not suffice any more.
  @Test func beforeEachDeletionItIsSeenWhetherThoseThatAreLeftSuffice() throws {
    let place = try Place(), next = "\(place.path)/next.mov"
    try place.fill(8)
    place.early = 6
    place.service().makeRoom(RoomTarget(bytes: 300, least: 167), beside: next)
    #expect(place.films.count == 7)
  }

  @Test func roomThatADeletionHasMadeCountsBeforeTheNextOne() throws {
    let place = try Place(), next = "\(place.path)/next.mov"
    try place.fill(8)
    // Half of it shows at once, which is proof.
    place.early = 5
    let service = place.service()
    for _ in 1...3 { service.makeRoom(RoomTarget(bytes: 110, least: 105), beside: next) }
    #expect(place.films.count == 7)
    #expect(place.admit(service, 120) == nil, "a new film waits until it shows")
    #expect(place.films.count == 6)
    // What goes for another limit is room, too.
    place.uptime += 100
    let other = place.service(RetentionLimits(count: 5, freeBytes: 130))
    other.work(beside: next)
    #expect(place.films.count == 5)
    place.uptime += 100
    other.work(beside: next)
    #expect(place.films.count == 5)
  }

  /// Short segments: a film goes every few seconds, so that there is always one that has just made room.
  @Test func whatOthersWriteIsMadeUpFor_howeverOftenFilmsGo() throws {
    let place = try Place()
    try place.fill(30)
    let service = place.service(RetentionLimits(freeBytes: 130))
    for number in 31...36 {
      place.space = place.space?.adding(-30)
      try place.record("front-\(number).mov", by: service)
      #expect(place.space?.free == 130, "film \(number)")
    }
  }

  /// The same where half of a film's room shows three seconds later.
  @Test func roomThatShowsLater_isNotMadeTwice_whateverOthersWrite() throws {
    let place = try Place()
    try place.fill(20)
    place.early = 5
    let service = place.service(RetentionLimits(freeBytes: 130))
    try place.record("front-21.mov", by: service)
    #expect(place.films.count == 18, "thirty bytes were missing")
    place.space = place.space?.adding(-10)
    try place.record("front-22.mov", by: service)
    #expect(place.films.count == 18, "one more film for one that somebody has written")
    place.uptime += 60
    service.work(beside: "\(place.path)/next.mov")
    #expect(place.films.count == 18)
  }

  @Test func withoutLocksOthersFilmsAreNoRoom() throws {
    let place = try Place(), next = "\(place.path)/next.mov"
    try place.fill(4, by: "side")
    try place.fill(4)
    place.hasLocks = false
    let service = place.service()
    service.makeRoom(RoomTarget(bytes: 140, least: 140), beside: next)
    #expect(place.films.count == 8 && service.reclaimableBytes == 30)
    #expect(place.admit(service, 140) == 100 && place.films.count == 8)
    service.makeRoom(RoomTarget(bytes: 140, least: 130), beside: next)
    #expect(place.films.filter { $0.hasPrefix("front") } == ["front-4.mov"] && place.films.count == 5)
  }

  @Test func filmsThatAreInUseAreNoRoom() throws {
    let place = try Place(), next = "\(place.path)/next.mov"
    try place.fill(4)
    let user = open("\(place.path)/front-2.mov", O_RDONLY)
    #expect(flock(user, LOCK_SH) == 0)
    let service = place.service()
    service.makeRoom(RoomTarget(bytes: 130, least: 130), beside: next)
    #expect(place.films.count == 4)
    close(user)
    service.makeRoom(RoomTarget(bytes: 130, least: 130), beside: next)
    #expect(place.films.count == 1)
  }

  @Test func whatWasWrittenBeforeADeletionDoesNotProveIt() throws {
    let place = try Place()
    try place.fill(6)
    place.frees = false
    let service = place.service(), next = "\(place.path)/next.mov"
    service.work(beside: next, writtenBytes: 0)
    // A film that has grown since.
    for _ in 1...3 {
      service.makeRoom(RoomTarget(bytes: 120, least: 110), beside: next, writtenBytes: 20)
      service.work(beside: next, writtenBytes: 20)
      place.uptime += 60
    }
    #expect(place.films.count == 5)
  }

  @Test func aSecondRecorderDoesNotTryWhatWasInVain() throws {
    let place = try Place()
    try place.fill(4)
    try place.fill(4, by: "side")
    place.frees = false
    #expect(place.admit(place.service(), 115) == 100)
    #expect(place.admit(place.service(of: "side"), 115) == 100)
    #expect(place.films.count == 7)
  }

  /// Also under another name.
  @Test func aFilmIsEnteredWithItsOwnUUID() throws {
    let place = try Place(), service = place.service(), id = "5f3c0c6e-9d53-4a66-b1a4-0f4e2a3b7c0d"
    try Data("0123456789".utf8).write(to: URL(fileURLWithPath: "\(place.path)/a.mov"))
    let recorder = try FileHandle(forUpdating: URL(fileURLWithPath: "\(place.path)/a.mov"))
    #expect(flock(recorder.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    service.began("\(place.path)/a.mov", id: id)
    service.work(beside: "\(place.path)/a.mov")
    try FileManager.default.moveItem(atPath: "\(place.path)/a.mov", toPath: "\(place.path)/b.mov")
    service.renamed(from: "\(place.path)/a.mov", to: "\(place.path)/b.mov")
    service.work(beside: "\(place.path)/b.mov")
    try recorder.close()
    let folder = try FilmFolder(path: place.path)
    #expect(try folder.leftBehind().map(\.film) == ["b.mov"] && folder.leftBehind().map(\.id) == [id])
    place.uptime += 1
    service.finished(.init(path: "\(place.path)/b.mov", seconds: 1, frames: 24, lost: 0, id: id))
    service.work(beside: "\(place.path)/b.mov")
    #expect(try folder.entries(at: service.moment()).map(\.film.id) == [id])
  }

  @Test func aFilmThatIsEnteredLateKeepsThePlaceInWhichItBegan() throws {
    let place = try Place()
    // No line can be written: the catalogue's name is taken.
    let catalogue = "\(place.path)/\(FilmFolder.catalogueName)"
    try FileManager.default.createDirectory(atPath: catalogue, withIntermediateDirectories: true)
    let (left, right) = (place.service(of: "left"), place.service(of: "right"))
    func begin(_ name: String, by service: RetentionService) throws {
      place.uptime += 1
      try Data("0123456789".utf8).write(to: URL(fileURLWithPath: "\(place.path)/\(name)"))
      service.began("\(place.path)/\(name)")
      service.work(beside: "\(place.path)/\(name)")
    }
    try begin("first.mov", by: left)
    try FileManager.default.removeItem(atPath: catalogue)
    try begin("second.mov", by: right)
    for (name, service) in [("second.mov", right), ("first.mov", left)] {
      service.finished(.init(path: "\(place.path)/\(name)", seconds: 1, frames: 24, lost: 0))
      service.work(beside: "\(place.path)/next.mov")
    }
    let entries = try FilmFolder(path: place.path).entries(at: right.moment())
    #expect(entries.map(\.film.film) == ["first.mov", "second.mov"])
  }

  @Test func limitsThatCannotBeMetDeleteNothing_andAreSaidOnce_andAgainOnAnotherDisk() throws {
    let place = try Place()
    try place.fill(4)
    let service = place.service(RetentionLimits(bytes: 9, freeBytes: 5000))
    func look() {
      place.uptime += 61
      service.work(beside: "\(place.path)/next.mov")
    }
    look()
    look()
    let said: [RetentionNotice] = [
      .freeBeyondDisk(total: 1000), .unmeetable(.size(staying: 10), .init(recorder: "front")),
    ]
    #expect(place.notices == said && place.films.count == 4)
    place.space = DiskSpace(free: 10, total: 2000)
    look()
    #expect(place.notices.suffix(2).first == .freeBeyondDisk(total: 2000) && place.films.count == 4)
    // The disk that was awaited.
    place.space = DiskSpace(free: 4980, total: 10000)
    look()
    #expect(place.films == ["front-3.mov", "front-4.mov"])
  }

  @Test func filmsThatWaitAreToldWithTheHooksErrorAndTheirRoom() throws {
    let place = try Place()
    try place.fill(3, hasHook: true)
    var recorder: RetentionService? = place.service(RetentionLimits(count: 3), hasHook: true)
    try place.record("new.mov", by: try #require(recorder))
    #expect(place.films.count == 4)
    let film = try #require(try recorder?.withFolder { $0.catalogue.films.first } ?? nil)
    _ = try recorder?.withFolder { (folder) throws(CamrecError) in
      try folder.hooked(
        .init(
          id: film.id, outcome: .failed, tries: 1,
          moment: Moment(boot: "one", uptime: place.uptime, time: 0, isSynchronized: false), error: "no network"))
    }
    place.uptime += 61
    recorder?.work(beside: "\(place.path)/next.mov")
    #expect(
      place.notices.contains(
        .waiting(.init(recorder: "front", films: 4, bytes: 40, error: "no network", failed: 1))))
    recorder = nil
    // Without a hook they would wait for ever.
    let other = place.service(RetentionLimits(count: 3))
    for index in 1...3 { try place.record("plain-\(index).mov", by: other) }
    #expect(place.films.count == 7, "they push out no new film")
    #expect(
      place.notices.contains(
        .abandoned(
          .init(recorder: "front", films: 4, bytes: 40, error: "no network", failed: 1), folder: place.path,
          isOwn: true)))
  }

  @Test func whatIsMissingIsSaid() throws {
    let place = try Place()
    try place.fill(3, by: "side")
    (place.space, place.hasLocks) = (nil, false)
    let service = place.service(RetentionLimits(count: 2, freeBytes: 500))
    for index in 1...3 { try place.record("new-\(index).mov", by: service) }
    #expect(place.films == ["new-2.mov", "new-3.mov", "side-1.mov", "side-2.mov", "side-3.mov"])
    let path = "\(place.path)/next.mov"
    for notice in [.unknownSpace(film: path), .noLocks(folder: place.path), .othersDoNotCount(3)] as [RetentionNotice] {
      #expect(place.notices.count { $0 == notice } == 1, "\(notice)")
    }
    #expect(place.admit(service, .max) == nil, "recording goes on")
    #expect(place.films.count == 5)
  }

  @Test func aSizeBelowAMinuteOfFilmIsSaid() throws {
    let place = try Place()
    let service = place.service(RetentionLimits(bytes: 599))
    _ = service.admit("\(place.path)/a.mov", needed: 1, bytesPerSecond: 10, mayDelete: false)
    service.work(beside: "\(place.path)/a.mov")
    #expect(place.notices == [.sizeBelowMinute(bytes: 600)])
  }
}

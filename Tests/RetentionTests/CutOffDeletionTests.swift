import Foundation
import Frames
import Movies
import Retention
import Synchronization
import Testing

/// Deletions for lack of room that are cut off, and folders that are moved away: on real files and numbers of a disk.
@Suite struct CutOffDeletionTests {
  private final class Disk: @unchecked Sendable {
    let path: String
    var space = DiskSpace(free: 100, total: 1000)
    var uptime = 1000.0
    var frees = true
    var notices: [RetentionNotice] = []

    init() throws {
      path = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID().uuidString)").path
      for name in ["run", "a", "b"] {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func marks(_ disk: String = "disk") -> DiskMarks { DiskMarks(folder: "\(path)/run", disk: disk) }

    func service(
      _ limits: RetentionLimits = RetentionLimits(), of recorder: String = "front", disk: String = "disk",
      system: any FolderPort = SystemFolder(), folder: String? = nil
    ) -> RetentionService {
      let marks = DiskMarks(folder: "\(path)/run", disk: disk, system: system)
      return RetentionService(
        .init(limits: limits, recorder: recorder, folder: folder.map { "\(path)/\($0)" }),
        ports: RetentionPorts(
          space: { [unowned self] _ in space },
          moment: { [unowned self] in Moment(boot: "one", uptime: uptime, time: 0, isSynchronized: true) },
          pause: { [unowned self] in uptime += $0 }, inspect: { _, _ in FilmInspection(state: .whole) },
          start: { _ in nil },
          say: { [unowned self] notice in
            notices.append(notice)
            if case .deleted(let film, _) = notice, frees {
              space = DiskSpace(free: space.free + film.bytes, total: space.total)
            }
          }, system: system, marks: { _ in marks }))
    }

    /// Films of ten bytes.
    func fill(_ folder: String, _ count: Int = 6, _ service: RetentionService? = nil) throws {
      let service = service ?? self.service()
      for index in 1...count {
        uptime += 1
        let film = "\(path)/\(folder)/\(index).mov"
        try Data("0123456789".utf8).write(to: URL(fileURLWithPath: film))
        service.began(film)
        service.finished(.init(path: film, seconds: 1, frames: 24, lost: 0))
        service.work(beside: film)
      }
    }

    func names(_ folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []).sorted()
    }

    func films(_ folder: String) -> Int { names(folder).count { $0.hasSuffix(".mov") } }

    func admit(_ service: RetentionService, _ folder: String, _ needed: Int64) -> Int64? {
      service.admit("\(path)/\(folder)/next.mov", needed: needed, bytesPerSecond: 1, mayDelete: true)
    }
  }

  /// Whatever the call in front of which the process ends: the next one deletes what is needed, where that frees room.
  @Test func aKillBetweenAnyTwoCallsClosesNoGateForGood() throws {
    for calls in 0..<40 {
      let disk = try Disk()
      try disk.fill("a")
      let before = disk.films("a")
      disk.notices = []
      _ = disk.admit(disk.service(system: RefusingFolder.killed(after: calls)), "a", 105)
      // What is gone has freed its bytes, whether or not anybody could say it.
      let hidden = disk.names("a").count { $0.hasSuffix(".deleting") }
      disk.space = DiskSpace(free: 100 + Int64(10 * (before - disk.films("a") - hidden)), total: 1000)
      disk.uptime += 60
      disk.notices = []
      let next = disk.service()
      let left = disk.films("a")
      #expect(disk.admit(next, "a", 125) == nil || hidden > 0, "\(calls) calls")
      // A film that was swept away under its hidden name frees its bytes without a word.
      if hidden > 0 {
        disk.space = DiskSpace(free: disk.space.free + 10, total: 1000)
        #expect(disk.admit(next, "a", 125) == nil, "\(calls) calls")
      }
      #expect(!disk.notices.contains { if case .inVain(nil, _, _) = $0 { hidden == 0 } else { false } }, "\(calls)")
      #expect(left >= 5 && disk.films("a") >= 3, "\(calls) calls: no more than is needed")
      #expect(disk.names("a").allSatisfy { !$0.hasPrefix(".camrec-trying") && !$0.hasSuffix(".deleting") }, "\(calls)")
      #expect(disk.names("run").isEmpty, "\(calls) calls")
    }
  }

  @Test func marksOfOlderVersionsAreHonoured() throws {
    let disk = try Disk()
    try disk.fill("a")
    let mark = "\(disk.path)/a/.camrec-in-vain-120"
    #expect(FileManager.default.createFile(atPath: mark, contents: nil))
    #expect(disk.admit(disk.service(), "a", 110) == 100 && disk.films("a") == 6)
    disk.space = DiskSpace(free: 90, unused: 120, total: 1000)
    #expect(disk.admit(disk.service(), "a", 100) == nil && disk.films("a") == 5)
    #expect(!FileManager.default.fileExists(atPath: mark))
  }

  @Test func whatFreesNothingInOneFolderIsTriedInNoOtherOfTheDisk() throws {
    let disk = try Disk()
    try disk.fill("a")
    try disk.fill("b")
    disk.frees = false
    #expect(disk.admit(disk.service(), "a", 110) == 100 && disk.films("a") == 5)
    #expect(disk.admit(disk.service(of: "side"), "b", 110) == 100 && disk.films("b") == 6)
    // Another disk is another question.
    #expect(disk.admit(disk.service(disk: "other"), "b", 110) == 100 && disk.films("b") == 5)
    // Either closes the gate: here the folder's own.
    for name in disk.names("run") { try FileManager.default.removeItem(atPath: "\(disk.path)/run/\(name)") }
    #expect(disk.admit(disk.service(), "a", 110) == 100 && disk.films("a") == 5)
    disk.frees = true
    disk.space = DiskSpace(free: 105, total: 1000)
    #expect(disk.admit(disk.service(), "a", 115) == nil && disk.films("a") == 4)
    #expect(disk.admit(disk.service(), "b", 125) == nil && disk.films("b") == 4)
    #expect(disk.names("run").isEmpty)
  }

  /// The mark beside the sockets tells of a film in another folder.
  @Test func aMarkOfAnotherFolderGoesWhereItsFilmIsStillThere() throws {
    let disk = try Disk()
    try disk.fill("a")
    try disk.fill("b")
    let folder = try FilmFolder(path: "\(disk.path)/a", marks: disk.marks())
    let film = try #require(try folder.entries(at: Moment(boot: "one", uptime: 1, time: 0, isSynchronized: true)).first)
    try folder.beginTrial(of: film.film.id, enough: 500)
    #expect(disk.names("run").count == 1)
    #expect(disk.admit(disk.service(), "b", 105) == nil && disk.films("b") == 5)
    #expect(disk.names("run").isEmpty && disk.films("a") == 6)
  }

  /// Nobody records there any more.
  @Test func aDeletionThatWasCutOffInAnotherFolderIsEndedThere() throws {
    let disk = try Disk()
    try disk.fill("a")
    try disk.fill("b")
    let isKilled = Mutex(false)
    let system = RefusingFolder { call in
      isKilled.withLock {
        // The film has its hidden name by then.
        if call == .unlink { $0 = disk.names("a").contains { $0.hasSuffix(".deleting") } || $0 }
        return $0 ? EIO : nil
      }
    }
    _ = disk.admit(disk.service(system: system), "a", 105)
    #expect(disk.films("a") == 5 && disk.names("a").contains { $0.hasSuffix(".deleting") } && disk.films("b") == 6)
    disk.uptime += 60
    disk.notices = []
    let other = disk.service()
    #expect(disk.admit(other, "b", 125) == 100)
    #expect(!disk.names("a").contains { $0.hasSuffix(".deleting") })
    disk.space = DiskSpace(free: 110, total: 1000)
    #expect(disk.admit(other, "b", 125) == nil)
    #expect(disk.films("a") == 5 && disk.films("b") == 4)
  }

  @Test func whatIsWrongWithAnotherFolderOfTheDiskLeavesThisOneItsLimits() throws {
    let disk = try Disk()
    try disk.fill("a", 1)
    let folder = try FilmFolder(path: "\(disk.path)/a", marks: disk.marks())
    try folder.beginTrial(of: "unknown", enough: 500)
    #expect(chmod("\(disk.path)/a/\(FilmFolder.catalogueName)", 0o666) == 0)
    let service = disk.service(RetentionLimits(count: 2))
    try disk.fill("b", 5, service)
    #expect(disk.films("b") == 2, "\(disk.notices)")
  }

  @Test func aLimitWhoseDeletionsFreeNothingIsTold_andGoesOn() throws {
    let disk = try Disk()
    try disk.fill("a")
    disk.frees = false
    do {
      let service = disk.service(RetentionLimits(count: 3))
      for _ in 1...30 {
        disk.uptime += 1
        service.work(beside: "\(disk.path)/a/next.mov")
      }
    }
    #expect(disk.films("a") == 3)
    let told = RetentionNotice.limitFreedNothing(film: "1.mov", folder: "\(disk.path)/a")
    #expect(disk.notices.count { $0 == told } == 1)
    disk.notices = []
    disk.frees = true
    // The next recorder of this name.
    let other = disk.service(RetentionLimits(count: 2))
    for _ in 1...30 {
      disk.uptime += 1
      other.work(beside: "\(disk.path)/a/next.mov")
    }
    #expect(disk.films("a") == 2 && !disk.notices.contains { if case .limitFreedNothing = $0 { true } else { false } })
  }

  @Test func aLimitWhoseRoomOthersTakeAtOnceIsNotTold() throws {
    let disk = try Disk()
    try disk.fill("a")
    let service = disk.service(RetentionLimits(count: 3))
    service.work(beside: "\(disk.path)/a/next.mov")
    #expect(disk.films("a") == 3)
    disk.space = DiskSpace(free: 50, total: 1000)
    for _ in 1...30 {
      disk.uptime += 1
      service.work(beside: "\(disk.path)/a/next.mov")
    }
    #expect(!disk.notices.contains { if case .limitFreedNothing = $0 { true } else { false } }, "\(disk.notices)")
  }

  @Test func aFolderThatWasMovedAwayLosesNothing_andTheNewOneIsLookedAfter() throws {
    let disk = try Disk()
    let service = disk.service(RetentionLimits(count: 2))
    try disk.fill("a", 2, service)
    let known = try #require(try service.withFolder { $0 } ?? nil)
    let ids = known.catalogue.films.map(\.id)
    try FileManager.default.moveItem(atPath: "\(disk.path)/a", toPath: "\(disk.path)/old")
    #expect(throws: (any Error).self) { try service.withFolder { $0.path } }
    #expect(disk.notices.last == .folderMoved(folder: "\(disk.path)/a"))
    try FileManager.default.createDirectory(atPath: "\(disk.path)/a", withIntermediateDirectories: false)
    try disk.fill("a", 5, service)
    #expect(disk.films("old") == 2 && disk.films("a") == 2)
    #expect(disk.names("a").contains(FilmFolder.catalogueName))
    #expect(disk.notices.count { $0 == .folderMoved(folder: "\(disk.path)/a") } == 1)
    let moment = Moment(boot: "one", uptime: 5000, time: 0, isSynchronized: true)
    #expect(try !known.delete(ids[0], for: .count, by: "front", at: moment), "whoever has it open")
    #expect(disk.films("old") == 2)
    // It is brought back in the other's place.
    try FileManager.default.removeItem(atPath: "\(disk.path)/a")
    try FileManager.default.moveItem(atPath: "\(disk.path)/old", toPath: "\(disk.path)/a")
    disk.uptime += 61
    service.work(beside: "\(disk.path)/a/next.mov")
    #expect(disk.films("a") == 2)
  }

  /// The recorder follows its film to where it was moved, and its limits do not.
  @Test func aFilmThatWentWithItsFolderHasNoneDeletedThere() throws {
    let disk = try Disk()
    let service = disk.service(RetentionLimits(count: 2), folder: "a")
    try disk.fill("a", 2, service)
    let film = "\(disk.path)/a/open.mov", moved = "\(disk.path)/old/open.mov"
    try Data("0123456789".utf8).write(to: URL(fileURLWithPath: film))
    service.began(film)
    service.work(beside: film)
    try FileManager.default.moveItem(atPath: "\(disk.path)/a", toPath: "\(disk.path)/old")
    try FileManager.default.createDirectory(atPath: "\(disk.path)/a", withIntermediateDirectories: false)
    service.renamed(from: film, to: moved)
    service.work(beside: moved)
    service.finished(.init(path: moved, seconds: 1, frames: 24, lost: 0))
    disk.uptime += 61
    service.work(beside: moved)
    #expect(disk.films("old") == 3)
    let entries = try FilmFolder(path: "\(disk.path)/old").entries(
      at: Moment(boot: "one", uptime: disk.uptime, time: 0, isSynchronized: true))
    #expect(entries.last?.film.film == "open.mov", "it is entered there")
    let ids = Set(entries.map(\.film.recorderID))
    #expect(ids.count == 1 && !ids.contains(nil), "as this recorder's, and not by name alone")
    try disk.fill("a", 4, service)
    #expect(disk.films("a") == 2 && disk.films("old") == 3)
  }

  /// FAT's files have no lasting numbers: another film that gets its name would pass for it.
  @Test func aFilmThatWasMovedAloneIsNotLeftBehind() throws {
    let disk = try Disk()
    let service = disk.service(RetentionLimits(), folder: "a")
    let film = "\(disk.path)/a/open.mov", moved = "\(disk.path)/b/moved.mov"
    try Data("0123456789".utf8).write(to: URL(fileURLWithPath: film))
    let recorder = try FileHandle(forUpdating: URL(fileURLWithPath: film))
    #expect(flock(recorder.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    service.began(film)
    service.work(beside: film)
    let moment = Moment(boot: "one", uptime: disk.uptime, time: 0, isSynchronized: true)
    let a = try FilmFolder(path: "\(disk.path)/a"), b = try FilmFolder(path: "\(disk.path)/b")
    #expect(try a.hasBegun("open.mov", at: moment))
    // One of the same name is recorded there.
    try Data("other".utf8).write(to: URL(fileURLWithPath: "\(disk.path)/b/open.mov"))
    try b.begun("open.mov", by: "other", at: moment)
    try FileManager.default.moveItem(atPath: film, toPath: moved)
    service.renamed(from: film, to: moved)
    service.work(beside: moved)
    #expect(try !a.hasBegun("open.mov", at: moment) && a.catalogue.unfinished.isEmpty)
    #expect(try b.hasBegun("moved.mov", at: moment) && b.hasBegun("open.mov", at: moment))
    try recorder.close()
    service.finished(.init(path: moved, seconds: 1, frames: 24, lost: 0))
    service.work(beside: moved)
    #expect(try b.entries(at: moment).map(\.film.film) == ["moved.mov"])
  }

  /// A copy of what was deleted while it was recorded is finished behind the next film, and stands in front of it.
  @Test func aCopyKeepsThePlaceOfItsFilm() throws {
    let disk = try Disk()
    let service = disk.service(RetentionLimits(count: 1), folder: "a")
    let first = "\(disk.path)/a/first.mov", copy = "\(disk.path)/a/copy.mov", second = "\(disk.path)/a/second.mov"
    for film in [first, second] {
      try Data("0123456789".utf8).write(to: URL(fileURLWithPath: film))
      disk.uptime += 1
      service.began(film)
      service.work(beside: film)
    }
    try FileManager.default.removeItem(atPath: first)
    try Data("0123456789".utf8).write(to: URL(fileURLWithPath: copy))
    disk.uptime += 1
    service.renamed(from: first, to: copy)
    for film in [second, copy] { service.finished(.init(path: film, seconds: 1, frames: 24, lost: 0)) }
    service.work(beside: second)
    #expect(disk.names("a").filter { $0.hasSuffix(".mov") } == ["second.mov"])
  }

  @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
  func aDiskThatIsMountedOverTheFolderIsAnotherFolder() throws {
    let disk = try Disk()
    let service = disk.service(RetentionLimits(count: 2))
    try disk.fill("a", 2, service)
    let before = DiskIdentity.of(folder: "\(disk.path)/a")
    #expect(before != nil && before == DiskIdentity.of(folder: "\(disk.path)/b"))
    guard mount("tmpfs", "\(disk.path)/a", "tmpfs", 0, nil) == 0 else {
      return print("skipped: no mounts are allowed here")
    }
    defer { umount2("\(disk.path)/a", Int32(MNT_DETACH)) }
    #expect(DiskIdentity.of(folder: "\(disk.path)/a") != before)
    try disk.fill("a", 5, service)
    #expect(disk.films("a") == 2)
    #expect(disk.notices.contains(.folderMoved(folder: "\(disk.path)/a")))
    #expect(umount2("\(disk.path)/a", Int32(MNT_DETACH)) == 0)
    disk.uptime += 61
    service.work(beside: "\(disk.path)/a/next.mov")
    #expect(disk.names("a").filter { $0.hasSuffix(".mov") } == ["1.mov", "2.mov"])
  }

  /// Two subvolumes of a btrfs pool, mounted apart.
  @Test func theDiskOfAnOpenFileIsThatOfItsMount() {
    let mounts = """
      30 1 0:26 /@films /films rw,noatime shared:2 - btrfs /dev/sdb1 rw,subvol=/@films
      31 1 0:26 /@more /more rw - btrfs /dev/sdb1 rw,subvol=/@more
      33 1 0:40 / /run rw shared:1 - tmpfs tmpfs rw
      """
    for id in [30, 31] {
      let information = "pos:\t0\nflags:\t0100000\nmnt_id:\t\(id)\nino:\t256\n"
      let mount = DiskIdentity.mount(information: information, mounts: mounts)
      #expect(mount?.device == "0:26" && mount?.source == "/dev/sdb1")
    }
    #expect(DiskIdentity.mount(information: "mnt_id:\t34\n", mounts: mounts) == nil)
  }
}

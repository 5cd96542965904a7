import Foundation
import Frames
import Movies
import Platform
import Retention
import Testing

/// Real files in a folder of their own.
private final class Shelf {
  let path: String
  let folder: FilmFolder
  var uptime = 1000.0

  init(hasLastingInodes: Bool = true) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("shelf-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    folder = try FilmFolder(path: path, hasLastingInodes: hasLastingInodes)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

  var now: Moment {
    uptime += 1
    return Moment(boot: "one", uptime: uptime, time: 0, isSynchronized: false)
  }

  @discardableResult
  func film(_ name: String, _ content: String? = nil, awaitsHook: Bool = false) throws -> CataloguedFilm {
    try write(name, content ?? "film \(name)")
    try write(name + ".camrec", "{\"camrec-sidecar\":1,\"film\":\"\(name)\"}\n")
    return try #require(
      try folder.finished(name, by: "front", seconds: 1, frames: 24, lost: 0, awaitsHook: awaitsHook, at: now))
  }

  func delete(_ film: CataloguedFilm) throws -> Bool { try folder.delete(film.id, for: .age, by: "front", at: now) }

  var entries: [FilmFolder.Entry] { get throws { try folder.entries(at: now) } }

  /// As another process sees it.
  func again(hasLastingInodes: Bool = true) throws -> FilmFolder {
    try FilmFolder(path: path, hasLastingInodes: hasLastingInodes)
  }
}

@Suite struct FilmFolderTests {
  @Test func aFinishedFilmIsDeletedWithItsSidecar() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov"), other = try shelf.film("b.mov")
    #expect(try shelf.delete(film))
    #expect(!shelf.has("a.mov") && !shelf.has("a.mov.camrec"))
    #expect(shelf.has("b.mov") && shelf.has("b.mov.camrec"))
    #expect(try shelf.entries.map(\.film) == [other])
    #expect(try shelf.again().entries(at: shelf.now).map(\.film) == [other], "another recorder knows it, too")
    #expect(try !shelf.delete(film), "once")
    #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.path).sorted() == [
      ".camrec-films.jsonl", "b.mov", "b.mov.camrec",
    ])
  }

  /// Valid JSON with numbers that nothing has.
  /// A recorder that was there before knows both lines: as two films one of them would not be the newest.
  @Test func aFilmWhoseLineWasDamagedIsOneFilmWhenItIsEnteredAgain() throws {
    let shelf = try Shelf()
    try shelf.write("a.mov", "film a.mov")
    try shelf.folder.begun("a.mov", by: "front", at: shelf.now)
    let film = try shelf.film("a.mov")
    let path = "\(shelf.path)/\(FilmFolder.catalogueName)"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let damaged = text.replacingOccurrences(of: "\"finished\":{\"boot\"", with: "\"finished\":###boot\"")
    #expect(damaged != text)
    let file = try #require(FileHandle(forWritingAtPath: path))
    file.write(Data(damaged.utf8))
    try file.close()
    let other = try shelf.again()
    #expect(try other.leftBehind().map(\.film) == ["a.mov"])
    let again = try #require(
      try other.finished("a.mov", by: "front", seconds: 1, frames: 24, lost: 0, awaitsHook: false, at: shelf.now))
    #expect(again.id != film.id)
    #expect(try shelf.entries.map(\.film.id) == [again.id])
  }

  @Test func anEntryHasTheFilmsOwnUUID() throws {
    let shelf = try Shelf(), id = "5f3c0c6e-9d53-4a66-b1a4-0f4e2a3b7c0d"
    func finish(_ name: String, id: String? = nil, again: Bool = false) throws -> CataloguedFilm {
      if !again { try shelf.write(name, "film \(name)") }
      return try #require(
        try shelf.folder.finished(
          name, by: "front", seconds: 1, frames: 24, lost: 0, awaitsHook: false, id: id, at: shelf.now))
    }
    let film = try finish("a.mov", id: id)
    #expect(film.id == id && shelf.folder.catalogue.film(id) == film)
    #expect(try finish("a.mov", id: id, again: true) == film, "entered once")
    let copy = try finish("b.mov", id: id), other = try finish("c.mov")
    #expect(copy.id != id && other.id != id, "no two entries have the same")
    #expect(UUID(uuidString: copy.id) != nil && copy.id == copy.id.lowercased())
    #expect(try shelf.delete(film))
    #expect(try finish("a.mov", id: id).id != id, "nor has one the id of a deletion")
  }

  @Test func aFilmThatACrashHasLeft_isEnteredWithTheUUIDOfItsBeginning() throws {
    let shelf = try Shelf(), id = "5f3c0c6e-9d53-4a66-b1a4-0f4e2a3b7c0d"
    try shelf.write("cut.mov", "film cut.mov")
    try shelf.folder.begun("cut.mov", by: "front", filmID: id, at: shelf.now)
    let next = try shelf.again()
    #expect(try next.leftBehind().map(\.id) == [id])
    let film = try next.finished(
      "cut.mov", by: "front", seconds: 1, frames: 24, lost: 0, awaitsHook: false, at: shelf.now)
    #expect(film?.id == id)
  }

  @Test func damagedNumbersInTheCatalogueMakeNoFilmOldOrSmall() throws {
    let shelf = try Shelf()
    let entered = try shelf.film("a.mov")
    let before = try shelf.folder.entries(at: Moment(boot: "two", uptime: 10, time: 0, isSynchronized: false))
    let moment = #"{"boot":"one","uptime":UPTIME,"time":0,"isSynchronized":false}"#
    let film =
      #"{"finished":{"id":"ID","film":"a.mov","recorder":"front","bytes":BYTES,"head":"","finished":MOMENT,"#
      + #""seconds":1e300,"frames":-1,"lost":-9223372036854775808,"awaitsHook":false}}"#
    var lines: [String] = []
    for uptime in ["-1", "1e300", "9e18", "-1e300"] {
      lines.append(#"{"seen":"# + moment.replacing("UPTIME", with: uptime) + "}")
    }
    let sound = moment.replacing("UPTIME", with: "5")
    for bytes in ["-1", "9e18", "9223372036854775807", "1e300", "null", "-9223372036854775808"] {
      lines.append(film.replacing("MOMENT", with: sound).replacing("BYTES", with: bytes).replacing("ID", with: bytes))
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(shelf.path)/.camrec-films.jsonl"))
    try file.seekToEnd()
    try file.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
    let other = try shelf.again()
    let after = try other.entries(at: Moment(boot: "two", uptime: 10, time: 0, isSynchronized: false))
    #expect(after.filter { $0.film.id == entered.id } == before, "the film is as old as it was")
    let others = after.filter { $0.film.id != entered.id }
    #expect(others.allSatisfy { $0.protection == .foreign && $0.film.bytes >= 0 && $0.film.frames >= 0 })
    try other.tidy(smallest: 0)
    // What cannot be written as JSON is not lost with its line.
    try shelf.write("b.mov", "b")
    try other.finished(
      "b.mov", by: "front", seconds: .nan, frames: 1, lost: 0, awaitsHook: false, at: shelf.now)
    #expect(try shelf.again().entries(at: shelf.now).contains { $0.film.film == "b.mov" && $0.film.seconds == 0 })
  }

  @Test func withoutLocksOnlyOnesOwnFilmsGo_andTheCatalogueIsNotWrittenAnew() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov"), other = try shelf.film("b.mov")
    let folder = try FilmFolder(path: shelf.path, system: RefusingFolder { $0 == .lock ? ENOLCK : nil })
    #expect(try !folder.delete(film.id, for: .room, by: "side", at: shelf.now) && shelf.has("a.mov"))
    #expect(!folder.hasLocks)
    #expect(try folder.delete(film.id, for: .room, by: "front", at: shelf.now))
    #expect(try folder.delete(other.id, for: .room, by: "front", at: shelf.now))
    let before = try Data(contentsOf: URL(fileURLWithPath: "\(shelf.path)/.camrec-films.jsonl"))
    try folder.tidy(smallest: 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(shelf.path)/.camrec-films.jsonl")) == before)
  }

  @Test func aFileThatCamrecDidNotWriteStays() throws {
    let shelf = try Shelf()
    try shelf.write("foreign.mov", "holiday")
    #expect(try shelf.entries.isEmpty)
    // Not even where somebody writes its name into the catalogue.
    let line = CatalogueLine(
      finished: CataloguedFilm(
        film: "foreign.mov", recorder: "x", inode: nil, bytes: 7, head: "0", finished: shelf.now))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(shelf.path)/.camrec-films.jsonl"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(line.bytes))
    #expect(try !shelf.folder.delete(try #require(line.finished).id, for: .age, by: "front", at: shelf.now))
    #expect(shelf.has("foreign.mov"))
  }

  @Test(arguments: [true, false])
  func aFilmThatWasChangedReplacedOrLinkedStays(hasLastingInodes: Bool) throws {
    let shelf = try Shelf(hasLastingInodes: hasLastingInodes)
    let grown = try shelf.film("grown.mov"), other = try shelf.film("other.mov"), linked = try shelf.film("linked.mov")
    let link = try shelf.film("link.mov"), folder = try shelf.film("folder.mov")
    try shelf.write("grown.mov", "film grown.mov, and more")
    // As long, with other bytes.
    try shelf.write("other.mov", "FILM other.mov")
    try FileManager.default.linkItem(atPath: "\(shelf.path)/linked.mov", toPath: "\(shelf.path)/second")
    try FileManager.default.moveItem(atPath: "\(shelf.path)/link.mov", toPath: "\(shelf.path)/elsewhere.mov")
    try FileManager.default.createSymbolicLink(atPath: "\(shelf.path)/link.mov", withDestinationPath: "elsewhere.mov")
    try FileManager.default.removeItem(atPath: "\(shelf.path)/folder.mov")
    try FileManager.default.createDirectory(atPath: "\(shelf.path)/folder.mov", withIntermediateDirectories: false)
    for film in [grown, other, linked, link, folder] { #expect(try !shelf.delete(film), "\(film.film)") }
    for name in ["grown.mov", "other.mov", "linked.mov", "second", "elsewhere.mov", "link.mov", "folder.mov"] {
      #expect(
        shelf.has(name) && (name == "second" || name == "elsewhere.mov" || shelf.has("\(name).camrec")), "\(name)")
    }
    #expect(try !shelf.entries.contains { $0.protection == nil && $0.film.film != "other.mov" })
  }

  @Test func aCopyInAFilmsPlaceIsNone() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov")
    try FileManager.default.copyItem(atPath: "\(shelf.path)/a.mov", toPath: "\(shelf.path)/copy")
    try FileManager.default.removeItem(atPath: "\(shelf.path)/a.mov")
    // So that no file gets the number of the one that is gone.
    try shelf.write("between", "x")
    try FileManager.default.copyItem(atPath: "\(shelf.path)/copy", toPath: "\(shelf.path)/a.mov")
    let inode = try FileManager.default.attributesOfItem(atPath: "\(shelf.path)/a.mov")[.systemFileNumber] as? UInt64
    try #require(inode != film.inode)
    #expect(try !shelf.delete(film))
    #expect(shelf.has("a.mov"))
  }

  @Test func aFilmThatIsKeptStays_untilItIsNotAnyMore() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov")
    try KeepMark.set(true, film: "\(shelf.path)/a.mov")
    #expect(try shelf.entries.first?.protection == .kept)
    #expect(try !shelf.delete(film))
    try KeepMark.set(false, film: "\(shelf.path)/a.mov")
    #expect(try shelf.delete(film))
    #expect(throws: (any Error).self) { try KeepMark.set(true, film: "\(shelf.path)/a.mov") }
    #expect(!shelf.has("a.mov.keep"))
  }

  @Test func aFilmThatIsInUseStays() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov")
    let user = open("\(shelf.path)/a.mov", O_RDONLY)
    #expect(flock(user, LOCK_SH) == 0)
    #expect(try !shelf.delete(film))
    close(user)
    #expect(try shelf.delete(film))
  }

  /// As backups make them. Another may be added in any moment.
  @Test func aFilmWithASecondNameStays_andItsHookIsRun() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov", awaitsHook: true)
    try FileManager.default.linkItem(atPath: "\(shelf.path)/a.mov", toPath: "\(shelf.path)/second")
    #expect(try shelf.entries.map(\.protection) == [.awaitsHook])
    let next = HookPolicy(mostTries: 3).next(among: try shelf.entries, of: "front", at: shelf.now) { _, _ in 0 }
    #expect(next == .run(film, tries: 0))
    try shelf.folder.hooked(.init(id: film.id, outcome: .done, tries: 1, moment: shelf.now))
    #expect(try shelf.entries.map(\.protection) == [.linked])
    #expect(try !shelf.delete(film))
    try FileManager.default.removeItem(atPath: "\(shelf.path)/second")
    #expect(try shelf.entries.map(\.protection) == [nil])
    #expect(try shelf.delete(film))
  }

  @Test func aFilmThatAHookHasStillToHandleStays() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov", awaitsHook: true)
    #expect(try shelf.entries.first?.protection == .awaitsHook)
    #expect(try !shelf.delete(film))
    try shelf.folder.hooked(.init(id: film.id, outcome: .failed, tries: 1, moment: shelf.now))
    #expect(try !shelf.delete(film))
    try shelf.folder.hooked(.init(id: film.id, outcome: .done, tries: 2, moment: shelf.now))
    #expect(try shelf.delete(film))
  }

  @Test func anotherFileOfASidecarsNameStays() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov")
    try shelf.write("a.mov.camrec", "shopping list")
    #expect(try shelf.delete(film))
    #expect(shelf.has("a.mov.camrec"))
  }

  @Test func tornAndDamagedLinesCostOnlyThemselves() throws {
    let shelf = try Shelf()
    let first = try shelf.film("a.mov")
    let catalogue = URL(fileURLWithPath: "\(shelf.path)/.camrec-films.jsonl")
    for junk in ["{\"finished\":{\"film\":\"b", "\0\0\0\0\0\0", "[]", "{\"other\":1}", "\u{FF}"] {
      let file = try FileHandle(forWritingTo: catalogue)
      try file.seekToEnd()
      try file.write(contentsOf: Data(junk.utf8))
      try file.close()
    }
    let second = try shelf.film("c.mov")
    #expect(try shelf.entries.map(\.film) == [first, second])
    #expect(try shelf.again().entries(at: shelf.now).map(\.film) == [first, second])
    // Cut off anywhere, what is left is a beginning of it.
    let whole = try Data(contentsOf: catalogue)
    for length in stride(from: whole.count, through: 0, by: -7) {
      try whole.prefix(length).write(to: catalogue)
      let films = try shelf.again().entries(at: shelf.now).map(\.film)
      #expect(films.isEmpty || films == [first] || films == [first, second])
    }
  }

  @Test func aCatalogueThatOthersCanWriteDeletesNothing() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov")
    chmod("\(shelf.path)/.camrec-films.jsonl", 0o666)
    #expect(throws: (any Error).self) { try shelf.delete(film) }
    chmod("\(shelf.path)/.camrec-films.jsonl", 0o640)
    #expect(try shelf.delete(film))
  }

  @Test func aDeletionThatWasCutOffIsEndedOrTakenBack() throws {
    let shelf = try Shelf()
    let film = try shelf.film("a.mov"), kept = try shelf.film("b.mov")
    func hide(_ film: CataloguedFilm) throws {
      try FileManager.default.moveItem(
        atPath: "\(shelf.path)/\(film.film)", toPath: "\(shelf.path)/.camrec-\(film.id).deleting")
    }
    try hide(film)
    try hide(kept)
    try shelf.write("b.mov.keep", "")
    try shelf.write(".camrec-unknown.deleting", "somebody's")
    try shelf.again().sweep(by: "front")
    #expect(!shelf.has("a.mov") && !shelf.has("a.mov.camrec") && !shelf.has(".camrec-\(film.id).deleting"))
    #expect(shelf.has("b.mov") && shelf.has("b.mov.camrec"))
    #expect(shelf.has(".camrec-unknown.deleting"))
    // One that was given back, when the power went once more between its two names.
    let back = try shelf.film("back.mov")
    try KeepMark.set(true, film: "\(shelf.path)/back.mov")
    try FileManager.default.linkItem(
      atPath: "\(shelf.path)/back.mov", toPath: "\(shelf.path)/.camrec-\(back.id).deleting")
    try shelf.again().sweep(by: "front")
    #expect(shelf.has("back.mov") && !shelf.has(".camrec-\(back.id).deleting"))
  }

  @Test func twoRecordersDeleteAFilmOnce() throws {
    let shelf = try Shelf()
    let films = try (0..<40).map { try shelf.film("\($0).mov") }
    let others = [try shelf.again(), try shelf.again()]
    let sum = Counter()
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      for film in films {
        let moment = Moment(boot: "one", uptime: 5000, time: 0, isSynchronized: false)
        if (try? others[index].delete(film.id, for: .room, by: "front", at: moment)) == true { sum.add() }
      }
    }
    #expect(sum.value == 40)
    #expect(try shelf.again().entries(at: shelf.now).isEmpty)
  }

  @Test func aTidiedCatalogueSaysTheSame_alsoToWhoHasItOpen() throws {
    let shelf = try Shelf()
    let other = try shelf.again()
    for index in 0..<30 { #expect(try shelf.delete(try shelf.film("gone-\(index).mov"))) }
    let films = try (0..<3).map { try shelf.film("\($0).mov", awaitsHook: $0 > 0) }
    try shelf.folder.hooked(.init(id: films[2].id, outcome: .failed, tries: 4, moment: shelf.now))
    try shelf.folder.begun("0.mov", by: "front", at: shelf.now)
    let now = shelf.now, before = try shelf.folder.entries(at: now), known = try other.entries(at: now)
    #expect(known == before)
    let size = try Data(contentsOf: URL(fileURLWithPath: "\(shelf.path)/.camrec-films.jsonl")).count
    try shelf.folder.tidy(smallest: 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(shelf.path)/.camrec-films.jsonl")).count < size / 4)
    for folder in [shelf.folder, other, try shelf.again()] {
      let after = try folder.entries(at: now)
      #expect(after.map(\.film.id) == before.map(\.film.id) && after.map(\.hook) == before.map(\.hook))
      #expect(after.map(\.age) == before.map(\.age) && after.map(\.protection) == before.map(\.protection))
      #expect(folder.catalogue.unfinished.map(\.film) == ["0.mov"])
    }
    try shelf.film("new.mov")
    #expect(try other.entries(at: now).count == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.path).allSatisfy { !$0.hasSuffix(".new") })
  }

  /// A hook that moves films away would have the catalogue grow for ever.
  @Test func aTidiedCatalogueForgetsWhatSomebodyHasTakenAway_butNoHookThatIsDue() throws {
    let shelf = try Shelf()
    for index in 0..<30 { try shelf.film("\(index).mov", awaitsHook: index == 7) }
    try shelf.write("cut.mov", "begun")
    try shelf.folder.begun("cut.mov", by: "front", at: shelf.now)
    for name in (0..<29).map({ "\($0).mov" }) + ["cut.mov"] {
      try FileManager.default.removeItem(atPath: "\(shelf.path)/\(name)")
    }
    // A deletion that was cut off: its film is there under a hidden name.
    let going = try #require(shelf.folder.catalogue.films.first { $0.film == "9.mov" })
    try shelf.write(".camrec-\(going.id).deleting", "film 9.mov")
    try shelf.folder.tidy(smallest: 0)
    let other = try shelf.again()
    _ = try other.entries(at: shelf.now)
    #expect(other.catalogue.films.map(\.film) == ["7.mov", "9.mov", "29.mov"] && other.catalogue.unfinished.isEmpty)
    #expect(other.catalogue.hook(of: other.catalogue.films[0]) != nil)
  }

  @Test func whatACrashHasLeftIsKnown() throws {
    let shelf = try Shelf()
    try shelf.write("a.mov", "begun")
    try shelf.folder.begun("a.mov", by: "front", at: shelf.now)
    try shelf.write("b.mov", "begun")
    try shelf.folder.begun("b.mov", by: "front", at: shelf.now)
    try shelf.folder.finished("b.mov", by: "front", seconds: 1, frames: 1, lost: 0, awaitsHook: false, at: shelf.now)
    #expect(try shelf.again().leftBehind().map(\.film) == ["a.mov"])
    let recorder = open("\(shelf.path)/a.mov", O_RDONLY)
    #expect(flock(recorder, LOCK_EX) == 0)
    #expect(try shelf.again().leftBehind().isEmpty, "it is being written")
    close(recorder)
  }

  @Test func aRecorderThatHangsWithTheCatalogueIsWaitedForOnce() throws {
    let shelf = try Shelf()
    try shelf.film("a.mov")
    let hanging = open("\(shelf.path)/\(FilmFolder.catalogueName)", O_RDWR)
    #expect(flock(hanging, LOCK_EX) == 0)
    let begin = MonotonicTime.now()
    for _ in 0..<20 {
      let error = #expect(throws: CamrecError.self) { try shelf.film("b.mov") }
      #expect(
        error?.message
          == "the catalogue of films '\(shelf.path)/\(FilmFolder.catalogueName)' stays locked by another recorder; "
          + "check whether that one hangs")
    }
    #expect(MonotonicTime.now() - begin < 60_000_000_000, "else each would have waited five seconds")
    close(hanging)
    try shelf.film("b.mov")
    #expect(try shelf.again().entries(at: shelf.now).map(\.film.film) == ["a.mov", "b.mov"])
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var value = 0
    func add() { lock.withLock { value += 1 } }
  }
}

@Suite struct FilmAgeTests {
  private func moment(_ boot: String, _ uptime: Double, _ time: Double = 0, synchronized: Bool = false) -> Moment {
    Moment(boot: boot, uptime: uptime, time: time, isSynchronized: synchronized)
  }

  private func film(_ moment: Moment) -> CataloguedFilm {
    CataloguedFilm(film: "a.mov", recorder: "front", inode: 1, bytes: 1, head: "", finished: moment)
  }

  @Test func inOneRunOfTheSystemItsClockCounts() {
    let film = film(moment("one", 100, 1e9, synchronized: true))
    var catalogue = FilmCatalogue()
    catalogue.take(CatalogueLine(finished: film))
    #expect(catalogue.age(of: film, at: moment("one", 160, 5e9, synchronized: true)) == 60)
  }

  @Test func aClockThatNobodySetsMakesNoFilmOld() {
    let film = film(moment("one", 100, 0))
    var catalogue = FilmCatalogue()
    catalogue.take(CatalogueLine(finished: film))
    catalogue.take(CatalogueLine(seen: moment("one", 400, 2e9)))
    catalogue.take(CatalogueLine(seen: moment("two", 50, 3e9)))
    // 300 seconds of the first run, at least, 50 of the second, 7 of this one.
    #expect(catalogue.age(of: film, at: moment("three", 7, 4e9, synchronized: true)) == 357)
  }

  @Test func whereBothEndsAreSynchronizedTheWallClockCounts() {
    let film = film(moment("one", 100, 1e9, synchronized: true))
    var catalogue = FilmCatalogue()
    catalogue.take(CatalogueLine(finished: film))
    #expect(catalogue.age(of: film, at: moment("two", 7, 1e9 + 86_400, synchronized: true)) == 86_400)
    #expect(catalogue.age(of: film, at: moment("two", 7, 1e9 - 86_400, synchronized: true)) == 7)
  }
}

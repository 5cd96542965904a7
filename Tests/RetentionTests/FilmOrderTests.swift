import Foundation
import Frames
import Retention
import Testing

/// Films stand in the order in which their recordings began, whenever they were entered.
@Suite struct FilmOrderTests {
  private let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("order-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Of a system whose wall clock is set back to 1970 at each start.
  private func moment(_ boot: Int, _ uptime: Double) -> Moment {
    Moment(boot: "boot-\(boot)", uptime: uptime, time: uptime, isSynchronized: false)
  }

  private func begin(_ name: String, _ folder: FilmFolder, at moment: Moment) throws {
    try Data("film \(name)".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    try folder.begun(name, by: "front", at: moment)
  }

  private func finish(_ name: String, _ folder: FilmFolder, at moment: Moment) throws {
    try folder.finished(name, by: "front", seconds: 1, frames: 24, lost: 0, awaitsHook: true, at: moment)
  }

  private func film(_ entry: FilmFolder.Entry) -> RetentionPolicy.Film {
    RetentionPolicy.Film(
      id: entry.film.id, recorder: entry.film.recorder, bytes: entry.film.bytes, age: entry.age,
      protection: entry.protection, hasBegun: entry.film.begun != nil)
  }

  private func names(_ folder: FilmFolder) throws -> [String] {
    try folder.entries(at: moment(9, 1)).map(\.film.film)
  }

  @Test func aRecoveredFilmHasThePlaceInWhichItBegan() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try FilmFolder(path: path)
    try begin("a.mov", folder, at: moment(1, 10))
    try finish("a.mov", folder, at: moment(1, 20))
    try begin("cut.mov", folder, at: moment(1, 20))
    try begin("b.mov", folder, at: moment(2, 5))
    try begin("open.mov", folder, at: moment(2, 12))
    try finish("b.mov", folder, at: moment(2, 15))
    try finish("cut.mov", folder, at: moment(2, 30))
    let order = ["a.mov", "cut.mov", "b.mov"]
    #expect(try names(folder) == order)
    #expect(try names(FilmFolder(path: path)) == order, "as another process reads it")
    let films = try folder.entries(at: moment(2, 40)).map(film)
    #expect(RetentionPolicy.newest(among: films) == [try #require(films.last).id])
    // Whoever is out of the order is run for in it.
    let entries = try folder.entries(at: moment(2, 40))
    let late = Array(entries.dropFirst())
    let next = HookPolicy(mostTries: 3).next(among: late, of: "front", at: moment(2, 40)) { _, _ in 0 }
    #expect(next == .run(entries[1].film, tries: 0))

    // Written anew, more than once; one that is still open keeps its place.
    for _ in 0..<80 { try folder.hooked(.init(id: "none", outcome: .failed, tries: 1, moment: moment(2, 41))) }
    try folder.tidy(smallest: 0)
    #expect(folder.catalogue.lines.count == 6)
    let other = try FilmFolder(path: path)
    #expect(try names(other) == order)
    #expect(try other.leftBehind().map(\.film) == ["open.mov"])
    try finish("open.mov", other, at: moment(3, 1))
    try begin("c.mov", other, at: moment(2, 11))
    try finish("c.mov", other, at: moment(3, 2))
    #expect(try names(other) == order + ["c.mov", "open.mov"])
    #expect(try other.entries(at: moment(3, 7)).last?.age == 6, "as young as its adoption")
  }

  /// FAT's files have no lasting numbers: whatever has the name that a film had is not that film.
  @Test func aNameThatAFilmNoLongerHasIsNobodys() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try FilmFolder(path: path, hasLastingInodes: false)
    try begin("a.mov", folder, at: moment(1, 10))
    try FileManager.default.moveItem(atPath: "\(path)/a.mov", toPath: "\(path)/renamed.mov")
    try Data("somebody's".utf8).write(to: URL(fileURLWithPath: "\(path)/a.mov"))
    #expect(try folder.leftBehind().map(\.film) == ["a.mov"], "nothing was said of it yet")
    try folder.begun("renamed.mov", by: "front", former: "a.mov", at: moment(1, 10))
    #expect(try folder.leftBehind().map(\.film) == ["renamed.mov"])
    try finish("renamed.mov", folder, at: moment(1, 30))
    #expect(try folder.leftBehind() == [] && names(folder) == ["renamed.mov"])
  }

  @Test func aFilmThatWasRenamedKeepsItsPlace() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try FilmFolder(path: path)
    try begin("a.mov", folder, at: moment(1, 10))
    try begin("b.mov", folder, at: moment(1, 20))
    try finish("b.mov", folder, at: moment(1, 30))
    try FileManager.default.moveItem(atPath: "\(path)/a.mov", toPath: "\(path)/renamed.mov")
    try finish("renamed.mov", folder, at: moment(1, 40))
    #expect(try names(folder) == ["renamed.mov", "b.mov"] && folder.catalogue.unfinished.isEmpty)
  }

  /// Lines of older versions, whose catalogue was written anew.
  @Test func aFilmOfWhoseBeginningNothingIsKnownIsNeverTheNewest() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try FilmFolder(path: path)
    try begin("new.mov", folder, at: moment(1, 10))
    try finish("new.mov", folder, at: moment(1, 20))
    try Data("old".utf8).write(to: URL(fileURLWithPath: "\(path)/old.mov"))
    try finish("old.mov", folder, at: moment(1, 30))
    try Data("young".utf8).write(to: URL(fileURLWithPath: "\(path)/young.mov"))
    try finish("young.mov", folder, at: moment(1, 40))
    var entries = try folder.entries(at: moment(1, 50))
    #expect(entries.map(\.film.begun) == [moment(1, 10), nil, nil] && entries.map(\.age) == [30, 20, 10])
    #expect(RetentionPolicy.deletable(among: entries.map(film)).map(\.id) == [])
    for entry in entries {
      try folder.hooked(.init(id: entry.film.id, outcome: .done, tries: 1, moment: moment(1, 50)))
    }
    entries = try folder.entries(at: moment(1, 50))
    let deletable = RetentionPolicy.deletable(among: entries.map(film))
    #expect(deletable.map(\.id) == entries.dropFirst().map(\.film.id))
    // Where nothing is known of any, the last that was finished stays.
    let rest = RetentionPolicy.deletable(among: entries.dropFirst().map(film))
    #expect(rest.map(\.id) == [entries[1].film.id])
  }

  @Test func aBeginningThatCannotBeMakesNoFilmTheNewest() throws {
    let line = #"{"finished":{"id":"1","film":"a.mov","recorder":"front","bytes":1,"head":"","finished":MOMENT,"#
      + #""begun":BEGUN,"seconds":1,"frames":1,"lost":0,"awaitsHook":false}}"#
    let finished = #"{"boot":"one","uptime":50,"time":0,"isSynchronized":false}"#
    for begun in ["1e300", "-1", "51"] {
      let text = line.replacing("MOMENT", with: finished)
        .replacing("BEGUN", with: finished.replacing("50", with: begun))
      #expect(try #require(CatalogueLine(bytes: text.utf8)?.finished).begun == nil, "\(begun)")
    }
    // A run of the system that no other line knows.
    let text = line.replacing("MOMENT", with: finished).replacing("BEGUN", with: finished.replacing("one", with: "two"))
    var catalogue = FilmCatalogue()
    catalogue.take(try #require(CatalogueLine(bytes: text.utf8)))
    #expect(catalogue.films.map(\.begun) == [nil])
  }
}

import Assembly
import Foundation
import Frames
import Movies
import Platform
import TestKit
import Testing

/// A film in the making, under its hidden name, and what becomes of it.
struct PartialFilmTests {
  private static let sidecar = RecordingKind.sidecarHeading + "1}"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func partial(_ bytes: some Sequence<UInt8>, of name: String, sidecar: String? = nil) throws -> PartialFilm {
    let film = PartialFilm(folder.path(name)), hidden = PathText(film.path).name
    _ = try folder.write(bytes, to: hidden)
    if let sidecar { _ = try folder.write(sidecar.utf8, to: hidden + ".camrec") }
    return film
  }

  private func text(_ name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }

  @Test func aFilmGetsItsNameWithItsSidecar() throws {
    let film = try partial("new".utf8, of: "a.mov", sidecar: Self.sidecar)
    #expect(PartialFilmName.isOne(PathText(film.path).name))
    #expect(try film.finish(overwrite: false) == nil)
    #expect(try folder.names == ["a.mov", "a.mov.camrec"] && text("a.mov") == "new")
  }

  @Test func aFilmCreatedMeanwhileStays() throws {
    let film = try partial("new".utf8, of: "a.mov", sidecar: Self.sidecar)
    _ = try folder.write("another's".utf8, to: "a.mov")
    let error = #expect(throws: PartialFilm.Misplaced.self) { try film.finish(overwrite: false) }
    #expect(error?.path == folder.path("a-2.mov") && error?.error.code == .output)
    #expect(try folder.names == ["a-2.mov", "a-2.mov.camrec", "a.mov"])
    #expect(try text("a.mov") == "another's" && text("a-2.mov") == "new")
  }

  @Test func aFilmThatIsReplacedGoesWithItsSidecar_butNoOtherFile() throws {
    for name in ["a.mov", "b.mov"] { _ = try folder.write("old".utf8, to: name) }
    _ = try folder.write(Self.sidecar.utf8, to: "a.mov.camrec")
    _ = try folder.write("notes".utf8, to: "b.mov.camrec")
    #expect(try partial("new".utf8, of: "a.mov").finish(overwrite: true) == nil)
    let said = try partial("new".utf8, of: "b.mov", sidecar: Self.sidecar).finish(overwrite: true)
    #expect(said?.hasPrefix("the film has no sidecar: '\(folder.path("b.mov.camrec"))' cannot be created") == true)
    #expect(try folder.names == ["a.mov", "b.mov", "b.mov.camrec"] && text("b.mov.camrec") == "notes")
    #expect(try text("a.mov") == "new" && text("b.mov") == "new")
  }

  @Test func aFilmThatIsBeingRecordedIsNotReplaced() throws {
    let path = try folder.write("old".utf8, to: "a.mov")
    let lock = try FilmLock(replacing: path)
    #expect(lock != nil)
    #expect(throws: CamrecError.self) { try PartialFilm.checkReplacing(path) }
    let film = try partial("new".utf8, of: "a.mov")
    let error = #expect(throws: PartialFilm.Misplaced.self) { try film.finish(overwrite: true) }
    #expect(error?.path == folder.path("a-2.mov"))
    #expect(try text("a.mov") == "old" && text("a-2.mov") == "new")
    withExtendedLifetime(lock) {}
  }

  @Test func whatKilledBakesLeftGoes_butNothingInUse() throws {
    _ = try partial("torn".utf8, of: "a.mov", sidecar: Self.sidecar)
    let other = try partial("torn".utf8, of: "b.mov")
    #expect(PartialFilm.removeAbandoned(of: [folder.path("a.mov")]).isClear)
    #expect(try folder.names == [PathText(other.path).name], "of that film only")
    let lock = try FilmLock(replacing: other.path)
    #expect(!PartialFilm.removeAbandoned(of: [folder.path("b.mov")]).isClear)
    #expect(try folder.names == [PathText(other.path).name])
    withExtendedLifetime(lock) {}
  }

  @Test func aCompleteFilmThatAKilledBakeLeftStays() throws {
    // A Matroska file's segment has its length once the film is complete.
    let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x80, 0x18, 0x53, 0x80, 0x67, 0x01]
    let whole = try partial(head + [0, 0, 0, 0, 0, 0, 9], of: "c.mkv")
    _ = try partial(head + [UInt8](repeating: 0xFF, count: 7), of: "c.mkv")
    let found = PartialFilm.removeAbandoned(of: [folder.path("c.mkv")])
    #expect(found.isClear && found.whole.count == 1 && found.whole.first?.contains(whole.path) == true)
    #expect(try folder.names == [PathText(whole.path).name])
  }
}

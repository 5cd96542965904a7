import Foundation
import Sidecar
import Testing

/// Sidecars whose films get other names while both are written.
@Suite struct SidecarNameTests {
  private let sample: SidecarSample

  init() throws { sample = try SidecarSample() }

  private func path(_ name: String) -> String { sample.folder.appendingPathComponent(name).path }

  /// The sidecar of the film `name`, which its head names.
  private func writer(_ name: String) throws -> SidecarWriter {
    var head = SidecarSample.head
    head.film = name
    return try SidecarWriter(film: path(name), head: head)
  }

  private func film(ofSidecar name: String) throws -> String? { try SidecarReader(path: path(name)).head.film }

  @Test func filmsThatTakeEachOthersName_doSoWithTheirSidecars() throws {
    let a = try writer("a.mov"), b = try writer("b.mov"), c = try writer("c.mov")
    for writer in [a, b, c] { writer.flush() }
    // a is b's name now, b is c's and c is a's.
    try a.settle(besideFilm: path("b.mov")) { nil }
    try b.settle(besideFilm: path("c.mov")) { nil }
    try c.settle(besideFilm: path("a.mov")) { nil }
    #expect(try film(ofSidecar: "b.mov.camrec") == "a.mov" && film(ofSidecar: "c.mov.camrec") == "b.mov")
    #expect(try film(ofSidecar: "a.mov.camrec") == "c.mov")
    #expect(a.path == path("b.mov.camrec"))
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path).sorted()
    #expect(names == ["a.mov.camrec", "b.mov.camrec", "c.mov.camrec"])
  }

  @Test func anotherFileOfTheSidecarsNameStays() throws {
    let a = try writer("a.mov")
    try Data("shopping".utf8).write(to: URL(fileURLWithPath: path("b.mov.camrec")))
    #expect(throws: (any Error).self) { try a.settle(besideFilm: path("b.mov")) { nil } }
    #expect(try String(contentsOfFile: path("b.mov.camrec"), encoding: .utf8) == "shopping")
    #expect(try film(ofSidecar: "a.mov.camrec") == "a.mov")
  }

  /// A film begins under the name of one that has just been renamed.
  @Test func aSidecarOfAFilmThatWasRenamedLivesOn() throws {
    let a = try writer("a.mov")
    a.flush()
    let next = try writer("a.mov")
    next.flush()
    a.append(.marker("later", seconds: 1))
    try a.settle(besideFilm: path("b.mov")) { nil }
    let text = try String(contentsOfFile: path("b.mov.camrec"), encoding: .utf8)
    #expect(text.split(separator: "\n").count == 2 && text.contains("later"), "\(text)")
    let new = try String(contentsOfFile: path("a.mov.camrec"), encoding: .utf8)
    #expect(new.split(separator: "\n").count == 1, "\(new)")
  }
}

import Foundation
import Platform
import Testing

/// A file that gets its final name.
@Suite struct NewNameTests {
  @Test func whatAppearedInTheMeantimeStays() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("camrec-name-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let part = folder.appendingPathComponent("a.part"), film = folder.appendingPathComponent("a.mov")
    try Data([1]).write(to: part)
    try Data([2]).write(to: film)
    let error = #expect(throws: NewName.Failure.self) { try NewName.give(film.path, to: part.path) }
    #expect(error?.number == EEXIST)
    #expect(try Data(contentsOf: film) == Data([2]) && Data(contentsOf: part) == Data([1]))
    try FileManager.default.removeItem(at: film)
    try NewName.give(film.path, to: part.path)
    #expect(try Data(contentsOf: film) == Data([1]) && !FileManager.default.fileExists(atPath: part.path))
  }
}

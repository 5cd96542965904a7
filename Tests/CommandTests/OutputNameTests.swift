import Foundation
import TestKit
import Testing

/// Names of outputs that nobody thinks of: each a sentence and a documented status, or a file of just that name.
@Suite struct OutputNameTests {
  private static let camera = [
    "--camera", "sim:pace=pulled", "--size", "160x90", "--frames", "2", "--microphone", "none", "--control", "none",
  ]

  @Test(arguments: [
    ("x", 64, "needs a name that ends"), ("-", 64, "needs a name that ends"), ("d/f", 64, "needs a name that ends"),
    (".mov", 64, "needs a name that ends"), ("a\nb", 64, "needs a name that ends"), ("", 64, "has no name"),
    (".", 74, "is a folder"), ("..", 74, "is a folder"), ("./", 74, "is a folder"),
    ("/", 74, "is a folder"),
    ("x.mov/", 74, "ends in a slash, so it names a folder; for a film use --output x.mov"),
    ("q/take.mov", 74, "the folder of 'q/take.mov' does not exist"),
    (String(repeating: "k/", count: 2100) + "k.mov", 64, "is longer than 4096 bytes"),
    (String(repeating: "k", count: 300) + ".mov", 74, "is too long for this file system"),
  ])
  func aNameThatCannotBeIsRefused(name: String, status: Int32, sentence: String) throws {
    let folder = try TemporaryFolder()
    let outcome = try CamrecBinary.find().run(Self.camera + ["--state", "none", "-o", name], in: folder.url)
    #expect(outcome.exitCode == status && outcome.standardError.contains(sentence), "\(outcome)")
    #expect(try folder.names.isEmpty)
  }

  @Test(arguments: ["a b.mov", "a\nb.mov", "名.mov", "-x.mov", "~.mov", "%%.mov", "x.y.MOV"])
  func aNameThatCanBeIsTheFilms(name: String) throws {
    let folder = try TemporaryFolder()
    let outcome = try CamrecBinary.find().run(Self.camera + ["--state", "s", "--output=\(name)"], in: folder.url)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let film = name.replacing("%%", with: "%")
    #expect(Set(try folder.names) == [film, film + ".camrec", "s"])
  }

  /// What is written beside films replaces none.
  @Test func aFilmThatIsNamedAsAStateFileOrAsSettings_staysAFilm() throws {
    let folder = try TemporaryFolder()
    let camrec = try CamrecBinary.find()
    let first = try camrec.run(Self.camera + ["--state", "f.mov", "-o", "f.mov", "--overwrite"], in: folder.url)
    #expect(
      first.exitCode == 0 && first.standardError.contains("'f.mov' is a film, and is not overwritten"), "\(first)")
    let film = try Data(contentsOf: URL(fileURLWithPath: folder.path("f.mov")))
    #expect(try camrec.run(["verify", "f.mov"], in: folder.url).exitCode == 0)
    for option in ["--state", "--settings"] {
      let other = try camrec.run(Self.camera + [option, "f.mov", "-o", "g\(option).mov"], in: folder.url)
      #expect(other.standardError.contains("'f.mov' is"), "\(other)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("f.mov"))) == film, "\(option)")
    }
  }
}

import Foundation
import TestKit
import Testing

/// `camrec look list`, `info`, `export` and `plot` as a script sees them.
@Suite struct LookCommandTests {
  /// With the folder as the configuration's, and no other looks of the user's.
  private func run(_ arguments: String..., in folder: TemporaryFolder) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(
      ["look"] + arguments, in: folder.url, environment: ["XDG_CONFIG_HOME": folder.url.path], timeout: 120)
  }

  /// A folder whose looks are the shipped one.
  private func folderWithPortra() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(), own = folder.url.appending(path: "camrec/looks")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    for name in ["portra-400.yaml", "portra-400.cube"] {
      try FileManager.default.createSymbolicLink(
        at: own.appending(path: name), withDestinationURL: LookFiles.folder.appending(path: name))
    }
    return folder
  }

  private func object(_ line: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func list_namesLooksAndWhatIsWrongWithOthers() throws {
    let folder = try folderWithPortra(), own = folder.url.appending(path: "camrec/looks").path
    let good = try run("list", in: folder)
    #expect(good.exitCode == 0 && good.standardError.isEmpty)
    #expect(
      good.standardOutput.split(separator: "\n").contains(
        "portra-400, version 1: Portra 400 (\(own)/portra-400.yaml)"))
    try Data("camrec-look: 9\n".utf8).write(to: URL(filePath: "\(own)/later.yaml"))
    let found = try run("list", "--json", in: folder)
    #expect(found.exitCode == 65)
    let sentence =
      "\(own)/later.yaml:1:14: camrec-look: this look is in format 9, and this camrec reads only up to 1; use a newer "
      + "camrec"
    #expect(found.standardError == "Error: \(sentence)\n")
    let reports = try found.standardOutput.split(separator: "\n").map(object)
    #expect(reports.allSatisfy { $0["format"] as? String == "camrec-look-list" && $0["version"] as? Int == 1 })
    #expect(reports.contains { $0["name"] as? String == "portra-400" && $0["lookVersion"] as? Int == 1 })
    #expect(reports.contains { $0["error"] as? String == sentence })
  }

  @Test func info_showsWhatIsInALook() throws {
    let folder = try folderWithPortra()
    let words = try run("info", "portra-400", in: folder)
    #expect(words.exitCode == 0)
    for line in [
      "name: portra-400", "version: 1", "title: Portra 400", "exposure: 0.0 EV",
      "tone curve: 0.0 to 0.03, 0.15 to 0.12, 0.5 to 0.48, 0.85 to 0.82, 1.0 to 0.97",
      "desaturation: from luma 0.75 to 1.0, amount 0.35",
      "grain: intensity 0.04, blur with a sigma of 1/3000 of the shorter side, 1 to 20 px",
      "made by: scripts/derive-look portra-400",
    ] { #expect(words.standardOutput.split(separator: "\n").contains(line[...]), "\(line)") }
    let report = try object(try run("info", "--json", LookFiles.portra, in: folder).standardOutput)
    #expect(report["format"] as? String == "camrec-look-info" && report["version"] as? Int == 1)
    #expect(report["lookVersion"] as? Int == 1 && report["path"] as? String == LookFiles.portra)
    let table = try #require(report["table"] as? [String: Any])
    #expect(table["size"] as? Int == 64 && (table["sha256"] as? String)?.count == 64)
    #expect((report["grain"] as? [String: Any])?["size"] as? String == "1/3000")
  }

  @Test func unknownAndWrongLooks_areRefused() throws {
    let folder = try folderWithPortra()
    let near = try run("info", "portra-40", in: folder)
    #expect(near.exitCode == 64)
    #expect(near.standardError.contains("there is no look 'portra-40'; did you mean portra-400?"))
    let cube = try run("info", "look.cube", in: folder)
    #expect(cube.exitCode == 64)
    #expect(cube.standardError.contains("'look.cube' is neither a look's name nor the path of a look file"))
    let missing = try run("info", "missing.yaml", in: folder)
    #expect(missing.exitCode == 65)
    #expect(missing.standardError == "Error: the look 'missing.yaml' cannot be read (No such file or directory)\n")
    let text = try String(contentsOfFile: LookFiles.portra, encoding: .utf8)
    let changes: [(String, String, String)] = [
      ("[0.5, 0.48]", "[0.5, 0.08]", ":32:5: curve: points must rise in both numbers"),
      ("intensity: 0.04", "intensity: 1.04", ":37:20: grain.intensity: this must be a number from 0 to 1, not '1.04'"),
      ("exposure:", "exposre:", ":28:1: exposre: there is no key 'exposre'; did you mean exposure?"),
      ("table: portra-400.cube", "table: none.cube", ":35:8: table: 'none.cube' cannot be read"),
      ("name: portra-400", "name: portra", ":17:7: name: the look is called 'portra', and its file 'portra-400.yaml'"),
    ]
    for (old, new, sentence) in changes {
      try Data(text.replacing(old, with: new).utf8).write(to: folder.url.appending(path: "portra-400.yaml"))
      let outcome = try run("info", "portra-400.yaml", in: folder)
      #expect(outcome.exitCode == 65, "\(new)")
      #expect(outcome.standardError.hasPrefix("Error: portra-400.yaml\(sentence)"), "\(outcome.standardError)")
      #expect(outcome.standardError.split(separator: "\n").count == 1)
    }
  }

  @Test func export_writesATableThatSaysWhereItComesFrom() throws {
    let folder = try folderWithPortra()
    let outcome = try run("export", "portra-400", "--from", "rec709", "--size", "33", "out.cube", in: folder)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let sentence = /at 32768 colours, it differs from the look by at most (.*) code values of 8 bits, (.*) on average\n/
    let said = try #require(outcome.standardOutput.wholeMatch(of: sentence))
    #expect(try #require(Double(said.1)) <= 1 && #require(Double(said.2)) <= 0.1)
    let lines = try String(contentsOf: folder.url.appending(path: "out.cube"), encoding: .utf8).split(separator: "\n")
    #expect(lines[0] == "# camrec look export portra-400 --from rec709 --to rec709 --size 33")
    #expect(lines[1].hasPrefix("# portra-400, version 1; "))
    #expect(lines[2] == "TITLE \"Portra 400 (portra-400, version 1), rec709 to rec709\"")
    #expect(lines[3] == "LUT_3D_SIZE 33" && lines.count == 4 + 33 * 33 * 33)
    let again = try run("export", "portra-400", "--from", "rec709", "--size", "33", "out.cube", in: folder)
    #expect(again.exitCode == 74 && again.standardError.contains("'out.cube' exists already"))
    let check = try CamrecBinary.find().run(["lut", "check", "out.cube"], in: folder.url)
    #expect(check.exitCode == 0, "\(check.standardOutput)")
  }

  /// The greatest difference of each is on the page about looks.
  @Test(arguments: [
    ("rec709", "rec709", "33", nil), ("display-p3", "display-p3", "33", nil),
    ("display-p3", "rec709", "33", "--size 65 is closer to it"),
    ("display-p3", "srgb", "65", nil), ("apple-log", "rec709", "65", nil),
    ("vlog", "rec709", "65", "no larger .cube file can be made, and --look bakes films with the same one"),
  ] as [(String, String, String, String?)])
  func export_warnsIfTheTableIsFarFromTheLook(_ from: String, _ to: String, _ size: String, _ remedy: String?) throws {
    let folder = try folderWithPortra()
    let outcome = try CamrecBinary.find().run(
      ["look", "export", "portra-400", "--from", from, "--to", to, "--size", size, "out.cube"], in: folder.url,
      environment: ["XDG_CONFIG_HOME": folder.url.path], timeout: 600)
    let warnings = outcome.standardError.split(separator: "\n").filter { $0.hasPrefix("Warning: ") }
    let words = "Warning: some colours, mostly very saturated ones, differ from the look by more than 1 code value; "
    #expect(outcome.exitCode == 0 && warnings == [remedy.map { (words + $0)[...] }].compactMap(\.self), "\(outcome)")
  }

  @Test(arguments: [
    (["--from", "pq", "out.cube"], "choose one of rec709, apple-log, slog3, vlog, logc3, logc4, flog2, clog3, srgb"),
    (["--from", "rec709", "--to", "apple-log", "out.cube"], "choose one of rec709, srgb, display-p3"),
    (["--from", "rec709", "--size", "17", "out.cube"], "the number of points is 33 or 65"),
    (["--from", "rec709", "out.png"], "this command writes a .cube file"),
    (["out.cube"], "Missing expected argument '--from <NAME>'"),
  ])
  func export_refusesWhatItCannotMake(_ rest: [String], _ sentence: String) throws {
    let folder = try folderWithPortra()
    let outcome = try CamrecBinary.find().run(["look", "export", LookFiles.portra] + rest, in: folder.url)
    #expect(outcome.exitCode == 64, "\(outcome.standardError)")
    #expect(outcome.standardError.contains(sentence), "\(outcome.standardError)")
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "out.cube").path))
  }

  @Test func plot_writesAPictureThatOthersOpen() throws {
    let folder = try folderWithPortra()
    let png = try run("plot", "portra-400", "look.png", in: folder)
    #expect(png.exitCode == 0 && png.standardError.isEmpty, "\(png.standardError)")
    let size = try Tool.run([
      "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
      folder.path("look.png"),
    ])
    #expect(String(decoding: size, as: UTF8.self) == "png,1600,2240\n")
    let svg = try run("plot", LookFiles.portra, "look.SVG", in: folder)
    #expect(svg.exitCode == 0 && svg.standardError.isEmpty, "\(svg.standardError)")
    let text = try String(contentsOf: folder.url.appending(path: "look.SVG"), encoding: .utf8)
    #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>\n"))
    #expect(text.contains(">Portra 400</text>"))
    #expect(text.contains(">portra-400, version 1: exposure 0.0 EV, grain 0.04, 1/3000 of the shorter side</text>"))
    #expect(text.components(separatedBy: "href=\"data:image/png;base64,iVBORw0KGgo").count == 3)
    let again = try run("plot", "portra-400", "look.png", in: folder)
    #expect(again.exitCode == 74 && again.standardError.contains("'look.png' exists already"))
    #expect(try run("plot", "portra-400", "look.png", "--overwrite", in: folder).exitCode == 0)
    let other = try run("plot", "portra-400", "look.jpg", in: folder)
    #expect(other.exitCode == 64)
    #expect(
      other.standardError.contains("the plot is a PNG or an SVG; choose a name that ends in .png or .svg"),
      "\(other.standardError)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("look.jpg")))
  }

  @Test func helpIsThere() throws {
    let folder = try TemporaryFolder()
    for (words, usage) in [
      ([], "camrec look list [--json]"), (["list"], "camrec look list [--json]"),
      (["info"], "camrec look info [--json] LOOK"), (["export"], "camrec look export LOOK --from NAME"),
      (["plot"], "camrec look plot [--overwrite] LOOK OUT.png|OUT.svg"),
    ] {
      let whole = try CamrecBinary.find().run(["look"] + words + ["--help"], in: folder.url)
      #expect(whole.exitCode == 0 && whole.standardOutput.contains("USAGE: \(usage)"))
      guard let word = words.first else { continue }
      let brief = try CamrecBinary.find().run(["look", word, "-h"], in: folder.url)
      #expect(brief.standardOutput.hasSuffix("\ncamrec look \(word) --help explains these options.\n"))
      #expect(brief.standardOutput.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }
  }
}

import Foundation
import TestKit
import Testing

/// `camrec lut check`, `convert` and `compose` as a script sees them.
@Suite struct LUTToolsTests {
  private static let rows = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
  private static let identity = "LUT_3D_SIZE 2\n" + rows
  private static let inversion = "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n1 1 1\n0 0 0\n" + rows

  private func run(_ arguments: String..., in folder: TemporaryFolder) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(["lut"] + arguments, in: folder.url, timeout: 60)
  }

  /// Samples that are all alike hide from the bound of the error that the domain is too narrow for coordinates.
  @Test func checkFindsADomainThatNoBakeCanTake_evenOfAFlatTable() throws {
    let folder = try TemporaryFolder()
    let flat =
      "LUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1e-30 1e-30 1e-30\n" + String(repeating: "0.5 0.5 0.5\n", count: 8)
    _ = try folder.write(flat.utf8, to: "flat.cube")
    let outcome = try run("check", "flat.cube", in: folder)
    #expect(outcome.exitCode == 4)
    #expect(
      outcome.standardOutput == """
        flat.cube: all colours become the same
        flat.cube: all inputs above 1e-30 give the output of 1e-30
        flat.cube: the LUT cannot be applied to within one code value: its values differ too much, or its DOMAIN is \
        too narrow; export it again with ordinary values (0 is black, 1 is white)

        """)
  }

  @Test func checkTellsGoodFromOddFromBroken() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.identity.utf8, to: "good.cube")
    let odd = (0..<30).map { "WHAT\($0)\n" }.joined() + Self.inversion
    _ = try folder.write(odd.utf8, to: "odd.cube")
    _ = try folder.write("LUT_3D_SIZE 2\n0 0\n".utf8, to: "broken.cube")
    let good = try run("check", "good.cube", in: folder)
    #expect(good.exitCode == 0 && good.standardOutput == "good.cube: nothing odd\n")
    let found = try run("check", "good.cube", "odd.cube", in: folder)
    #expect(found.exitCode == 4)
    for line in 1...30 {
      #expect(found.standardOutput.contains("odd.cube, line \(line): unknown keyword “WHAT\(line - 1)”, ignored\n"))
    }
    let fall = "odd.cube: a brighter grey makes a channel darker, first at input 0.0039\n"
    #expect(found.standardOutput.hasSuffix(fall))
    let broken = try run("check", "broken.cube", "odd.cube", in: folder)
    #expect(broken.exitCode == 65)
    let sentence = "broken.cube, line 2: 2 numbers in a row; a row has three (red, green, blue)"
    #expect(broken.standardError == "Error: \(sentence)\n")
    #expect(broken.standardOutput.contains("odd.cube, line 1:"))
  }

  @Test func checkSaysWhatNoBakeCanApply() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(("LUT_3D_SIZE 2\n" + Self.rows.replacing("1", with: "1e30")).utf8, to: "wild.cube")
    let outcome = try run("check", "wild.cube", in: folder)
    #expect(outcome.exitCode == 4)
    #expect(outcome.standardOutput.contains("wild.cube: the LUT cannot be applied to within one code value"))
  }

  @Test func convertMakesOneTableThatOtherProgramsRead() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.inversion.utf8, to: "in.cube")
    let outcome = try run("convert", "--size", "5", "in.cube", "out.cube", in: folder)
    #expect(outcome.exitCode == 0)
    #expect(outcome.standardOutput == "the greatest difference found is 0.000000 (0.00 code values of 10 bits)\n")
    let lines = try String(contentsOf: folder.url.appending(path: "out.cube"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 126 && lines[0] == "LUT_3D_SIZE 5")
    #expect(lines[1] == "1.000000 1.000000 1.000000" && lines[2] == "0.750000 1.000000 1.000000")
    let info = try run("info", "out.cube", in: folder)
    #expect(info.standardOutput.contains("neutrals: fall, first at input 0.0039; channels at most 0.000000 apart\n"))
    let again = try run("convert", "in.cube", "out.cube", in: folder)
    #expect(again.exitCode == 74)
    #expect(again.standardError.contains("'out.cube' exists already"))
  }

  /// There the name is taken with an empty file, which alone is renamed over.
  @Test func aNewFileReplacesNothing_whereEveryNewNameReplaces() throws {
    let folder = try TemporaryFolder(), camrec = try CamrecBinary.find()
    func text(_ name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }
    _ = try folder.write(Self.identity.utf8, to: "in.cube")
    let environment = try FaultyFiles.environment(lacking: "noreplace", "links")
    let convert = ["lut", "convert", "--size", "5", "in.cube"]
    let made = try camrec.run(convert + ["out.cube"], in: folder.url, environment: environment)
    #expect(made.exitCode == 0, "\(made)")
    #expect(try run("convert", "--size", "5", "in.cube", "usual.cube", in: folder).exitCode == 0)
    #expect(try text("out.cube") == text("usual.cube"))
    // The new file is written, and another program takes the name before it has it.
    let gate = try FileGate(path: folder.path("gate"), call: .mode, ofFile: ".new")
    let late = try camrec.start(
      convert + ["late.cube"], in: folder.url, environment: try gate.environment().merging(environment) { $1 })
    try gate.awaitSomebody()
    _ = try folder.write("mine".utf8, to: "late.cube")
    gate.open()
    let refused = late.wait()
    let sentence = "late.cube' was created by another program meanwhile, and is not overwritten; choose another name\n"
    #expect(refused.exitCode == 74 && refused.standardError.hasSuffix(sentence), "\(refused)")
    #expect(try text("late.cube") == "mine")
    #expect(try folder.names == ["gate", "in.cube", "late.cube", "out.cube", "usual.cube"])
  }

  @Test func convertSaysWhatANarrowerInputLoses() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(("DOMAIN_MAX 2 2 2\n" + Self.identity).utf8, to: "in.cube")
    let outcome = try run("convert", "in.cube", "out.cube", in: folder)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.standardError == "Warning: the LUT's input goes from 0.0 to 2.0; the new one covers only 0 to 1\n")
  }

  @Test func composeDoesTheFirstThenTheSecond() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.inversion.utf8, to: "a.cube")
    _ = try folder.write("LUT_1D_SIZE 2\n0 0 0\n0.5 0.5 0.5\n".utf8, to: "b.cube")
    let outcome = try run("compose", "--size", "2", "a.cube", "b.cube", "out.cube", in: folder)
    #expect(outcome.exitCode == 0)
    let text = try String(contentsOf: folder.url.appending(path: "out.cube"), encoding: .utf8)
    #expect(text.hasPrefix("LUT_3D_SIZE 2\n0.500000 0.500000 0.500000\n0.000000 0.500000 0.500000\n"))
  }

  @Test func anEmptyNameIsSaid() throws {
    let outcome = try run("info", "", in: TemporaryFolder())
    #expect(outcome.exitCode == 65)
    #expect(outcome.standardError == "Error: the LUT's name is empty; give the path of a .cube file\n")
  }

  @Test func whatIsTooLargeForACubeIsNotWritten() throws {
    let folder = try TemporaryFolder()
    let samples = Self.rows.replacing("1", with: "3.4e38")
    _ = try folder.write(("LUT_3D_SIZE 2\nLUT_OUT_VIDEO_RANGE\n" + samples).utf8, to: "wild.cube")
    let outcome = try run("convert", "wild.cube", "out.cube", in: folder)
    #expect(outcome.exitCode == 65 && outcome.standardError.contains("a value of the result is too large for a .cube"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.cube")))
  }

  @Test func replacingKeepsLinksModesAndWhatIsNoFile() throws {
    let folder = try TemporaryFolder(), files = FileManager.default
    _ = try folder.write(Self.identity.utf8, to: "real.cube")
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("real.cube"))
    try files.createSymbolicLink(atPath: folder.path("link.cube"), withDestinationPath: "real.cube")
    try files.createDirectory(atPath: folder.path("directory.cube"), withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: folder.path("lost.cube"), withDestinationPath: "nowhere.cube")
    let make = ["make", "--from", "srgb", "--to", "srgb", "--size", "3", "--overwrite"]
    func making(_ name: String) throws -> CamrecBinary.Outcome {
      try CamrecBinary.find().run(["lut"] + make + [name], in: folder.url, timeout: 60)
    }
    #expect(try making("link.cube").exitCode == 0)
    #expect(try files.destinationOfSymbolicLink(atPath: folder.path("link.cube")) == "real.cube")
    #expect(try String(contentsOfFile: folder.path("real.cube"), encoding: .utf8).contains("LUT_3D_SIZE 3"))
    #expect(try files.attributesOfItem(atPath: folder.path("real.cube"))[.posixPermissions] as? Int == 0o600)
    for (name, sentence) in [
      ("directory.cube", "'directory.cube' is a folder or a device, not a file; choose another name"),
      ("lost.cube", "'lost.cube' is a link to nothing; choose another name or delete the link"),
      ("film.cube", "'film.cube' is a film, and is not overwritten; choose another name"),
    ] {
      _ = try folder.write([0, 0, 0, 20] + "ftypqt  ".utf8 + [0, 0, 0, 0], to: "film.cube")
      let outcome = try making(name)
      #expect(outcome.exitCode == 74 && outcome.standardError == "Error: \(sentence)\n", "\(outcome.standardError)")
    }
    // The same text under these names would be taken for another format.
    for name in ["/dev/null", "", "look.csp", "look.3dl", "take.mov"] {
      let outcome = try making(name)
      let sentence = "this command writes a .cube file; choose a name that ends in .cube, not '\(name)'"
      #expect(
        outcome.exitCode == 64 && outcome.standardError.contains("Error: \(sentence)"), "\(outcome.standardError)")
    }
  }

  @Test func plotWritesAPictureThatOthersOpen() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Self.identity.utf8, to: "a.cube")
    let outcome = try run("plot", "a.cube", "a.png", in: folder)
    #expect(outcome.exitCode == 0 && outcome.standardError == "")
    let size = try Tool.run([
      "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
      folder.path("a.png"),
    ])
    #expect(String(decoding: size, as: UTF8.self) == "png,1600,1200\n")
    let other = try run("plot", "a.cube", "a.jpg", in: folder)
    #expect(other.exitCode == 64 && other.standardError.contains("the plot is a PNG; choose a name that ends in .png"))
    #expect(try folder.names == ["a.cube", "a.png"])
  }

  @Test(arguments: [
    ("slog3/sgamut3.cine", "slog3"), ("vlog/vgamut", "vlog"), ("logc3/awg3", "logc3"), ("LogC4/AWG4", "logc4"),
    ("flog2/fgamut", "flog2"), ("clog3/cinemagamut", "clog3"), ("apple-log/rec2020", "apple-log"),
  ])
  func makeTakesLongNamesForTheSameTable(long: String, short: String) throws {
    let folder = try TemporaryFolder()
    for (name, file) in [(long, "long.cube"), (short, "short.cube")] {
      let outcome = try run("make", "--from", name, "--to", "display-p3", "--size", "5", file, in: folder)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    }
    let texts = try ["long.cube", "short.cube"].map { try Data(contentsOf: folder.url.appending(path: $0)) }
    #expect(texts[0] == texts[1] && !texts[0].isEmpty)
  }
}

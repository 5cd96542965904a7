import Color
import Foundation
import Frames
import Looks
import Platform
import Testing

@Suite struct LookFileTests {
  private static let identity: [UInt8] = (try? TestLooks.cube(64)) ?? []

  /// The sentence for a changed look file, with the folder left out.
  private static func sentence(
    _ old: String, _ new: String, name: String = "plain.yaml", cube: [UInt8]? = nil
  ) throws -> String {
    let folder = try LookFolder()
    let path = try folder.write(TestLooks.text.replacing(old, with: new).utf8, to: name)
    if let cube { try folder.write(cube, to: "plain.cube") }
    do {
      _ = try LookFile(path: path)
      return "nothing was wrong"
    } catch {
      #expect(error.code == .input)
      return error.description.replacing(folder.url.path + "/", with: "")
    }
  }

  @Test func shippedLook_isRead() throws {
    let file = try TestLooks.portra.get(), look = file.look
    #expect(look.name == "portra-400" && look.version == 1 && look.title == "Portra 400")
    #expect(look.derivation.command == "scripts/derive-look portra-400" && look.derivation.sources.count == 5)
    #expect(look.exposure == 0 && look.curve.points.count == 5 && look.curve.points[2] == .init(0.5, 0.48))
    #expect(look.table.size == 64 && look.tableSHA256.count == 64)
    #expect(look.desaturation == .init(from: 0.75, to: 1, amount: 0.35))
    #expect(look.grain == .init(intensity: 0.04, size: Rational(1, 3000)))
    #expect(PathText(file.tablePath).name == "portra-400.cube")
  }

  @Test func ownLook_isRead() throws {
    let folder = try LookFolder()
    let path = try folder.write(TestLooks.text.utf8, to: "plain.yaml")
    try folder.write(Self.identity, to: "plain.cube")
    let look = try LookFile(path: path).look
    #expect(look.version == 3 && look.exposure == 0.5)
    #expect(try LookFile.entry(path: path) == LookEntry(name: "plain", version: 3, title: "Plain", path: path))
  }

  @Test(arguments: [
    ("[0.5, 0.4]", "[0.5, 1]",
     "plain.yaml:13:5: curve: points must rise in both numbers, and [1.0, 1.0] does not after [0.5, 1.0]; correct one"),
    ("[0.5, 0.4]", "[0, 0.4]",
     "plain.yaml:12:5: curve: points must rise in both numbers, and [0.0, 0.4] does not after [0.0, 0.0]; correct one"),
    ("[0.5, 0.4]", "[0.5, 1.4]", "plain.yaml:12:11: curve: this must be a number from 0 to 1, not '1.4'"),
    ("[0.5, 0.4]", "[-0.5, 0.4]", "plain.yaml:12:6: curve: this must be a number from 0 to 1, not '-0.5'"),
    ("[0.5, 0.4]", "[0.5, 0x1p-2]", "plain.yaml:12:11: curve: this must be a number from 0 to 1, not '0x1p-2'"),
    ("[0.5, 0.4]", "[0.5, nan]", "plain.yaml:12:11: curve: this must be a number from 0 to 1, not 'nan'"),
    ("[0.5, 0.4]", "[0.5]", "plain.yaml:12:5: curve: a point has two numbers, as in [0.5, 0.48]; this is a list"),
    ("  - [1, 1]\n", "",
     "plain.yaml:12:5: curve: the first point's x must be 0 and the last one's 1; add the missing point"),
    ("  - [0, 0]\n", "",
     "plain.yaml:11:5: curve: the first point's x must be 0 and the last one's 1; add the missing point"),
    ("  - [0.5, 0.4]\n  - [1, 1]\n", "", "plain.yaml:11:3: curve: a curve has 2 to 32 points, not 1"),
    ("table: plain.cube", "table: other.cube",
     "plain.yaml:14:8: table: 'other.cube' cannot be read (No such file or directory); put the table beside the look"
       + " file"),
    ("table: plain.cube", "table: ../plain.cube",
     "plain.yaml:14:8: table: this must be the name of a .cube file in the same folder, not '../plain.cube'"),
    ("table: plain.cube\n", "", "plain.yaml:1:1: table: the key 'table' is missing; all keys are required, so add it"),
    ("exposure:", "expsure:", "plain.yaml:9:1: expsure: there is no key 'expsure'; did you mean exposure?"),
    ("exposure:", "halation:",
     "plain.yaml:9:1: halation: there is no key 'halation'; the keys are camrec-look, name, version, title, "
       + "derivation, exposure, curve, table, desaturation, grain"),
    ("intensity: 0.04", "intensity: 1.5",
     "plain.yaml:16:20: grain.intensity: this must be a number from 0 to 1, not '1.5'"),
    ("intensity: 0.04", "strength: 0.04",
     "plain.yaml:16:9: grain.strength: there is no key 'strength'; the keys are intensity, size"),
    ("1/3000", "1/50",
     "plain.yaml:16:32: grain.size: this must be a fraction of the shorter side from 1/100000 to 1/100, such as "
       + "1/3000, not '1/50'"),
    ("1/3000", "0.0003",
     "plain.yaml:16:32: grain.size: this must be a fraction of the shorter side from 1/100000 to 1/100, such as "
       + "1/3000, not '0.0003'"),
    ("from: 0.8", "from: 1",
     "plain.yaml:15:15: desaturation: 'from' must be below 'to', not 1.0 and 1.0; write the luma where it begins, then "
       + "where it is full"),
    ("camrec-look: 1", "camrec-look: 2",
     "plain.yaml:1:14: camrec-look: this look is in format 2, and this camrec reads only up to 1; use a newer camrec"),
    ("camrec-look: 1", "camrec-look: one",
     "plain.yaml:1:14: camrec-look: this must be the version of the format, 1, not 'one'"),
    ("camrec-look: 1\n", "",
     "plain.yaml:1:1: this is not a look file, which says 'camrec-look: 1' at its top"),
    ("name: plain", "name: other",
     "plain.yaml:2:7: name: the look is called 'other', and its file 'plain.yaml'; rename one of them"),
    ("name: plain", "name: Plain",
     "plain.yaml:2:7: name: a look's name has 1 to 64 lower-case letters a to z, digits and hyphens, not 'Plain'"),
    ("version: 3", "version: 0",
     "plain.yaml:3:10: version: this must be a whole number from 1 to 999999, not '0'"),
    ("title: Plain", "title: 'a \"b\"'",
     "plain.yaml:4:8: title: a title has at most 100 characters and no quotation marks; shorten it"),
    ("exposure: 0.5", "exposure: 11",
     "plain.yaml:9:11: exposure: this must be a number from -10 to 10 EV, not '11'"),
    ("exposure: 0.5", "exposure: 0.5\nexposure: 1",
     "plain.yaml:10:1: the key 'exposure' is repeated here, after line 9; remove one"),
    ("exposure: 0.5", "exposure: &a 0.5",
     "plain.yaml:9:11: a look file has no anchors and aliases (& and *); quote a value that begins with one of these"),
    ("exposure: 0.5", "exposure: [",
     "plain.yaml:11:3: this is not YAML: did not find expected node content (while parsing a flow node)"),
  ])
  func mistake_isSaidInOneSentenceWithItsPlace(_ old: String, _ new: String, _ sentence: String) throws {
    #expect(try Self.sentence(old, new) == sentence)
  }

  @Test func wrongTable_isSaidWithItsPlaceInTheLookFile() throws {
    let start = "plain.yaml:14:8: table: "
    #expect(
      try Self.sentence("", "", cube: try TestLooks.cube(33)) == start
        + "'plain.cube' has 33 points per side; a look's table has 64; camrec lut convert --size 64 makes one")
    let curves = LookupTable(curves: .init(size: 2, samples: [0, 0, 0, 1, 1, 1]), lattice: nil).cubeFile()
    #expect(
      try Self.sentence("", "", cube: curves) == start
        + "'plain.cube' has no 3D table; camrec lut convert --size 64 makes one")
    let video = Self.identity.isEmpty ? [] : Array("LUT_IN_VIDEO_RANGE\n".utf8) + Self.identity
    #expect(
      try Self.sentence("", "", cube: video) == start + "'plain.cube' must be one 3D table for inputs from 0 to 1, "
        + "without curves and video range; camrec lut convert --size 64 makes one")
    #expect(try Self.sentence("", "", cube: Array("LUT_3D_SIZE 2\n0 0\n".utf8)).hasPrefix("plain.cube, line 2: "))
  }

  @Test func fileThatIsNone_isRefused() throws {
    #expect(
      throws: CamrecError(.input, "the look '/nowhere/a.yaml' cannot be read", cause: "No such file or directory")
    ) { try LookFile(path: "/nowhere/a.yaml") }
    let folder = try LookFolder()
    let latin = try folder.write([0x63, 0x3A, 0x20, 0xFF], to: "a.yaml")
    #expect(throws: CamrecError(.input, "\(latin):1:4: this is not UTF-8; save the look file as UTF-8")) {
      try LookFile(path: latin)
    }
    let list = try folder.write("- a\n".utf8, to: "b.yaml")
    #expect(
      throws: CamrecError(.input, "\(list):1:1: this is not a look file, which says 'camrec-look: 1' at its top")
    ) { try LookFile(path: list) }
    let empty = try folder.write("# nothing\n".utf8, to: "c.yaml")
    #expect(throws: CamrecError(.input, "\(empty): the file is empty; a look file has keys and values")) {
      try LookFile(path: empty)
    }
  }
}

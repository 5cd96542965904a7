import Assembly
import Color
import Foundation
import Frames
import Kernels
import RecorderAPI
import TestKit
import Testing

/// What gives a film its colours.
struct GradeTests {
  private static let cube = """
    TITLE "half"
    LUT_3D_SIZE 2
    0 0 0
    0.5 0 0
    0 0.5 0
    0.5 0.5 0
    0 0 0.5
    0.5 0 0.5
    0 0.5 0.5
    0.5 0.5 0.5

    """

  @Test func nothingChangesNothing() throws {
    let grade = try Grade(BakeSettings())
    #expect(!grade.changesColors && grade.words == "" && grade.look == nil && grade.grain == nil)
    #expect(try grade.table(from: .appleLog, to: .rec709) == nil && grade.lut == nil)
    #expect(Grade.files(BakeSettings()) == [] && !grade.seeded(9).changesColors)
  }

  @Test func aLUTIsTheTableOfItsFile() throws {
    let folder = try TemporaryFolder()
    let settings = BakeSettings(lut: try folder.write(Self.cube.utf8, to: "half.cube"))
    let grade = try Grade(settings), table = try grade.table(from: .rec709, to: .rec709)
    #expect(grade.changesColors && grade.words == " with the LUT" && grade.look == nil && grade.grain == nil)
    #expect(table?.title == "half" && table?.lattice?.size == 2 && table?.sha256 == grade.lut?.sha256)
    #expect(Grade.files(settings) == [folder.path("half.cube")])
  }

  @Test func aFileThatIsMissingIsNamed() {
    let error = #expect(throws: CamrecError.self) { try Grade(BakeSettings(lut: "/nowhere/look.cube")) }
    #expect(error?.code == .input && error?.message.contains("/nowhere/look.cube") == true)
    #expect(Grade.files(BakeSettings(lut: "/nowhere/look.cube")) == ["/nowhere/look.cube"])
  }

  @Test func aLookThatIsNotThereIsAnErrorOfTheArguments() {
    let settings = BakeSettings(look: "no-such-look")
    let error = #expect(throws: CamrecError.self) { try Grade(settings) }
    #expect(error?.code == .usage && error?.message.contains("no-such-look") == true)
    #expect(Grade.files(settings) == ["no-such-look"])
  }

  @Test func aLookHasItsOwnGrain_ofTheSeedThatIsAsked() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Looks/portra-400.yaml").path
    let settings = BakeSettings(look: file, grainSeed: 7), grade = try Grade(settings)
    #expect(grade.changesColors && grade.words == " with the look" && grade.lut == nil)
    #expect(grade.look?.name == "portra-400" && grade.look?.seed == 7 && grade.grain?.seed == 7)
    let other = grade.seeded(8)
    #expect(other.look?.name == "portra-400" && other.look?.seed == 8 && other.grain?.seed == 8)
    #expect(Grade.files(settings).count == 2, "its file and its table")
  }
}

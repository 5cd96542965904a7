import Assembly
import Bake
import Color
import Foundation
import Frames
import Jobs
import Kernels
import Movies
import Recorder
import Testing

/// What may have made another golden, and the ways in which a case runs.
struct GoldenCauseTests {
  /// Of a bake with a LUT.
  private func request(_ bake: BakeSettings) throws -> FilmMaker.Request {
    let cube = "LUT_3D_SIZE 2\n" + String(repeating: "0 0 0\n", count: 8)
    let table = try LookupTable(cube: Array(cube.utf8), name: "look.cube")
    return FilmMaker.Request(
      bake: bake, encoding: VideoEncoding(), file: FileSettings(),
      output: try OutputPath(pattern: "a.mov", date: Date()), grade: .lut(table), session: SessionOptions(),
      isLive: false, hasSidecar: false)
  }

  @Test func withoutALUTOnlyColoursAndRoundingCanDiffer() {
    #expect(
      BakeCause.families(for: BakeSettings()).map(\.words) == [
        "limited range before the bake (color-in)", "limited range after the bake (color-out)",
        "full range before the bake (color-in)", "full range after the bake (color-out)", "Cb and Cr exchanged",
        "dither ordered",
      ])
  }

  @Test func aLUTCanBeLeftOut_orInterpolatedOtherwise() {
    let words = BakeCause.families(for: BakeSettings(lut: "look.cube")).map(\.words)
    #expect(words.contains("no LUT") && words.contains("interpolation trilinear"))
    #expect(!words.contains("no look") && !words.contains("interpolation tetrahedral"))
  }

  @Test func aLookCanBeLeftOut_orItsSeed() {
    let words = BakeCause.families(for: BakeSettings(look: "portra-400", grainSeed: 5, dither: .ordered)).map(\.words)
    #expect(words.contains("no look") && words.contains("grain-seed 1") && words.contains("dither none"))
    let usual = BakeCause.families(for: BakeSettings(look: "portra-400", grainSeed: Grade.usualSeed)).map(\.words)
    #expect(!usual.contains { $0.hasPrefix("grain-seed") })
  }

  @Test func aCauseChangesWhatItSays() throws {
    let bake = BakeSettings(lut: "look.cube")
    var seen: Set<String> = []
    for cause in BakeCause.families(for: bake).flatMap(\.causes) {
      var request = try request(bake)
      cause.change(&request)
      let isNew = seen.insert(cause.words).inserted
      #expect(isNew, "\(cause.words) comes once")
      let words = cause.words.split(separator: " ").map(String.init)
      switch words[0] {
      case "color-in": #expect(request.bake.colorIn?.written == words[1])
      case "color-out": #expect(request.bake.colorOut?.written == words[1])
      case "interpolation": #expect(request.bake.interpolation.rawValue == words[1])
      case "dither": #expect(request.bake.dither.rawValue == words[1])
      case "Cb": #expect(request.exchangesChroma)
      default: #expect(cause.words == "no LUT" && !request.grade.changesColors)
      }
    }
    #expect(seen.contains("color-in rec601-full") && seen.contains("color-out rec2020-limited"))
  }

  @Test func causesThatAllGiveTheSameAreOne() throws {
    let family = try #require(BakeCause.families(for: BakeSettings()).first)
    #expect(family.causes.map(\.words) == ["rec709", "rec601", "rec2020"].map { "color-in \($0)-limited" })
    #expect(family.words(of: family.causes) == [family.words])
    #expect(family.words(of: [family.causes[1]]) == ["color-in rec601-limited"] && family.words(of: []) == [])
  }

  @Test func variantsAreNamed() {
    #expect(
      GoldenVariant(workers: 1, level: .avx2, place: .gpu, run: 2).words == "1 worker, avx2, baked on gpu, run 2")
    #expect(GoldenVariant(workers: 3).words == "3 workers" && GoldenVariant().words == "")
  }
}

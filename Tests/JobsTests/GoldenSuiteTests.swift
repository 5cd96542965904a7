import Assembly
import Cluster
import Color
import Foundation
import Frames
import Goldens
import Jobs
import Movies
import SectionFile
import TestKit
import Testing

/// Suites as they are read from a file, in a language of few words.
struct GoldenSuiteTests {
  private let folder: TemporaryFolder
  private static let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  init() throws { folder = try TemporaryFolder() }

  private static var language: SectionLanguage<GoldenCaseSettings> {
    let options = ["clip", "sha256", "lut", "look", "stages"].map {
      SectionSchema.Option($0, isRepeating: $0 == "stages")
    }
    let schema = SectionSchema(
      names: SectionSchema.Names(file: "suite", one: "case", all: "cases", limit: 10), keys: ["goldens"],
      options: options)
    return SectionLanguage(schema: schema) { (words) throws(ArgumentRefusal) in try read(words) }
  }

  private static func read(_ words: [String]) throws(ArgumentRefusal) -> GoldenCaseSettings {
    var clip: String?, digest: FileDigest?, stages: [GoldenStage] = [], bake = BakeSettings()
    for word in words {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
      switch parts[0] {
      case "clip": clip = parts[1]
      case "lut": bake.lut = parts[1]
      case "look": bake.look = parts[1]
      case "stages":
        guard let stage = GoldenStage(rawValue: parts[1]) else {
          throw ArgumentRefusal(message: "--stages: no stage is called so", reason: "no stage is called so")
        }
        stages.append(stage)
      default:
        do throws(CamrecError) { digest = try FileDigest(parsing: parts[1]) } catch {
          throw ArgumentRefusal(message: "--sha256: \(error.message)", reason: error.message)
        }
      }
    }
    guard let clip, let digest else { throw ArgumentRefusal(message: "a case needs --clip", reason: nil) }
    return GoldenCaseSettings(clip: clip, sha256: digest, stages: stages, bake: bake)
  }

  private func suite(_ text: String, names: [String] = [], shard: Shard? = nil) throws -> GoldenSuite {
    try GoldenSuite(
      readingFile: try folder.write(text.utf8, to: "suite.yaml"), names: names, shard: shard, language: Self.language)
  }

  private static let two = """
    goldens: kept
    defaults: {lut: look.cube}
    cases:
      day:
        clip: clips/day.mov
        sha256: \(digest)
        stages: [decoded, read]
      night:
        clip: /clips/night.mov
        sha256: \(digest)
        lut: ~
        look: own.yaml

    """

  @Test func pathsBeginWhereTheSuiteIs() throws {
    let suite = try suite(Self.two), (day, night) = (suite.cases[0], suite.cases[1])
    #expect(suite.cases.map(\.name) == ["day", "night"])
    #expect(day.path == folder.path("clips/day.mov") && day.settings.bake.lut == folder.path("look.cube"))
    #expect(night.path == "/clips/night.mov" && night.settings.bake.lut == nil)
    #expect(night.settings.bake.look == folder.path("own.yaml"))
    #expect(suite.folder.file("day", .read) == folder.path("kept/day.read.framemd5"))
    #expect(suite.folder.file("day", .container) == folder.path("kept/day.container.txt"))
    let unnamed = try self.suite(String(Self.two.dropFirst("goldens: kept\n".count)))
    #expect(unnamed.folder.path == folder.path("suite.goldens") && unnamed.digest != suite.digest)
  }

  @Test func aFilmIsComparedWithTheFramesThatWentIntoIt() throws {
    let suite = try suite(Self.two)
    #expect(suite.cases.map(\.stages) == [[.read, .baked, .decoded], [.read, .baked]])
  }

  @Test func casesAreChosenByNameAndByPart() throws {
    #expect(try suite(Self.two, names: ["night"]).cases.map(\.name) == ["night"])
    #expect(try suite(Self.two, shard: Shard(index: 0, of: 2)).cases.map(\.name) == ["day"])
    let unknown = #expect(throws: CamrecError.self) { try suite(Self.two, names: ["noon"]) }
    #expect(unknown?.code == .usage && unknown?.message.contains("has no case 'noon'; it has day, night") == true)
    let empty = #expect(throws: CamrecError.self) { try suite(Self.two, shard: Shard(index: 2, of: 3)) }
    #expect(empty?.message.contains("part 2/3 of ") == true)
  }

  @Test func mistakesAreNamedAtTheirPlaces() throws {
    let text = """
      cases:
        day: {clip: day.mov}
        night: {clip: night.mov, sha256: abc, stages: [raed]}
        noon: {sha256: \(Self.digest)}

      """
    let refusal = #expect(throws: GoldenSuite.Refusal.self) { try suite(text) }
    let lines = try #require(refusal?.lines), file = folder.path("suite.yaml")
    #expect(lines.count == 4, "\(lines)")
    #expect(lines[0].hasPrefix("\(file):2:3: error: cases.day: 'sha256' is missing, "))
    #expect(lines.contains("\(file):3:50: error: cases.night.stages: no stage is called so; this is 'raed'"))
    #expect(lines.contains { $0.hasPrefix("\(file):3:36: error: cases.night.sha256: a SHA-256 has 64 ") })
    #expect(lines.contains { $0.contains("cases.noon: a case needs clip") })
  }

  @Test func aWrongDefaultIsNamedOnce() throws {
    let text = "defaults: {sha256: abc}\ncases: {a: {clip: a.mov}, b: {clip: b.mov}}\n"
    let refusal = #expect(throws: GoldenSuite.Refusal.self) { try suite(text) }
    #expect(refusal?.lines.count == 1 && refusal?.lines.first?.contains("defaults.sha256: ") == true)
  }

  @Test func anotherClipIsNoticed() throws {
    let text = "cases: {a: {clip: a.mov, sha256: \(Self.digest)}}\n"
    let entry = try #require(try suite(text).cases.first)
    _ = try folder.write("abc".utf8, to: "a.mov")
    try entry.checkClip()
    _ = try folder.write("abd".utf8, to: "a.mov")
    let error = #expect(throws: CamrecError.self) { try entry.checkClip() }
    #expect(error?.code == .input && error?.message.contains("is not the one in the suite") == true)
  }

  @Test func everyMemberOfACaseIsStored() throws {
    let usual = GoldenCaseSettings(clip: "a.mov", sha256: try FileDigest(parsing: Self.digest))
    let settings = GoldenCaseSettings(
      clip: "b.mov", sha256: try FileDigest(parsing: String(Self.digest.reversed())), stages: [.sound, .container],
      bake: BakeSettings(lut: "a.cube", interpolation: .trilinear), encoding: VideoEncoding(codec: .ffv1),
      file: FileSettings(timecode: .now), limits: QualityLimits(psnr: 40.5, clipDeltaE: 1.25), from: 3, frames: 48,
      keep: true)
    #expect(try StoredValue.readBack(settings) == settings && StoredValue.readBack(usual) == usual)
    #expect(StoredValue.unchanged(settings, from: usual) == [])
  }
}

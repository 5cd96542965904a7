import Foundation
import TestKit
import Testing

/// The UUIDs of recordings and films, wherever they are written.
@Suite struct IdentityTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(_ options: [String]) throws -> Events {
    let outcome = try CamrecBinary.find().run(
      [
        "--json", "--camera", "sim:pace=pulled", "--size", "64x36", "--fps", "24", "--microphone", "none", "--control",
        "none", "--name", "front",
      ] + options, in: folder.url)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    return try Events(outcome)
  }

  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  /// The first line of a film's sidecar.
  private func head(_ film: String) throws -> [String: Any] {
    try object(try text(film + ".camrec").prefix { $0 != "\n" })
  }

  private func id(_ name: String, _ object: [String: Any]) throws -> String {
    let id = try #require(object[name] as? String, "\(name) in \(object)")
    #expect(UUID(uuidString: id) != nil && id == id.lowercased(), "\(id)")
    return id
  }

  @Test(arguments: [[], ["--keep-count", "9"]]) func eventsSidecarsStateAndCatalogueAgree(_ options: [String]) throws {
    let events = try record(
      ["--segment", "1s", "--frames", "72", "--state", "state.json", "--output", "take.mov"] + options)
    let recording = try id("recordingID", events.started)
    let segments = events.all.filter { $0["event"] as? String == "segment" }
    let films = try segments.map { try id("filmID", $0) }
    try #require(films.count == 3 && Set(films).count == 3 && !films.contains(recording))
    #expect(segments.allSatisfy { $0["recordingID"] as? String == recording })
    #expect(try id("filmID", events.started) == films[0])
    #expect(try id("filmID", events.stopped) == films[2] && id("recordingID", events.stopped) == recording)
    for (number, film) in films.enumerated() {
      let head = try head("take-000\(number + 1).mov")
      #expect(try id("filmID", head) == film && id("recordingID", head) == recording)
    }
    let state = try #require(try object(text("state.json"))["state"] as? [String: Any])
    #expect(try id("filmID", state) == films[2] && id("recordingID", state) == recording)
    guard !options.isEmpty else { return }
    let lines = try text(".camrec-films.jsonl").split(separator: "\n").map { try object($0) }
    for kind in ["begun", "finished"] {
      let entered = try lines.compactMap { $0[kind] as? [String: Any] }.map { try id("id", $0) }
      #expect(entered.sorted() == films.sorted(), "\(kind)")
    }
  }

  @Test func twoRecordingsHaveNothingInCommon() throws {
    let ids = try ["a.mov", "b.mov"].map { film in
      let events = try record(["--frames", "4", "--state", "none", "--output", film])
      return try [id("recordingID", events.started), id("filmID", events.started)]
    }
    #expect(Set(ids.joined()).count == 4)
  }

  @Test func aBakedFilmNamesTheFilmOfItsClip_andItsRecording() throws {
    _ = try record(["--frames", "12", "--state", "none", "--output", "take.mov"])
    let camrec = try CamrecBinary.find()
    let bake = try camrec.run(["bake", "--json", "take.mov", "--output", "look.mov"], in: folder.url)
    #expect(bake.exitCode == 0, "\(bake.standardError)")
    let (take, look, events) = (try head("take.mov"), try head("look.mov"), try Events(bake))
    let clip = try id("filmID", take), film = try id("filmID", look), recording = try id("recordingID", take)
    #expect(try id("bakedFromID", look) == clip && film != clip && id("recordingID", look) == recording)
    #expect(take["bakedFromID"] == nil)
    for event in [events.started, events.stopped] {
      #expect(try id("filmID", event) == film && id("recordingID", event) == recording)
    }
    let lines = try camrec.run(["info", "look.mov"], in: folder.url).standardOutput.split(separator: "\n")
    #expect(lines.contains("IDs: film \(film), recording \(recording), clip \(clip)"), "\(lines)")
    let info = try object(camrec.run(["info", "--json", "look.mov"], in: folder.url).standardOutput)
    let told = try #require(info["film"] as? [String: Any])
    for name in ["filmID", "recordingID", "bakedFromID"] { #expect(try id(name, told) == id(name, look)) }
  }

  /// Nobody has said anything about the recording.
  @Test func aBakedFilmOfAClipWithoutSidecar_hasItsOwn() throws {
    _ = try record(["--frames", "4", "--no-sidecar", "--state", "none", "--output", "take.mov"])
    let ids = try ["one.mov", "two.mov"].map { film in
      let bake = try CamrecBinary.find().run(["bake", "--json", "take.mov", "--output", film], in: folder.url)
      #expect(bake.exitCode == 0, "\(bake.standardError)")
      return try [id("recordingID", Events(bake).started), id("filmID", Events(bake).started)]
    }
    #expect(Set(ids.joined()).count == 4)
  }
}

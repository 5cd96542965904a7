import CameraTestKit
import Foundation
import TestKit
import Testing

/// Recordings that are divided into files, decoded and laid beside the same recording in one.
@Suite(.serialized) struct SegmentTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func record(_ arguments: String) throws -> CamrecBinary.Outcome {
    try camrec.run(
      arguments.split(separator: " ").map(String.init), in: folder.url, environment: ["TZ": "UTC"], timeout: 600)
  }

  private func films(_ stem: String) throws -> [String] {
    try folder.names.filter { $0.hasPrefix(stem + "-") && !$0.hasSuffix(".camrec") }.map(folder.path)
  }

  /// The MD5 of each decoded picture.
  private func pictures(_ path: String) throws -> [Substring] {
    let text = String(
      decoding: try Tool.run(
        ["ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"]),
      as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last }
  }

  private func sound(_ path: String) throws -> Data {
    try Tool.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-f", "s16le", "-"])
  }

  private func expectTheWhole(_ parts: [String], _ whole: String) throws {
    let hashes = try pictures(whole)
    let parted = try parts.flatMap(pictures)
    #expect(parted == hashes && Set(hashes).count > 1)
    let samples = try sound(whole), joined = try parts.map(sound).reduce(Data(), +)
    #expect(joined == samples && samples.count > 48_000)
  }

  @Test func fiftyFilesAreTheWhole() throws {
    let source = "--camera sim:pace=pulled,physics=fast --size 160x90 --fps 6000/1001 --duration 50s --codec ffv1"
    #expect(try record("\(source) --output whole.mkv").exitCode == 0)
    let outcome = try record("\(source) --output part.mkv --segment 1s --json")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let parts = try films("part")
    #expect(parts.count == 50)
    try expectTheWhole(parts, folder.path("whole.mkv"))
    let events = try Events(outcome), segments = events.all.filter { $0["event"] as? String == "segment" }
    #expect(segments.compactMap { $0["output"] as? String } == parts.map { ($0 as NSString).lastPathComponent })
    #expect(segments.compactMap { $0["frames"] as? Int }.reduce(0, +) == events.account[2])
    #expect(events.stopped["segments"] as? Int == 50)
  }

  @Test(arguments: [
    ("24000/1001", ["10:00:00:00", "10:00:02:00", "10:00:04:00", "10:00:06:00"]),
    ("30000/1001", ["01:00:58;20", "01:01:00;22", "01:01:02;22", "01:01:04;22"]),
  ])
  func moviesCountOn(rate: String, labels: [String]) throws {
    let source =
      "--camera sim:pace=pulled,physics=fast --size 160x90 --fps \(rate) --duration 7s --timecode \(labels[0])"
    #expect(try record("\(source) --codec prores --profile proxy --output whole.mov").exitCode == 0)
    let outcome = try record("\(source) --codec prores --profile proxy --output part.mov --segment 2s")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let parts = try films("part")
    #expect(parts.count == 4)
    try expectTheWhole(parts, folder.path("whole.mov"))
    #expect(try parts.map { try Probe($0).timecode } == labels)
    for path in parts {
      let probe = try Probe(path)
      #expect(probe.video["r_frame_rate"] as? String == rate && probe.video["start_time"] as? String == "0.000000")
    }
  }

  /// In real time. The segment that was prepared when the camera went away leaves no hole.
  @Test func numbersGoOnAfterALostCamera() throws {
    let faults = try folder.write("vanish 45 3s\n".utf8, to: "faults.txt")
    let outcome = try record(
      "--camera sim:faults=\(faults) --size 64x36 --fps 24 --frames 120 --microphone none --codec ffv1 --no-sidecar"
        + " --on-lost-camera wait --output gone.mkv --segment 1s")
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    let names = try folder.names.filter { $0.hasPrefix("gone-") }
    #expect(names.count >= 4 && names == (1...names.count).map { "gone-000\($0).mkv" }, "\(names)")
  }

  @Test func linesOfTheLogNameTheSegmentThatTheyAreAbout() throws {
    let faults = try folder.write("drop 30 2\n".utf8, to: "faults.txt")
    let outcome = try record(
      "--camera sim:pace=pulled,faults=\(faults) --size 160x90 --fps 24 --duration 3s --microphone none --codec ffv1"
        + " --output log.mkv --segment 1s --log json")
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    let fields = try outcome.standardError.split(separator: "\n").map {
      let line = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      return try #require(line?["fields"] as? [String: String], "\($0)")
    }
    let segments = fields.filter { $0["segment"] != nil }
    #expect(segments.count == 3)
    for line in segments { #expect(line["film"]?.hasSuffix("log-000\(line["segment"] ?? "").mkv") == true, "\(line)") }
    let losses = fields.filter { $0["reason"] == "deviceGap" }
    #expect(losses.count == 1 && losses.first?["film"]?.hasSuffix("log-0002.mkv") == true, "\(losses)")
    let sidecar = try String(contentsOf: URL(filePath: folder.path("log-0002.mkv.camrec")), encoding: .utf8)
    let loss = sidecar.firstMatch(of: /{"lost":"deviceGap","frame":([0-9]+),"count":2}/)
    let place = try #require(loss.flatMap { Int($0.1) })
    #expect(losses.first?["frame"] == "\(place)" && losses.first?["last-frame"] == "\(place + 1)", "\(losses)")
    // The sums of all segments are of no film: those that add up entries do not count twice.
    let end = try #require(fields.last)
    #expect(end["film"] == nil && end["frames"] == "70" && end["expected"] == "72", "\(end)")
    #expect(outcome.standardError.contains(#""message":"the film has ended in 3 segments: expected 72, "#))
    let films = fields.filter { $0["film"] != nil }.compactMap { $0["expected"].flatMap { Int($0) } }
    #expect(films.reduce(0, +) == 72, "\(fields)")
  }

  @Test func theCodecMattersNot() throws {
    let source = "--camera sim:pace=pulled --size 320x180 --duration 5s --preset medium"
    let outcome = try record("\(source) --output part.mov --segment 1s")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    var numbers: [UInt32?] = []
    for path in try films("part") {
      let film = try RecordedFilm(path: path)
      #expect(film.packetCount == 24 && film.pictures.count == 24)
      numbers += film.numbers
    }
    let known = numbers.compactMap { $0 }
    #expect(known.count == 120 && zip(known, known.dropFirst()).allSatisfy { $1 == $0 + 1 })
  }

  @Test func lostFramesAreInOneFile() throws {
    let script = try folder.write("drop 20 10\ndamage 40 2\n".utf8, to: "faults.txt")
    let source =
      "--camera sim:pace=pulled,physics=fast,faults=\(script) --microphone none --size 160x90 --duration 4s "
        + "--codec ffv1"
    #expect(try record("\(source) --output whole.mkv").exitCode == 3)
    #expect(try record("\(source) --output part.mkv --segment 1s").exitCode == 3)
    let hashes = try pictures(folder.path("whole.mkv")), parted = try films("part").flatMap(pictures)
    #expect(parted == hashes && hashes.count == 84)
  }

  @Test func sizesAreKept() throws {
    let outcome = try record(
      "--camera sim:pace=pulled --size 320x180 --duration 20s --bitrate 4M --output part.mov --segment 4MB")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let sizes = try films("part").map { try #require(FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int) }
    #expect(sizes.count >= 3 && sizes.allSatisfy { $0 <= 4_000_000 }, "\(sizes)")
  }

  /// In real time: a busy machine may lose frames, and then every one is accounted for, in one file.
  @Test func aLiveRecordingAccountsForEveryFrame() throws {
    let outcome = try record("--camera sim --size 160x90 --duration 4s --segment clock:1s --output live.mov --json")
    let events = try Events(outcome), segments = events.all.filter { $0["event"] as? String == "segment" }
    #expect(events.account[0] == 96 && segments.count >= 3)
    func sum(_ key: String) -> Int {
      segments.compactMap { ($0["ledger"] as? [String: Any])?[key] as? Int }.reduce(0, +)
    }
    #expect(sum("expected") == events.account[0] && sum("written") == events.account[2])
    let starts = segments.compactMap { $0["firstFrame"] as? Int }
    let ledgers = segments.compactMap { ($0["ledger"] as? [String: Any])?["expected"] as? Int }
    #expect(zip(starts, ledgers).map(+).dropLast() == starts.dropFirst())
  }

  /// The state has the marker of the film that is being recorded, where its sidecar has it.
  @Test func aMarkerIsOfItsSegment() throws {
    let socket = folder.path("s")
    let recorder = try camrec.start(
      ["--camera", "sim", "--size", "64x36", "--microphone", "none", "--codec", "ffv1", "--segment", "4s", "--output",
        "take.mkv", "--control", socket], in: folder.url)
    func ctl(_ words: String...) throws -> [String: Any] {
      let outcome = try camrec.run(["ctl", "--socket", socket, "--json"] + words, in: folder.url)
      return (try? JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8))) as? [String: Any] ?? [:]
    }
    func wait(forSegment number: Int) throws {
      for _ in 0..<1000 {
        if try ctl("state")["segment"] as? Int ?? 0 >= number { return }
        usleep(20_000)
      }
    }
    try wait(forSegment: 2)
    let answer = try ctl("marker", "x"), segment = try #require(answer["segment"] as? Int)
    let seconds = try #require((answer["marker"] as? [String: Any])?["seconds"] as? Double)
    #expect(seconds < 4, "counted from the beginning of this segment")
    try wait(forSegment: segment + 1)
    let next = try ctl("state")
    #expect(next["segment"] as? Int ?? 0 > segment && next["marker"] == nil, "\(next)")
    _ = try ctl("quit")
    #expect(recorder.wait().hasEndedWell)
    let film = try #require(answer["film"] as? String)
    let sidecar = try String(
      contentsOfFile: folder.path((film as NSString).lastPathComponent + ".camrec"), encoding: .utf8)
    let line = try #require(sidecar.split(separator: "\n").first { $0.contains(#""marker":"x""#) })
    let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(abs((record?["seconds"] as? Double ?? -1) - seconds) < 0.002)
  }

  @Test func nothingIsReplaced() throws {
    _ = try folder.write([1, 2, 3], to: "take-0002.mov")
    let outcome = try record(
      "--camera sim:pace=pulled,physics=fast --size 160x90 --duration 3s --segment 1s --output take.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("take-0002.mov")) == Data([1, 2, 3]))
    #expect(
      try films("take").map { ($0 as NSString).lastPathComponent }
        == ["take-0002.mov", "take-0003.mov", "take-0004.mov", "take-0005.mov"])
    let refused = try record("--camera sim:pace=pulled --segment 1s --overwrite --output take.mov")
    #expect(refused.exitCode == 64)
    #expect(
      refused.standardError.contains(
        "--overwrite and --segment exclude each other: numbered files never replace others"))
  }
}

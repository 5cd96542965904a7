import Foundation
import TestKit
import Testing

/// `camrec meter` and what `camrec bracket` takes from the camera.
@Suite struct MeterTests {
  private func run(_ line: String, in folder: TemporaryFolder? = nil) throws -> CamrecBinary.Outcome {
    try CamrecBinary.find().run(line.split(separator: " ").map(String.init), in: folder?.url, timeout: 60)
  }

  private func seconds(_ options: String) throws -> Double {
    let outcome = try run("meter --at 0.5,0.3 --size 320x180 --json --camera sim:pace=pulled,\(options)")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any]
    #expect(object?["isClipped"] as? Bool == false && object?["iso"] as? Double != nil)
    return try #require(object?["seconds"] as? Double)
  }

  @Test(arguments: ["rec709", "apple-log", "slog3"])
  func twoStopsLessLightAskForTwoStopsMoreTime(transfer: String) throws {
    let bright = try seconds("transfer=\(transfer),light=1"), dark = try seconds("transfer=\(transfer),light=0.25")
    #expect(abs(log2(dark / bright) - 2) < 0.12, "\(bright) s and \(dark) s")
  }

  /// A spot that clips at first is exposed less until it does not: the transfer functions agree about it.
  @Test func whatClipsIsFound() throws {
    func lamp(_ options: String) throws -> Double {
      let outcome = try run("meter --at 0.88,0.505 --size 640x360 --json --camera sim:pace=pulled,\(options)")
      let object = try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any]
      #expect(object?["isClipped"] as? Bool == false)
      return try #require(object?["seconds"] as? Double)
    }
    #expect(abs(log2(try lamp("transfer=rec709,light=4") / (try lamp("transfer=apple-log,light=4")))) < 0.35)
  }

  @Test func theNearestSpeedIsSaid() throws {
    let outcome = try run("meter --at 0.5,0.3 --size 320x180 --camera sim:pace=pulled")
    #expect(outcome.exitCode == 0)
    let words = outcome.standardOutput.split(separator: " ")
    #expect(words.first?.hasPrefix("1/") == true && outcome.standardOutput.contains(" at ISO 100 ("))
  }

  @Test func pointsAndCamerasThatCannotAreSentences() throws {
    for (line, status, sentence) in [
      (
        "meter --at 1.2,0 --camera sim", 64,
        "a point in the frame is X,Y, each from 0 (left, top) to 1 (right, bottom)"
      ),
      ("meter --at here --camera sim", 64, "this is 'here'"),
      ("bracket --shadow meter:2,2 --highlight 1/60", 64, "a point in the frame is X,Y"),
      ("bracket --shadow 1/30 --highlight 1/60 --output x", 64, "--output and --overwrite are for --capture"),
      ("bracket --shadow 1/30 --highlight 1/60 --look portra-400", 64, "--look is for --capture"),
      ("bracket --shadow 1/30 --highlight 1/60 --capture --grain-seed 3", 64, "--grain-seed is for --look"),
      ("bracket --shadow 1/30 --highlight 1/60 --capture --color-in slog3", 64, "--color-in is for --look"),
      ("bracket --shadow 1/30 --highlight 1/60 --capture --look no-such-look", 64, "there is no look 'no-such-look'"),
      ("bracket --shadow 1/30 --highlight 1/60 --capture --look none.yaml", 65, "the look 'none.yaml' cannot be read"),
      (
        "meter --at 0.5,0.5 --camera sim:sensitivity=fixed,pace=pulled", 69,
        "cannot meter with simulated camera: its exposure time cannot be set"
      ),
    ] {
      let outcome = try run(line)
      #expect(
        outcome.exitCode == status && outcome.standardError.contains(sentence), "\(line): \(outcome.standardError)")
    }
  }

  // MARK: Bracketing

  @Test func aSeriesIsTaken_eachFrameAtItsExposure() throws {
    let folder = try TemporaryFolder()
    let outcome = try run(
      "bracket --shadow 1/15 --highlight 1/250 --capture --output b --camera sim:pace=pulled,time-step=100us --fps 12 "
        + "--size 320x180", in: folder)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let stills = try folder.names.filter { $0.hasSuffix(".jpg") }.sorted()
    #expect(stills == ["b_1-1_1-250.jpg", "b_1-2_1-125.jpg", "b_1-3_1-60.jpg", "b_1-4_1-30.jpg", "b_1-5_1-15.jpg"])
    var lumas: [Double] = []
    for (index, still) in stills.enumerated() {
      let text = try Data(contentsOf: URL(fileURLWithPath: folder.path(still.replacing(".jpg", with: ".json"))))
      let record = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
      let wanted = exp2(Double(index) - 8), time = try #require(record["exposureTime"] as? Double)
      #expect(abs(time - wanted) <= 0.5001e-4 && record["frame"] as? Int == index + 1)
      lumas.append(try luma(of: folder.path(still)))
      let found = try Tool.run([
        "ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries", "frame_tags=ExposureBiasValue,Model",
        folder.path(still),
      ])
      let tags = String(decoding: found, as: UTF8.self)
      let bias = try #require(tags.firstMatch(of: /(-?\d+):1000/).flatMap { Double($0.1) }) / 1000
      #expect(tags.contains("simulated camera") && abs(bias - Double(index - 2)) < 0.01, "\(tags)")
    }
    // Each stop is a good deal brighter than the one before: none was kept before it showed.
    for (darker, brighter) in zip(lumas, lumas.dropFirst()) { #expect(brighter > darker * 1.15, "\(lumas)") }
    let again = try run(
      "bracket --shadow 1/15 --highlight 1/250 --capture --output b --camera sim:pace=pulled --fps 12 --size 320x180",
      in: folder)
    #expect(again.exitCode == 74 && again.standardError.contains("'b_1-1_1-250.jpg' exists already"))
  }

  /// The colours and the grain are those of the film with the same look.
  @Test func aSeriesHasALook() throws {
    let folder = try TemporaryFolder()
    let command = "bracket --shadow 1/30 --highlight 1/60 --frames 3 --capture --fps 12 --size 320x180 "
      + "--camera sim:pace=pulled,physics=fast --output"
    func take(_ name: String, _ more: String = "") throws -> [Data] {
      let outcome = try run("\(command) \(name) \(more)", in: folder)
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      return try folder.names.filter { $0.hasPrefix("\(name)_") && $0.hasSuffix(".jpg") }.sorted().map {
        try Tool.run(["ffmpeg", "-v", "error", "-i", folder.path($0), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
      }
    }
    let plain = try take("plain"), look = "--look \(LookFiles.portra)"
    let first = try take("first", look), again = try take("again", "\(look) --grain-seed 1")
    let other = try take("other", "\(look) --grain-seed 2")
    #expect(plain.count == 3 && first.count == 3 && first == again)
    for (a, b) in zip(first, other) { #expect(a != b) }
    func mean(_ still: Data, _ channel: Int) -> Double {
      Double(stride(from: channel, to: still.count, by: 3).reduce(0) { $0 + Int(still[$1]) }) / Double(still.count / 3)
    }
    for (a, b) in zip(first, other) {
      for channel in 0..<3 { #expect(abs(mean(a, channel) - mean(b, channel)) < 0.5) }
    }
    #expect(zip(plain, first).allSatisfy { abs(mean($0, 2) - mean($1, 2)) > 1 })
    let text = try Data(contentsOf: URL(fileURLWithPath: folder.path("other_1-1_1-60.json")))
    let record = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    let told = try #require(record["look"] as? [String: Any])
    #expect(told["name"] as? String == "portra-400" && told["version"] as? Int == 1 && told["seed"] as? Int == 2)
    let image = try Data(contentsOf: URL(fileURLWithPath: folder.path("other_1-1_1-60.jpg")))
    let version = try run("--version", in: folder).standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    let software = "camrec \(version), look portra-400, version 1, grain seed 2\0"
    #expect(image.range(of: Data(software.utf8)) != nil)
    let bare = try Data(contentsOf: URL(fileURLWithPath: folder.path("plain_1-1_1-60.json")))
    #expect(try (JSONSerialization.jsonObject(with: bare) as? [String: Any])?["look"] == nil)
  }

  /// The camera delivers what it is told, and the look is for that.
  @Test func aSeriesHasALook_onLogFootage() throws {
    let folder = try TemporaryFolder()
    for (name, more) in [("log", " --color-in apple-log"), ("pq", " --color-in pq")] {
      let outcome = try run(
        "bracket --shadow 1/30 --highlight 1/60 --frames 3 --capture --fps 12 --size 320x180 "
          + "--camera sim:pace=pulled,physics=fast --look \(LookFiles.portra) --output \(name)\(more)", in: folder)
      #expect(outcome.exitCode == (name == "log" ? 0 : 64), "\(outcome.standardError)")
      guard name == "pq" else { continue }
      #expect(outcome.standardError.contains("the cameras' logs, not pq with the primaries rec2020; if the colours"))
    }
    #expect(try folder.names.allSatisfy { $0.hasPrefix("log_") } && folder.names.count == 6)
  }

  @Test func speedsBeyondTheCameraAreRefusedBeforeTheFirstShot() throws {
    let folder = try TemporaryFolder()
    let outcome = try run(
      "bracket --shadow 1/4 --highlight 1/1000 --capture --output b --camera sim:pace=pulled", in: folder)
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.standardError.contains(
        "simulated camera cannot expose 1/15, 1/8, 1/4: at 24 fps its exposure times are "
          + "1/100000 s to 1/24 s; a lower --fps allows longer ones"))
    #expect(try folder.names == [])
  }

  /// The mean of all pixels, by another program.
  private func luma(of path: String) throws -> Double {
    let bytes = try Tool.run(["ffmpeg", "-v", "error", "-i", path, "-pix_fmt", "gray", "-f", "rawvideo", "-"])
    return Double(bytes.reduce(0) { $0 + Int($1) }) / Double(bytes.count)
  }
}

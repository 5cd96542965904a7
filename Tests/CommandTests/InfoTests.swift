import CameraTestKit
import Foundation
import Frames
import TestKit
import Testing

/// The sidecar beside a recording, and what `camrec info` makes of it.
@Suite(.serialized) struct InfoTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  private func run(_ line: String) throws -> CamrecBinary.Outcome {
    try camrec.run(line.split(separator: " ").map(String.init), in: folder.url)
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(name)) }

  /// Four frames are lost, for two reasons, and 20 ms of sound.
  private func recordWithFaults(_ options: String = "") throws {
    let script = try folder.write("drop 24 3\ndamage 40\nlight 48 0.25\nxrun 1s 20ms\n".utf8, to: "faults")
    let outcome = try run(
      "--camera sim:pace=pulled,faults=\(script) --size 320x180 --duration 3s --exposure locked "
        + "--output take.mov \(options)")
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
  }

  @Test func peopleAreToldHowAFilmWasRecorded() throws {
    try recordWithFaults()
    for file in ["take.mov", "take.mov.camrec"] {
      let outcome = try run("info \(file)")
      #expect(outcome.exitCode == 0 && outcome.standardError == "", "\(outcome.standardError)")
      let lines = outcome.standardOutput.split(separator: "\n").map(String.init)
      #expect(lines.first == "take.mov: simulated camera, 320x180 at 24 fps, nv12, rec709 to rec709, hevc")
      for line in [
        "frames: expected 72, captured 68, written 68, lost 4: 3 never came from the camera, 1 arrived damaged",
        "audio: simulated microphone, 144000 samples, 960 samples lost",
        "exposure time: 1/48 s, shutter angle 180.00°", "ISO: 100; exposure (time and ISO) changed by 0.00 EV",
        "  0:00:01.000  frame 24: 3 never came from the camera", "  0:00:01.667  frame 40: 1 arrived damaged",
      ] { #expect(lines.contains(line), "\(line) in \(lines)") }
      #expect(lines.contains { $0.wholeMatch(of: /\s\s0:00:01\.0\d\d: 0\.020 s/) != nil }, "\(lines)")
    }
  }

  @Test func aLineBreakInANameIsSeen() throws {
    let record = ["--camera", "sim:pace=pulled", "--size", "64x36", "--frames", "5", "--microphone", "none", "--output"]
    #expect(try camrec.run(record + ["a\nb.mov"], in: folder.url).exitCode == 0)
    let info = try camrec.run(["info", "a\nb.mov"], in: folder.url)
    #expect(info.exitCode == 0 && info.standardOutput.hasPrefix(#"a\nb.mov: simulated camera, "#), "\(info)")
    let recover = try camrec.run(["recover", "a\nb.mov"], in: folder.url)
    #expect(recover.exitCode == 0 && recover.standardOutput.hasPrefix(#"'a\nb.mov' is finished"#), "\(recover)")
  }

  /// The bake may have lost more audio than the microphone.
  @Test func lostAudioOfABakedFilm_isNotOnlyTheMicrophones() throws {
    try recordWithFaults()
    let bake = try run("bake take.mov --output baked.mov")
    #expect(bake.exitCode == 0, "\(bake.standardError)")
    let info = try run("info baked.mov").standardOutput
    #expect(info.contains(" samples, 960 samples lost in the recording or in the bake\n"), "\(info)")
  }

  /// What a recovery replaced by silence is lost, too, for people and for programs.
  @Test func silenceOfARecoveryIsLostAudio() throws {
    try recordWithFaults()
    let sidecar = try String(contentsOfFile: folder.path("take.mov.camrec"), encoding: .utf8)
    func told(frames: Int, from sidecar: String) throws -> (line: Substring?, soundLost: Int?) {
      let recovery = #"{"recovered":"2026-11-25T22:34:29.114Z","frames":\#(frames),"missing":0,"unlisted":0,"#
      _ = try folder.write((sidecar + recovery + "\"silentSamples\":480}\n").utf8, to: "take.mov.camrec")
      let lines = try run("info take.mov").standardOutput.split(separator: "\n")
      #expect(lines.contains { $0.hasSuffix(": \(frames) frames in the film; 480 audio samples replaced by silence") })
      let json = try JSONSerialization.jsonObject(with: Data(run("info --json take.mov").standardOutput.utf8))
      return (lines.first { $0.hasPrefix("audio: ") }, (json as? [String: Any])?["soundLost"] as? Int)
    }
    let both = try told(frames: 68, from: sidecar)
    #expect(both.soundLost == 1440)
    let losses = "1440 samples lost, 480 of them when the film was cut off or damaged"
    #expect(both.line == "audio: simulated microphone, 144000 samples, \(losses)")
    // Cut off, and without the audio that the camera's account has lost.
    let kept = sidecar.split(separator: "\n").filter { !$0.contains(#""sound""#) && !$0.hasPrefix(#"{"end":"#) }
    let cut = try told(frames: 68, from: kept.joined(separator: "\n") + "\n")
    #expect(cut.soundLost == 480)
    #expect(cut.line == "audio: simulated microphone, 480 samples lost when the film was cut off or damaged")
  }

  @Test func programsGetOneObject() throws {
    try recordWithFaults("--timecode 10:00:00:00")
    let outcome = try run("info --json take.mov")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any])
    #expect(object["format"] as? String == "camrec-info" && object["version"] as? Int == 1)
    #expect(object["frames"] as? Int == 68 && object["seconds"] as? Double == 3 && object["soundLost"] as? Int == 960)
    #expect(
      (object["lost"] as? [String: Int]) == ["deviceGap": 3, "deviceError": 1, "overload": 0, "disk": 0, "defect": 0])
    let film = object["film"] as? [String: Any] ?? [:]
    #expect(film["name"] as? String == "take.mov" && film["timecode"] as? String == "10:00:00:00")
    #expect(film["rate"] as? String == "24" && film["bakedOn"] as? String == "cpu")
    let end = object["end"] as? [String: Any] ?? [:]
    #expect(end["expected"] as? Int == 72 && end["written"] as? Int == 68)
    let gaps = (object["gaps"] as? [String: Any])?["items"] as? [[String: Any]] ?? []
    #expect(gaps.map { $0["frame"] as? Int } == [24, 40] && gaps.map { $0["count"] as? Int } == [3, 1])
    let angle = (object["ranges"] as? [String: [String: Double]])?["shutterAngle"] ?? [:]
    #expect(abs((angle["least"] ?? 0) - 180) < 0.001 && abs((angle["greatest"] ?? 0) - 180) < 0.001)
    #expect((object["file"] as? [String: Any])?["tornBytes"] as? Int == 0)
  }

  @Test func theSidecarIsLinesThatOrdinaryToolsRead() throws {
    try recordWithFaults()
    let lines = try String(contentsOfFile: folder.path("take.mov.camrec"), encoding: .utf8).split(separator: "\n")
    let frames = lines.filter { $0.hasPrefix("{\"frame\":") }
    #expect(frames.count == 68 && frames[30] == "{\"frame\":33}", "\(frames[30])")
    #expect(lines.contains("{\"lost\":\"deviceGap\",\"frame\":24,\"count\":3}"))
    #expect(lines.contains("{\"lost\":\"deviceError\",\"frame\":40,\"count\":1}"))
    #expect(lines.first?.hasPrefix("{\"camrec-sidecar\":1,\"software\":\"camrec ") == true)
    #expect(lines.last?.hasPrefix("{\"end\":\"") == true)
  }

  @Test func itIsDrawn() throws {
    try recordWithFaults()
    let outcome = try run("info --plot take.png take.mov")
    #expect(outcome.exitCode == 0 && outcome.standardError == "", "\(outcome.standardError)")
    let probe = try Probe(folder.path("take.png"))
    #expect(probe.video["codec_name"] as? String == "png" && probe.video["width"] as? Int == 1600)
    let again = try run("info --plot take.png take.mov")
    #expect(again.exitCode == 74 && again.standardError.contains("'take.png' exists already"))
    #expect(try run("info --plot take.png --overwrite take.mov").exitCode == 0)
    #expect(try run("info --plot take.jpg take.mov").exitCode == 64)
  }

  /// A sidecar of a film with one kind of odd number, all over or in places.
  private func write(oddSidecar seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let odd = [
      "5e-324", "1e-310", "-5e-324", "2.2250738585072014e-308", "0", "-0.0", "1.7976931348623157e308", "-1e308",
      "1e400",
      "1e-400", "100", "0.02", "1e12", "9007199254740993",
    ]
    // With seed 0 every ISO is the least number there is.
    func number(_ usual: String) -> String {
      random.next() % 2 == 0 ? usual : seed == 0 ? "5e-324" : odd[Int(random.next() % UInt64(odd.count))]
    }
    let rate = ["25", "1", "1000", "24000/1001"][Int(random.next() % 4)]
    var lines = [
      #"{"camrec-sidecar":1,"software":"camrec","film":"a.mov","camera":"odd","width":64,"height":48,"#
        + #""pixelFormat":"nv12","rate":"\#(rate)","timeBase":"1/24000","colorIn":"rec709","colorOut":"rec709","#
        + #""codec":"hevc","start":"2026-11-24T20:16:18.807Z"}"#
    ]
    let one = random.next() % 2 == 0 ? odd[Int(random.next() % UInt64(odd.count))] : nil
    for frame in 0..<Int64(1 + random.next() % 40) {
      let iso = seed == 0 ? "5e-324" : one ?? number("100")
      var line = #"{"frame":\#(frame),"exposureTime":\#(number("0.02")),"iso":\#(iso)"#
      for key in ["gain", "gainEV", "meteredEV", "whiteBalance", "focusDistance"] where random.next() % 2 == 0 {
        line += #","\#(key)":\#(number("1"))"#
      }
      if random.next() % 8 == 0 { line += #","ticks":\#(random.next() >> 1)"# }
      lines.append(line + "}")
      if random.next() % 8 == 0 {
        lines.append(#"{"lost":"deviceGap","frame":\#(random.next() >> (1 + random.next() % 60)),"count":3}"#)
      }
    }
    _ = try folder.write((lines.joined(separator: "\n") + "\n").utf8, to: "odd.mov.camrec")
  }

  @Test(arguments: 0..<12) func aSidecarOfAnyNumbersIsDrawn(seed: UInt64) throws {
    try write(oddSidecar: seed)
    for line in ["info --plot odd.png --overwrite odd.mov.camrec", "info odd.mov.camrec"] {
      let outcome = try run(line)
      #expect(outcome.exitCode == 0 && !outcome.endedBySignal, "\(line): \(outcome.standardError)")
    }
  }

  @Test func aKilledRecordingIsReadAsFarAsItGoes() throws {
    let running = try camrec.start(
      ["--camera", "sim", "--size", "320x180", "--output", "take.mov", "--json"], in: folder.url)
    while running.outputSoFar().standardOutput.firstMatch(of: /"frames":[2-9]\d/) == nil { usleep(50_000) }
    running.send(signal: SIGKILL)
    _ = running.wait(timeout: 60)
    let outcome = try run("info --json take.mov")
    #expect(outcome.exitCode == 0)
    #expect(outcome.standardError.contains("the sidecar has no end: the recording was cut off, or is still running"))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any])
    let frames = try #require(object["frames"] as? Int)
    #expect(object["end"] == nil && frames >= 12)
    let film = try RecordedFilm(path: folder.path("take.mov"))
    #expect(frames >= film.pictures.count, "what plays stands in the sidecar")
    // The account is the film's: what only the sidecar has was lost.
    let check = try run("recover --check --json take.mov")
    let found = try #require(
      try JSONSerialization.jsonObject(with: Data(check.standardOutput.utf8)) as? [String: Any])
    let inFilm = try #require(found["frames"] as? Int)
    #expect(object["written"] as? Int == inFilm && object["seconds"] as? Double == found["seconds"] as? Double)
    let listed = try #require(found["missing"] as? Int), unwritten = try #require(found["unwritten"] as? Int)
    let missing = listed + unwritten
    let text = try run("info take.mov").standardOutput
    #expect(text.contains("\nframes: written \(inFilm), lost "), "\(text)")
    #expect(missing == 0 || text.contains(" \(missing) when the film was cut off or damaged\n"), "\(text)")
    // And so is a golden's.
    let digest = String(decoding: try Tool.run(["sha256sum", folder.path("take.mov")]), as: UTF8.self).prefix(64)
    _ = try folder.write(
      "cases:\n  cut:\n    clip: take.mov\n    sha256: \(digest)\n    stages: [sidecar]\n".utf8, to: "suite.yaml")
    let recorded = try run("golden record suite.yaml")
    #expect(recorded.exitCode == 0, "\(recorded.standardOutput)\(recorded.standardError)")
    let golden = try String(contentsOfFile: folder.path("suite.goldens/cut.sidecar.txt"), encoding: .utf8)
    #expect(golden.contains("\nframes written: \(inFilm)\n"), "\(golden)")
    #expect(
      golden.contains("\nlost, when the film was cut off or damaged: \(missing)\n") == (missing > 0), "\(golden)")
  }

  /// A .mkv plays up to where it was cut off, and its account goes as far as that.
  @Test func aKilledMatroskaIsToldByItsFrames() throws {
    let times = Set(try KilledFilm("take.mkv", bytes: 400_000, in: folder).packets().map(\.time))
    try #require(times.count >= 12)
    let sidecar = try String(contentsOfFile: folder.path("take.mkv.camrec"), encoding: .utf8)
    let listed = sidecar.split(separator: "\n").compactMap { line -> Int? in
      let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return record?["lost"] == nil ? record?["frame"] as? Int : nil
    }
    let missing = listed.count { !times.contains(Int((Double($0) * 1000 / 24).rounded())) }
    let json = try run("info --json take.mkv")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any], "\(json)")
    #expect(object["written"] as? Int == times.count && object["frames"] as? Int == listed.count)
    let end = Double(try #require(times.max())) / 1000 + 1 / 24.0
    #expect(abs(try #require(object["seconds"] as? Double) - end) < 0.001)
    let text = try run("info take.mkv").standardOutput
    #expect(text.contains("\nframes: written \(times.count), lost \(missing)"), "\(text)")
    #expect(missing == 0 || text.contains(" \(missing) when the film was cut off or damaged\n"), "\(text)")
    // A bake says the same.
    #expect(try run("bake take.mkv --output baked.mkv").exitCode == 3)
    let baked = try run("info baked.mkv").standardOutput
    #expect(baked.contains(", written \(times.count), lost \(missing)"), "\(baked)")
  }

  /// Of what a film lost when it was cut off, frames and audio, its bake has the same account.
  @Test(arguments: ["mkv", "mov"]) func aBakeOfAFilmThatWasCutOff_hasItsAccount(kind: String) throws {
    let film = try KilledFilm("take.\(kind)", bytes: 1_200_000, in: folder)
    func account(_ name: String) throws -> [String: Int] {
      let json = try run("info --json \(name)")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any], "\(json)")
      return ["totalLost", "written", "soundLost"].reduce(into: [:]) { $0[$1] = object[$1] as? Int }
    }
    // Within frames that are stored one behind another, shown in another order.
    let packets = try film.packets()
    try #require(packets.count > 40)
    for packet in packets[(packets.count * 3 / 4)...].prefix(5).reversed() {
      try film.cut(to: packet.position + packet.size / 2)
      let lost = try account("take.\(kind)")
      try #require(lost.count == 3 && lost.values.allSatisfy { $0 > 0 }, "\(lost)")
      let bake = try run("bake take.\(kind) --output baked.mkv --overwrite")
      #expect(bake.exitCode == 3, "\(bake)")
      let baked = try account("baked.mkv")
      #expect(baked == lost, "frame \(packet.time): \(baked), not \(lost)")
    }
    // One that ends before its clip does has none of these losses.
    let part = try run("bake take.\(kind) --frames 12 --output part.mkv")
    #expect(part.exitCode == 0, "\(part)")
    let beginning = try account("part.mkv")
    #expect(beginning == ["totalLost": 0, "written": 12, "soundLost": 0], "\(beginning)")
  }

  @Test func aDamagedSidecarSaysSo() throws {
    try recordWithFaults()
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("take.mov.camrec"))))
    bytes.removeLast(40)
    let place = try #require(bytes.firstRange(of: "{\"frame\":10}".utf8)).lowerBound
    bytes[place] = 0xFF
    _ = try folder.write(bytes, to: "take.mov.camrec")
    let outcome = try run("info take.mov")
    #expect(outcome.exitCode == 0 && outcome.standardOutput.contains("frames: recorded 67, lost 4"))
    #expect(outcome.standardError.contains("Warning: the sidecar is cut off in the middle of a record"))
    #expect(
      outcome.standardError.contains("Warning: 1 line of the sidecar cannot be read, the first is line 12"),
      "\(outcome.standardError)")
  }

  @Test func hashesBakesAndThoseThatWantNoneHaveNoSidecar() throws {
    let sim = "--camera sim:pace=pulled --size 64x36 --frames 5"
    #expect(try run("\(sim) --output take.mov --no-sidecar").exitCode == 0 && !exists("take.mov.camrec"))
    #expect(try run("\(sim) --output take.framemd5").exitCode == 0 && !exists("take.framemd5.camrec"))
    let hashes = try run("info take.framemd5")
    #expect(
      hashes.exitCode == 65 && hashes.standardError
        == "Error: 'take.framemd5' is a hash recording, and those have no sidecar; its hashes are in the file itself\n",
      "\(hashes)")
    #expect(try run("\(sim) --output take.mkv").exitCode == 0 && exists("take.mkv.camrec"))
    let baked = try run("bake take.mov --output baked.mov")
    #expect(baked.exitCode == 0 && !exists("baked.mov.camrec"), "\(baked.standardError)")
    let refused = try run("info baked.mov")
    #expect(
      refused.exitCode == 65 && refused.standardError.contains(
        "'baked.mov' has no sidecar beside it ('baked.mov.camrec' does not exist): 'camrec record' writes one, and"
          + " 'camrec bake' does if its clip has one, unless you give --no-sidecar\n"), "\(refused.standardError)")
  }

  @Test func aLeftoverSidecarDoesNotBlock() throws {
    let sim = "--camera sim:pace=pulled --size 64x36 --output take.mov"
    #expect(try run("\(sim) --frames 50").exitCode == 0)
    try FileManager.default.removeItem(atPath: folder.path("take.mov"))
    #expect(try run("\(sim) --frames 5").exitCode == 0)
    #expect(try run("info take.mov").standardOutput.contains("written 5, lost 0"))
    // A film that exists is refused, and its sidecar stays as it is.
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("take.mov.camrec")))
    #expect(try run("\(sim) --frames 7").exitCode == 74)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("take.mov.camrec"))) == before)
    // A film that is replaced without a sidecar leaves none that describes another.
    #expect(try run("\(sim) --frames 7 --overwrite --no-sidecar").exitCode == 0 && !exists("take.mov.camrec"))
  }

  @Test func whatIsInTheWayIsAWarningAndNoEnd() throws {
    _ = try folder.write("mine".utf8, to: "take.mov.camrec")
    let outcome = try run("--camera sim:pace=pulled --size 64x36 --frames 5 --output take.mov")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.standardError.contains(
        "Warning: the film has no sidecar: 'take.mov.camrec' exists but is not a sidecar; move it away"))
    #expect(try String(contentsOfFile: folder.path("take.mov.camrec"), encoding: .utf8) == "mine")
    let refused = try run("info take.mov")
    #expect(
      refused.exitCode == 65 && refused.standardError == "Error: 'take.mov.camrec' is not the sidecar of a film\n")
  }

  @Test(arguments: [
    ("nothing.mov", "neither 'nothing.mov' nor its sidecar exists; check the path"),
    (".", "'.' has no sidecar beside it ('..camrec' does not exist)"),
    ("look.cube", "'look.cube' has no sidecar beside it ('look.cube.camrec' does not exist)"),
    ("empty.mov.camrec", "Error: 'empty.mov.camrec' is not the sidecar of a film\n"),
    ("torn.mov.camrec", "Error: 'torn.mov.camrec' is not the sidecar of a film\n"),
  ])
  func otherFilesAreRefused(_ path: String, _ sentence: String) throws {
    _ = try folder.write("LUT_3D_SIZE 2\n".utf8, to: "look.cube")
    _ = try folder.write("".utf8, to: "empty.mov.camrec")
    _ = try folder.write("{\"camrec-si".utf8, to: "torn.mov.camrec")
    let outcome = try run("info \(path)")
    #expect(outcome.exitCode == 65 && outcome.standardError.contains(sentence), "\(outcome.standardError)")
  }

  @Test func aRecordingThatDoesNotBeginLeavesNothing() throws {
    let script = try folder.write("vanish 0".utf8, to: "faults")
    #expect(try run("--camera sim:pace=pulled,faults=\(script) --size 64x36 --output take.mov").exitCode == 69)
    #expect(try folder.names == ["faults"])
  }
}

import Foundation
import TestKit
import Testing

/// `camrec ctl` with a recorder that runs.
@Suite struct CtlTests {
  let folder: TemporaryFolder
  let binary: CamrecBinary

  init() throws {
    folder = try TemporaryFolder()
    binary = try CamrecBinary.find()
  }

  private var socket: String { folder.path("c.sock") }

  private func start(_ arguments: [String] = []) throws -> RunningCamrec {
    let running = try binary.start(
      ["--camera", "sim", "--size", "320x240", "--microphone", "none", "--codec", "ffv1", "--output", "take.mkv",
        "--control", socket] + arguments, in: folder.url)
    for _ in 0..<1000 where !running.outputSoFar().standardError.contains("recording to") { usleep(20_000) }
    #expect(running.outputSoFar().standardError.contains("recording to"))
    return running
  }

  private func ctl(_ arguments: String...) throws -> CamrecBinary.Outcome {
    try binary.run(["ctl", "--socket", socket] + arguments, timeout: 60)
  }

  private func state(_ arguments: String...) throws -> [String: Any] {
    let outcome = try binary.run(["ctl", "--socket", socket, "--json"] + arguments, timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any])
  }

  @Test func runningRecorder_isTold_andTells() throws {
    let recorder = try start()
    let first = try state("state")
    #expect(first["phase"] as? String == "recording" && first["films"] as? Int == 1)
    #expect((first["film"] as? String)?.hasSuffix("take.mkv") == true)
    let brighter = try state("ev", "+1/3")
    #expect((brighter["exposure"] as? [String: Any])?["bias"] as? Double == 341.0 / 1024)
    let id = try #require(first["filmID"] as? String)
    #expect(brighter["filmID"] as? String == id, "every command prints the whole state")
    let darker = try state("ev", "-1/3")
    #expect((darker["exposure"] as? [String: Any])?["bias"] as? Double == -341.0 / 1024)
    let text = try ctl("white-balance", "tungsten").standardOutput
    #expect(
      text.hasPrefix("recording ") && text.contains("take.mkv since ") && text.contains("\n  expected "), "\(text)")
    let refused = try ctl("lock")
    #expect(refused.exitCode == 64 && refused.standardError.contains("Error: "), "shutter priority has no lock")
    #expect(try ctl("quit").exitCode == 0)
    let end = recorder.wait()
    #expect(end.hasEndedWell, "\(end.standardError)")
    #expect(try folder.names.filter { !$0.hasSuffix(".camrec") } == ["take.mkv"], "and the socket is gone")
    let account = try String(contentsOfFile: folder.path("take.mkv.camrec"), encoding: .utf8)
    let head = try #require(account.split(separator: "\n").first)
    let start = try #require(try JSONSerialization.jsonObject(with: Data(head.utf8)) as? [String: Any])["start"]
    #expect([first["started"], darker["started"]].allSatisfy { $0 as? String == start as? String }, "\(head)")
  }

  @Test func otherRate_beginsANewFilm() throws {
    let recorder = try start(["--fps", "24"])
    let switched = try state("rate", "12")
    #expect((switched["source"] as? [String: Any])?["frameRate"] as? String == "12")
    #expect(switched["films"] as? Int == 2)
    #expect(try ctl("quit").exitCode == 0)
    let end = recorder.wait()
    #expect(end.hasEndedWell, "\(end.standardError)")
    #expect(try folder.names.count { $0.hasSuffix(".mkv") } == 2)
  }

  /// The camera is back, but the folder is gone.
  @Test func whyTheRecordingDoesNotContinue_isTold() throws {
    let films = folder.path("films"), script = folder.path("faults.txt")
    try FileManager.default.createDirectory(atPath: films, withIntermediateDirectories: false)
    try Data("vanish 60 100ms".utf8).write(to: URL(fileURLWithPath: script))
    let recorder = try binary.start(
      ["--camera", "sim:faults=\(script)", "--size", "320x240", "--fps", "24", "--microphone", "none", "--codec",
        "ffv1", "--on-lost-camera", "wait", "--output", "films/take.mkv", "--control", socket], in: folder.url)
    for _ in 0..<1000 where !recorder.outputSoFar().standardError.contains("recording to") { usleep(20_000) }
    try FileManager.default.moveItem(atPath: films, toPath: folder.path("gone"))
    var told = ""
    for _ in 0..<600 where !told.contains("cannot continue") {
      usleep(100_000)
      told = try ctl("state").standardOutput
    }
    #expect(told.hasPrefix("waiting until it can record again; "), "\(told)")
    let why = "the recording cannot continue: the folder of 'films/"
    #expect(told.contains("\n  \(why)"), "\(told)")
    let now = try state("state")
    #expect((now["continuationFailure"] as? String)?.hasPrefix("the folder of 'films/") == true, "\(now)")
    #expect(now["cameraFailure"] == nil && now["whiteBalanceAge"] == nil, "\(now)")
    #expect(try state("ev", "+1")["continuationFailure"] != nil, "as every command that is carried out")
    let start = try ctl("start")
    #expect(start.exitCode == 64 && start.standardError.contains("the camera is back, but \(why)"), "\(start)")
    #expect(try ctl("quit").exitCode == 0)
    _ = recorder.wait()
  }

  /// The command line's size and rate are those of the camera before it.
  @Test func clip_hasItsOwnSizeAndRate() throws {
    let clip = folder.path("clip.mkv")
    let made = try binary.run(
      ["record", "--camera", "sim:pace=pulled", "--size", "64x36", "--fps", "12", "--frames", "1200", "--microphone",
        "none", "--codec", "ffv1", "--output", clip], in: folder.url)
    #expect(made.exitCode == 0, "\(made.standardError)")
    let recorder = try binary.start(
      ["--standby", "--camera", "sim", "--size", "320x240", "--fps", "24", "--pixel-format", "nv12", "--microphone",
        "none", "--codec", "ffv1", "--output", "take.mkv", "--control", socket], in: folder.url)
    for _ in 0..<1000 where !recorder.outputSoFar().standardError.contains("standing by") { usleep(20_000) }
    _ = try state("camera", "clip:\(clip)")
    let source = try #require(try state("start")["source"] as? [String: Any])
    #expect(source["width"] as? Int == 64 && source["frameRate"] as? String == "12", "\(source)")
    let refused = try ctl("rate", "24")
    #expect(
      refused.exitCode == 64
        && refused.standardError
          == "Error: a clip has its own size, rate and pixel format; to choose them, change to a camera "
          + "('camrec ctl camera')\n")
    #expect(try ctl("quit").exitCode == 0)
    #expect(recorder.wait().hasEndedWell)
  }

  /// A clip that takes over runs already when its film begins.
  @Test func clipThatTakesOver_hasTheTimecodeOfItsFirstFrame() throws {
    let clip = folder.path("clip.mkv")
    let made = try binary.run(
      ["record", "--camera", "sim:pace=pulled", "--size", "64x36", "--fps", "50", "--frames", "3000", "--timecode",
        "01:00:00:00", "--microphone", "none", "--codec", "ffv1", "--output", clip], in: folder.url)
    #expect(made.exitCode == 0, "\(made.standardError)")
    let recorder = try start()
    _ = try state("camera", "clip:\(clip)")
    #expect(try ctl("quit").exitCode == 0)
    #expect([0, 3].contains(recorder.wait().exitCode))
    let sidecar = try String(contentsOfFile: folder.path("take-2.mkv.camrec"), encoding: .utf8)
    let records = try sidecar.split(separator: "\n").compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    let first = try #require(records.first { $0["frame"] != nil }?["sequence"] as? Int)
    let label = String(format: "01:%02d:%02d:%02d", first / (60 * 50), first / 50 % 60, first % 50)
    #expect(records.first?["timecode"] as? String == label, "it begins with the clip's frame \(first)")
  }

  /// As with a stop and a start.
  @Test(arguments: ["rate 12", "format yuyv", "camera sim:seed=3", "switch --fps 12"])
  func otherSource_isTheEndAndTheBeginningOfAFilm_inTheirSidecars(command: String) throws {
    let recorder = try start(["--fps", "24", "--pixel-format", "nv12"])
    let words = command.split(separator: " ").map(String.init)
    let outcome = try binary.run(["ctl", "--socket", socket] + words, timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(try ctl("quit").exitCode == 0)
    #expect(recorder.wait().hasEndedWell)
    func settings(_ film: String) throws -> [Substring] {
      let sidecar = try String(contentsOfFile: folder.path(film) + ".camrec", encoding: .utf8)
      return sidecar.split(separator: "\n").filter { $0.hasPrefix(#"{"setting":"#) }
    }
    let first = try settings("take.mkv"), second = try settings("take-2.mkv")
    #expect(first.count == 1 && first[0].hasPrefix(#"{"setting":"stop","value":"ctl","seconds":"#), "\(first)")
    #expect(second.first == #"{"setting":"start","value":"ctl","seconds":0}"#, "\(second)")
    #expect(second.count == 2 && second[1].hasPrefix(#"{"setting":"stop","value":"ctl","seconds":"#), "\(second)")
  }

  /// The film that it begins instead of the one that waits for its camera.
  @Test func otherCamera_whileTheFirstIsAway_isTheBeginningOfAFilm_inItsSidecar() throws {
    let faults = try folder.write("vanish 24\n".utf8, to: "faults")
    let recorder = try start(["--camera", "sim:faults=\(faults)", "--on-lost-camera", "wait"])
    for _ in 0..<1500 where !recorder.outputSoFar().standardError.contains("is gone; the recording continues") {
      usleep(20_000)
    }
    #expect(try ctl("camera", "sim:seed=3").exitCode == 0)
    for _ in 0..<1500 where !recorder.outputSoFar().standardError.contains("the recording continued with ") {
      usleep(20_000)
    }
    #expect(try ctl("quit").exitCode == 0)
    #expect(recorder.wait().exitCode == 3, "frames were due between the two")
    let sidecar = try String(contentsOfFile: folder.path("take-2.mkv.camrec"), encoding: .utf8)
    let settings = sidecar.split(separator: "\n").filter { $0.hasPrefix(#"{"setting":"#) }
    #expect(settings.first == #"{"setting":"start","value":"ctl","seconds":0}"#, "\(settings)")
    #expect(settings.count == 2 && settings[1].hasPrefix(#"{"setting":"stop","value":"ctl","seconds":"#), "\(settings)")
  }

  /// It opens, and delivers nothing for ten seconds, none of which is recording.
  @Test func otherCameraWithoutAFrame_isNoRecording_andNoMeasureOfTheDisk() throws {
    let gone = try folder.write("vanish 48\n".utf8, to: "gone")
    let silent = try folder.write("hang 0 deaf\n".utf8, to: "silent")
    let recorder = try start(["--camera", "sim:faults=\(gone)", "--on-lost-camera", "wait"])
    let watcher = try binary.start(["ctl", "--socket", socket, "--json", "watch"], in: folder.url)
    for _ in 0..<1500 where !recorder.outputSoFar().standardError.contains("is gone; the recording continues") {
      usleep(20_000)
    }
    let tried = try ctl("camera", "sim:faults=\(silent)")
    #expect(tried.exitCode == 0 && tried.standardOutput.hasPrefix("waiting for the camera; "), "\(tried)")
    let disk = try #require(try state("state")["disk"] as? [String: Any])
    #expect(disk["isSecondsLeftMeasured"] as? Bool == false, "two seconds were recorded: \(disk)")
    // It tries again, and no command is carried out in that time.
    recorder.send(signal: SIGTERM)
    _ = recorder.wait()
    let states = try watcher.wait().standardOutput.split(separator: "\n").compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    let waiting = states.drop { $0["phase"] as? String != "waiting" }.filter { $0["phase"] as? String != "ended" }
    #expect(waiting.count > 1 && waiting.allSatisfy { $0["phase"] as? String == "waiting" }, "\(waiting)")
    #expect(waiting.allSatisfy { ($0["film"] as? String)?.hasSuffix("take.mkv") == true }, "\(waiting)")
  }

  /// A mode that the camera does not have costs no film, and no sidecar says that it ended.
  @Test func refusedSource_isInNoSidecar() throws {
    let recorder = try start()
    #expect(try ctl("format", "nonsense").exitCode != 0)
    #expect(try ctl("quit").exitCode == 0)
    #expect(recorder.wait().hasEndedWell)
    let sidecar = try String(contentsOfFile: folder.path("take.mkv.camrec"), encoding: .utf8)
    let settings = sidecar.split(separator: "\n").filter { $0.hasPrefix(#"{"setting":"#) }
    #expect(settings.count == 1, "\(settings)")
  }

  /// The film before is finished while the new one is being recorded.
  @Test func otherRate_theLogNamesTheFilmThatHasEnded() throws {
    let recorder = try binary.start(
      [
        "--camera", "sim", "--size", "64x36", "--fps", "24", "--microphone", "none", "--codec", "ffv1", "--output",
        "take.mkv", "--control", socket, "--log", "json",
      ], in: folder.url)
    for _ in 0..<1000 where !recorder.outputSoFar().standardError.contains(#""message":"recording""#) {
      usleep(20_000)
    }
    #expect(try state("rate", "12")["films"] as? Int == 2)
    #expect(try ctl("quit").exitCode == 0)
    let lines = recorder.wait().standardError.split(separator: "\n")
    let ends = lines.filter { $0.contains(#""message":"the film has ended: "#) }
    let films = try ends.map { line in
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let fields = try #require(entry?["fields"] as? [String: String])
      let film = try #require(fields["film"]).split(separator: "/").last ?? ""
      let size = try FileManager.default.attributesOfItem(atPath: folder.path(String(film)))[.size] as? Int
      #expect(fields["bytes"] == size.map { "\($0)" }, "\(line)")
      return film
    }
    #expect(films.count == 2 && films.first == "take.mkv" && films.last != "take.mkv", "\(lines)")
  }

  @Test func watcher_seesTheEnd() throws {
    let recorder = try start(["--duration", "2s"])
    let outcome = try binary.run(["ctl", "--socket", socket, "--json", "watch"], timeout: 60)
    #expect(outcome.exitCode == 0)
    let lines = outcome.standardOutput.split(separator: "\n")
    #expect(lines.count > 3 && lines.first?.contains(#""phase":"recording""#) == true)
    _ = recorder.wait()
    let nobody = try ctl("state")
    #expect(nobody.exitCode == 69)
    #expect(nobody.standardError.hasPrefix("Error: no recorder answers at '\(socket)'"))
  }

  /// In the account, and on the line that changes.
  @Test func lostAudio_isTold() throws {
    _ = try folder.write("xrun 0.2s 20ms\n".utf8, to: "faults.txt")
    let recorder = try start(["--camera", "sim:faults=faults.txt", "--microphone", "sim"])
    let isTold = /lost [^\n]*; [0-9]+ samples of audio lost\n/
    for _ in 0..<1500 {
      if try ctl("state").standardOutput.contains(isTold) { break }
      usleep(20_000)
    }
    let told = try ctl("state").standardOutput
    #expect(told.contains(isTold), "\(told)")
    let watching = try binary.start(["ctl", "--socket", socket, "watch"])
    for _ in 0..<1500 where !watching.outputSoFar().standardOutput.contains("\n") { usleep(20_000) }
    #expect(try ctl("quit").exitCode == 0)
    let lines = watching.wait().standardOutput.split(separator: "\n")
    #expect(lines.first?.contains(#/  [0-9]+ lost  [0-9]+ samples of audio lost  /#) == true, "\(lines)")
    #expect(recorder.wait().exitCode == 3)
  }

  @Test func namedSocketThatCannotBe_isAWarning() throws {
    let outcome = try binary.run(
      [
        "--camera", "sim:pace=pulled", "--size", "160x90", "--microphone", "none", "--frames", "24", "--output",
        "take.framemd5", "--control", folder.path("no/such/c.sock"),
      ], in: folder.url, timeout: 60)
    #expect(outcome.exitCode == 0)
    let sentence =
      "Warning: cannot create the control socket '\(folder.path("no/such/c.sock"))'; choose another path for "
        + "--control, or set --control none"
    #expect(outcome.standardError.contains(sentence), "\(outcome.standardError)")
    #expect(outcome.standardError.contains("written 24, lost 0"))
  }

  /// Only one that listens is worth a connection.
  @Test func socketThatCannotBe_isNotNamed() throws {
    _ = try folder.write([1], to: "file.sock")
    for (path, rest) in [("file.sock", " and tries again"), (String(repeating: "x", count: 146), "")] {
      let outcome = try binary.run(
        [
          "--camera", "sim:pace=pulled", "--size", "160x90", "--microphone", "none", "--frames", "2", "--output",
          "take.framemd5", "--overwrite", "--control", folder.path(path), "--json",
        ], in: folder.url, timeout: 60)
      let events = try Events(outcome)
      #expect(!events.started.isEmpty && events.started["socket"] == nil, "\(events.started)")
      #expect(events.warnings.contains { $0.hasSuffix("; the recorder continues without it\(rest)") })
    }
  }

  /// A program that reads the events learns of it when it is there.
  @Test func socketThatComesLater_isNamed() throws {
    _ = try folder.write([1], to: "c.sock")
    let running = try binary.start(
      [
        "--camera", "sim", "--size", "160x90", "--microphone", "none", "--output", "take.mov", "--control", socket,
        "--json",
      ], in: folder.url)
    func awaitOutput(_ part: String) {
      for _ in 0..<3000 where !running.outputSoFar().standardOutput.contains(part) { usleep(20_000) }
    }
    awaitOutput(#""event":"started""#)
    try FileManager.default.removeItem(atPath: socket)
    awaitOutput("is available now")
    #expect(try ctl("quit").exitCode == 0)
    let outcome = running.wait(timeout: 60), events = try Events(outcome)
    #expect(!events.started.isEmpty && events.started["socket"] == nil, "\(events.started)")
    let facts = events.all.filter { $0["event"] as? String == "note" }.compactMap { $0["facts"] as? [String: String] }
    #expect(facts.compactMap { $0["socket"] } == [socket], "\(outcome)")
  }

  @Test func defaultSocketThatCannotBe_isAWarning() throws {
    let outcome = try binary.run(
      [
        "--camera", "sim:pace=pulled", "--size", "160x90", "--microphone", "none", "--frames", "2", "--output",
        "take.framemd5",
      ],
      in: folder.url, environment: ["XDG_RUNTIME_DIR": folder.path("no/such")], timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let start = "Warning: cannot create the control socket '\(folder.path("no/such"))/camrec/"
    #expect(outcome.standardError.contains(start))
  }

  /// In the sidecar, and in the file as FFmpeg reads it.
  @Test(arguments: ["take.mov", "take.mkv"]) func markersAreChapters(film: String) throws {
    let socket = folder.path("s")
    let recorder = try binary.start(
      ["--camera", "sim", "--size", "64x36", "--microphone", "none", "--output", film, "--control", socket],
      in: folder.url)
    func ctl(_ words: String...) throws -> CamrecBinary.Outcome {
      try binary.run(["ctl", "--socket", socket] + words, in: folder.url, timeout: 60)
    }
    for _ in 0..<1000 {
      if try ctl("marker", "take 2: Übersicht").exitCode == 0 { break }
      usleep(20_000)
    }
    let long = String(repeating: "ü", count: 100)
    #expect(try ctl("marker", long).exitCode == 0)
    let answers = try [ctl("marker", "take", "3"), ctl("marker")].map(\.standardOutput)
    #expect(answers[0].hasPrefix("marker 'take 3' at 0:0") && answers[0].contains("\nrecording "), "\(answers)")
    #expect(answers[1].hasPrefix("marker 'marker 4' at 0:0"), "\(answers)")
    for text in ["", long + "x", "a\nb"] {
      let refused = try ctl("marker", text)
      let sentence = "Error: a marker must be a text of 1 to 200 bytes on one line, as in 'marker \"take 2\"'\n"
      #expect(refused.exitCode == 64 && refused.standardError == sentence, "\(refused)")
    }
    #expect(try ctl("quit").exitCode == 0)
    let end = recorder.wait()
    #expect(end.hasEndedWell, "\(end.standardError)")
    struct Chapters: Decodable {
      struct Chapter: Decodable {
        let tags: [String: String]
        let start_time: String
      }
      let chapters: [Chapter]
    }
    let probe = try Tool.run(["ffprobe", "-v", "error", "-of", "json", "-show_chapters", folder.path(film)])
    let chapters = try JSONDecoder().decode(Chapters.self, from: probe).chapters
    #expect(chapters.map { $0.tags["title"] } == ["take 2: Übersicht", long, "take 3", "marker 4"])
    let info = try binary.run(["info", "--json", film], in: folder.url)
    struct Info: Decodable {
      struct Listing: Decodable {
        struct Marker: Decodable {
          let seconds: Double
          let text: String
        }
        let items: [Marker]
      }
      let markers: Listing
    }
    let markers = try JSONDecoder().decode(Info.self, from: Data(info.standardOutput.utf8)).markers.items
    #expect(markers.map(\.text) == ["take 2: Übersicht", long, "take 3", "marker 4"])
    for (chapter, marker) in zip(chapters, markers) {
      #expect(abs((Double(chapter.start_time) ?? -1) - marker.seconds) < 0.002)
    }
    let refused = try binary.run(["ctl", "--socket", socket, "marker", "x"], in: folder.url)
    #expect(refused.exitCode != 0)
  }

  @Test func aMarkerWantsAFilm() throws {
    let socket = folder.path("s")
    let recorder = try binary.start(
      ["--camera", "sim", "--size", "64x36", "--microphone", "none", "--output", "a.mov", "--control", socket,
        "--standby"], in: folder.url)
    func mark() throws -> CamrecBinary.Outcome {
      try binary.run(["ctl", "--socket", socket, "marker", "x"], in: folder.url, timeout: 60)
    }
    for _ in 0..<1000 where !FileManager.default.fileExists(atPath: socket) { usleep(20_000) }
    let refused = try mark()
    let sentence = "Error: cannot set a marker: no film is being recorded\n"
    #expect(refused.exitCode == 64 && refused.standardError == sentence, "\(refused)")
    recorder.send(signal: SIGTERM)
    #expect(recorder.wait().exitCode == 0)
  }

  @Test func aHashRecordingTakesNoMarkers() throws {
    let recorder = try binary.start(
      ["--camera", "sim", "--size", "64x36", "--microphone", "none", "--output", "a.framemd5", "--control", socket],
      in: folder.url)
    for _ in 0..<1000 where !recorder.outputSoFar().standardError.contains("recording to") { usleep(20_000) }
    let refused = try ctl("marker", "x")
    let sentence = "Error: cannot set a marker: a hash recording keeps none; record a .mov or .mkv\n"
    #expect(refused.exitCode == 64 && refused.standardError == sentence, "\(refused)")
    #expect(try state("state")["marker"] == nil)
    recorder.send(signal: SIGTERM)
    #expect(recorder.wait().exitCode == 0)
  }

  @Test func oneThatRuns_isFound() throws {
    let recorder = try binary.start(
      ["--camera", "sim", "--size", "320x240", "--microphone", "none", "--output", "take.framemd5"], in: folder.url,
      environment: ["XDG_RUNTIME_DIR": folder.url.path])
    for _ in 0..<1000 where !recorder.outputSoFar().standardError.contains("recording to") { usleep(20_000) }
    let outcome = try binary.run(["ctl", "quit"], environment: ["XDG_RUNTIME_DIR": folder.url.path], timeout: 60)
    // A recorder of this machine's own may be in root's folder.
    if outcome.exitCode != 0 { recorder.send(signal: SIGINT) }
    #expect(
      outcome.exitCode == 0 || outcome.standardError.contains("recorders are running"), "\(outcome.standardError)")
    let end = recorder.wait()
    #expect(end.hasEndedWell, "\(end.standardError)")
  }
}

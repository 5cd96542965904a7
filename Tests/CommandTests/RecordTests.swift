import CameraTestKit
import Foundation
import Frames
import TestKit
import Testing

/// Recordings of the simulated camera, judged by ffprobe and by the marks in the pictures.
@Suite(.serialized) struct RecordTests {
  private let camrec: CamrecBinary
  private let folder: TemporaryFolder

  init() throws {
    camrec = try CamrecBinary.find()
    folder = try TemporaryFolder()
  }

  @Test func defaultsMakeAnEditorsFile() throws {
    let outcome = try record("--camera sim:pace=pulled --size 320x180 --duration 2s --output take.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(outcome.standardError.contains("frames: expected 48, captured 48, written 48, lost 0"))
    #expect(outcome.standardOutput == "")
    #expect(!outcome.standardError.contains("\r"), "no progress line where nobody sees it")

    let probe = try Probe(folder.path("take.mov"))
    #expect(probe.video["codec_name"] as? String == "hevc" && probe.video["codec_tag_string"] as? String == "hvc1")
    #expect(probe.video["profile"] as? String == "Main" && probe.video["pix_fmt"] as? String == "yuv420p")
    #expect(probe.video["r_frame_rate"] as? String == "24/1" && probe.video["avg_frame_rate"] as? String == "24/1")
    #expect(probe.colors == ["bt709", "bt709", "bt709", "tv"])
    #expect(probe.audio["codec_tag_string"] as? String == "sowt" && probe.audio["sample_rate"] as? String == "48000")
    #expect(probe.audio["channels"] as? Int == 2)
    #expect(probe.timecode?.wholeMatch(of: /\d\d:\d\d:\d\d:\d\d/) != nil)
    #expect(probe.tags["software"]?.wholeMatch(of: /camrec \d+\.\d+\.\d+/) != nil)
    #expect(probe.tags["creation_time"]?.hasPrefix("20") == true)

    let film = try RecordedFilm(path: folder.path("take.mov"))
    #expect(film.pictures.count == 48 && film.packetCount == 48)
    #expect(film.isInOrder && film.missingNumbers == [])
    #expect(
      film.soundOffsets.count >= 2 && film.soundOffsets.allSatisfy { abs($0) <= 0.5 / 24 }, "\(film.soundOffsets)")
  }

  /// In real time: a busy machine may lose frames, and then every one is accounted for.
  @Test func eventsTellTheStory() throws {
    let outcome = try record("--camera sim --size 320x180 --fps 24000/1001 --frames 30 --json --output take.mov")
    let events = try Events(outcome)
    #expect(events.kinds.first == "started" && events.kinds.last == "stopped" && events.kinds.contains("progress"))
    #expect(events.started["fps"] as? String == "24000/1001" && events.started["width"] as? Int == 320)
    #expect(
      events.started["camera"] as? String == "simulated camera" && events.started["output"] as? String == "take.mov")
    let lost = events.losses.reduce(0, +)
    #expect(events.account[0] == 30 && events.account[2] == 30 - lost)
    #expect(events.stopped["frames"] as? Int == 30 - lost)
    #expect(outcome.exitCode == (lost == 0 ? 0 : 3) && events.stopped["status"] as? Int32 == outcome.exitCode)
    #expect((events.stopped["secondsToFirstFrame"] as? Double).map { $0 > 0 } == true)
    #expect(try Probe(folder.path("take.mov")).video["r_frame_rate"] as? String == "24000/1001")
    #expect((events.started["pid"] as? Int ?? 0) > 0)
    let times = try events.all.map { try #require($0["time"] as? [String: Any]) }
    let monotonic = try times.map { try #require($0["monotonic"] as? Double) }
    #expect(monotonic == monotonic.sorted() && (monotonic.first ?? 0) > 0)
    let form = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for time in times { _ = try Date(try #require(time["wall"] as? String), strategy: form) }
  }

  @Test func start_namesTheSocket() throws {
    let outcome = try record(
      "--camera sim:pace=pulled --size 64x36 --frames 2 --microphone none --json --output take.framemd5 "
        + "--control c.sock")
    let socket = try #require(try Events(outcome).started["socket"] as? String)
    #expect(socket.hasPrefix("/") && socket.hasSuffix("/c.sock"))
  }

  @Test func aHashRecordingIsOfRawVideo() throws {
    let outcome = try record(
      "--camera sim:pace=pulled --size 64x36 --frames 2 --microphone none --json --output take.framemd5")
    #expect(try Events(outcome).started["codec"] as? String == "rawvideo")
  }

  /// A line as wide as the terminal would leave one behind at every renewal.
  @Test(arguments: [40, 80]) func progressFitsTheTerminal(columns: Int) throws {
    let terminal = try PseudoTerminal()
    terminal.resize(columns: columns)
    let process = Process()
    process.executableURL = camrec.url
    process.arguments = arguments("--camera sim --size 64x36 --control none --state none --output take.mov")
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(fileDescriptor: terminal.terminal)
    try process.run()
    let shown = (0..<3).map { _ in terminal.screen(until: "REC ") }.joined()
    process.interrupt()
    let said = shown + terminal.screen(until: "frames: expected ")
    // Somebody has to read what comes.
    _ = terminal.screen(until: "\n")
    process.waitUntilExit()
    let lines = said.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").split(whereSeparator: \.isNewline)
      .flatMap { $0.split(separator: "\r") }.filter { $0.contains("REC ") }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.count < columns }, "\(lines)")
  }

  @Test func lossesHaveTheirReasonAndTheirExitStatus() throws {
    let script = try folder.write("drop 5 2\ndamage 10\n".utf8, to: "faults")
    let outcome = try record(
      "--camera sim:pace=pulled,faults=\(script) --size 320x180 --frames 24 --exposure camera --json "
        + "--output take.mov")
    let events = try Events(outcome)
    #expect(outcome.exitCode == 3)
    #expect(events.account == [24, 21, 21] && events.losses == [2, 1, 0, 0, 0])
    let film = try RecordedFilm(path: folder.path("take.mov"))
    #expect(film.isInOrder && film.missingNumbers == [5, 6, 10])
    #expect(film.pictures.map { Int(($0.time * 24).rounded()) } == (0..<24).filter { ![5, 6, 10].contains($0) })
  }

  @Test(arguments: [
    ("vanish 12", "was unplugged"), ("change 12", "changed its picture format"), ("fail 12", "broke down at frame 12"),
  ])
  func lostCameraLeavesAFinishedFile(_ fault: String, _ sentence: String) throws {
    let script = try folder.write(fault.utf8, to: "faults")
    let outcome = try record(
      "--camera sim:pace=pulled,faults=\(script) --size 320x180 --frames 24 --exposure camera --output take.mov")
    #expect(outcome.exitCode == 69)
    #expect(
      outcome.standardError.contains("Error: simulated camera")
        || outcome.standardError.contains("Error: the simulated camera"))
    #expect(outcome.standardError.contains(sentence), "\(outcome.standardError)")
    #expect(try RecordedFilm(path: folder.path("take.mov")).numbers == (0..<12).map { UInt32($0) })
  }

  @Test func cameraThatIsLostBeforeItsFirstFrameKeepsNothing() throws {
    let script = try folder.write("vanish 0".utf8, to: "faults")
    let outcome = try record("--camera sim:pace=pulled,faults=\(script) --size 320x180 --output take.mov")
    #expect(outcome.exitCode == 69 && outcome.standardError.contains("nothing was recorded\n"))
    #expect(outcome.standardError.hasSuffix("Error: simulated camera was unplugged\n"), "\(outcome.standardError)")
  }

  /// In real time.
  @Test func cameraThatDeliversOnlyDamageIsNoticed() throws {
    let script = try folder.write("damage 0 1000".utf8, to: "faults")
    let outcome = try record("--camera sim:faults=\(script) --size 320x180 --frames 60 --json --output take.mov")
    #expect(
      try Events(outcome).warnings.contains(
        "simulated camera delivers no intact frames; restarted its stream"))
    #expect(outcome.exitCode == 3 && !FileManager.default.fileExists(atPath: folder.path("take.mov")))
  }

  /// In real time.
  @Test func aStreamThatStallsIsStartedAgain() throws {
    let script = try folder.write("hang 5".utf8, to: "faults")
    let outcome = try record(
      "--camera sim:faults=\(script) --size 320x180 --microphone none --duration 5s --json --output take.mov")
    let events = try Events(outcome)
    #expect(events.warnings.contains("simulated camera delivers no intact frames; restarted its stream"))
    let ledger = try #require(events.stopped["ledger"] as? [String: Any])
    #expect(ledger["expected"] as? Int == 120 && outcome.exitCode == 3)
    let gaps = (ledger["lost"] as? [String: Any])?["deviceGap"] as? Int ?? 0
    #expect(gaps >= 47, "two seconds of silence before the stream is started again, \(ledger)")
    let film = try RecordedFilm(path: folder.path("take.mov"))
    let lost = events.losses.reduce(0, +)
    #expect(
      film.numbers.count == 120 - lost && (film.numbers.last.flatMap { $0 } ?? 0) > 60, "the camera's count goes on")
  }

  /// It would wait for ever.
  @Test func aPulledCameraDoesNotHang() throws {
    let script = try folder.write("hang 5".utf8, to: "faults")
    let outcome = try record("--camera sim:pace=pulled,faults=\(script) --output take.mov")
    #expect(outcome.exitCode == 65 && outcome.standardError.contains("leave out pace=pulled"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("take.mov")))
  }

  /// In real time. What was due is lost; film, account and sidecar have the same length, and so have picture and sound.
  @Test(arguments: [("--duration 3s", 3, 2.999...3.001), ("", 69, 10.0...60)])
  func aFilmThatEndsWhileItsCameraIsSilent_hasOneLength(
    limit: String, status: Int, lengths: ClosedRange<Double>
  ) throws {
    let script = try folder.write("hang 24 deaf".utf8, to: "faults")
    let outcome = try record(
      "--camera sim:faults=\(script) --microphone sim --size 320x180 --fps 24 \(limit) --json --output take.mov")
    let events = try Events(outcome), seconds = try #require(events.stopped["seconds"] as? Double)
    #expect(Int(outcome.exitCode) == status && lengths.contains(seconds), "\(events.stopped)")
    #expect(events.account[0] == Int((seconds * 24).rounded()) && events.losses[0] >= 40, "\(events.stopped)")
    #expect(events.account[0] == events.account[2] + events.losses.reduce(0, +))
    let sound = (events.stopped["sound"] as? [String: Any])?["frames"] as? Int ?? 0
    #expect(abs(Double(sound) / 48_000 - seconds) < 0.05, "\(events.stopped)")
    let info = try CamrecBinary.find().run(["info", "--json", "take.mov"], in: folder.url)
    let summary = try #require(
      try JSONSerialization.jsonObject(with: Data(info.standardOutput.utf8)) as? [String: Any])
    #expect((summary["seconds"] as? Double).map { abs($0 - seconds) < 0.001 } == true, "\(summary)")
    #expect((summary["lost"] as? [String: Int])?["deviceGap"] == events.losses[0], "\(summary)")
    let probe = try Probe(folder.path("take.mov"))
    for stream in [probe.video, probe.audio] {
      let length = (stream["duration"] as? String).flatMap(Double.init) ?? 0
      #expect(abs(length - seconds) < 0.05, "\(stream)")
    }
  }

  /// The film that continues the recording reaches the limit with its first frames, before the return is noted.
  @Test(arguments: [23, 24]) func aRecordingEndsAtItsLimitRightBehindAReturn(frames: Int) throws {
    let script = try folder.write("vanish 24 700ms".utf8, to: "faults")
    let outcome = try record(
      "--camera sim:faults=\(script) --size 64x36 --frames \(frames) --on-lost-camera wait --output take.mov")
    #expect(!outcome.timedOut && [0, 3].contains(outcome.exitCode), "\(outcome)")
    #expect(outcome.standardError.contains(" is back after "), "\(outcome)")
    let due = /[0-9]+ frames were due between the previous film and this one\n/
    #expect(outcome.standardError.contains(due), "\(outcome)")
    #expect(try folder.names.contains("take-2.mov"))
  }

  /// In real time.
  @Test func aCameraThatComesBackIsRecordedInANewFilm() throws {
    let script = try folder.write("vanish 12 700ms".utf8, to: "faults")
    let outcome = try record(
      "--camera sim:faults=\(script) --size 160x90 --frames 30 --on-lost-camera wait --json --output take.mov")
    let events = try Events(outcome)
    #expect(outcome.exitCode == 3, "frames were due while it was away; \(outcome.standardError)")
    let films = try folder.names.filter { $0.hasSuffix(".mov") }
    #expect(films.first == "take-2.mov" && films.count >= 3, "\(films)")
    #expect(
      events.warnings.contains("simulated camera is gone; the recording continues in a new film when it is back"))
    let back = events.warnings.compactMap { warning in
      warning.firstMatch(of: /^simulated camera is back after ([0-9.]+) s$/).flatMap { Double($0.1) }
    }
    // A limit counts over all films.
    var expected = 0, gaps: [Double] = []
    for name in films {
      expected += try RecordedFilm(path: folder.path(name)).numbers.count
      let sidecar = try String(contentsOfFile: folder.path(name + ".camrec"), encoding: .utf8)
      #expect(sidecar.contains(#""continues":"#) == (name != "take.mov"), "\(name)")
      for line in sidecar.split(separator: "\n") where line.contains(#""continues":"#) {
        let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        gaps.append(try #require(record?["seconds"] as? Double))
      }
    }
    #expect(!back.isEmpty && back.sorted() == gaps.map { ($0 * 10).rounded() / 10 }.sorted(), "\(back), \(gaps)")
    #expect(expected <= 30 && expected >= 15, "\(expected)")
  }

  /// Who ends a recorder that waits does not want it restarted, as a rig restarts after 69.
  @Test func endingTheWaitForACameraIsALossAndNoFailure() throws {
    let script = try folder.write("vanish 12".utf8, to: "faults")
    let running = try camrec.start(
      arguments("--camera sim:faults=\(script) --size 160x90 --on-lost-camera wait --json --output take.mov"),
      in: folder.url)
    for _ in 0..<3000 where !running.outputSoFar().standardOutput.contains(#""event":"stopped""#) {
      Thread.sleep(forTimeInterval: 0.02)
    }
    running.send(signal: SIGTERM)
    let outcome = running.wait(timeout: 60)
    #expect(outcome.exitCode == 3, "\(outcome)")
    #expect(try Events(outcome).stopped["status"] as? Int == 69, "the film's own: \(outcome.standardOutput)")
  }

  @Test func aCameraThatNeverDeliveredIsNotWaitedFor() throws {
    let script = try folder.write("vanish 0 1s".utf8, to: "faults")
    let outcome = try record(
      "--camera sim:faults=\(script) --size 160x90 --frames 30 --on-lost-camera wait --output take.mov")
    #expect(outcome.exitCode == 69 && outcome.standardError.contains("simulated camera was unplugged"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func signalEndsCleanly(_ signal: Int32) throws {
    let running = try camrec.start(
      arguments("--camera sim:pace=pulled --size 320x180 --json --output take.mov"), in: folder.url)
    awaitProgress(of: running)
    running.send(signal: signal)
    let outcome = running.wait(timeout: 60)
    #expect(outcome.exitCode == 0 && !outcome.endedBySignal && !outcome.timedOut, "\(outcome.standardError)")
    let film = try RecordedFilm(path: folder.path("take.mov"))
    #expect(film.isInOrder && film.missingNumbers == [])
    #expect(try Events(outcome).account[2] == film.pictures.count)
  }

  @Test func secondInterruptEndsAtOnce() throws {
    // The disk never confirms what was written.
    let gate = try FileGate(path: folder.path("gate"), call: .synchronization)
    let running = try camrec.start(
      arguments("--camera sim:pace=pulled --size 320x180 --json --output take.mov"), in: folder.url,
      environment: try gate.environment())
    try gate.awaitSomebody()
    let outcome = running.interruptUntilItEnds()
    #expect(outcome.exitCode == 130 && !outcome.endedBySignal)
    #expect(
      outcome.standardError.contains(
        "ended at once; 'take.mov' is unfinished; to finish it, run: camrec recover take.mov"))
  }

  /// The log has no other lines, and the events have everything that goes wrong.
  @Test func secondInterrupt_isALineOfTheLog_andAnEvent() throws {
    let gate = try FileGate(path: folder.path("gate"), call: .synchronization)
    let running = try camrec.start(
      arguments("--camera sim:pace=pulled --size 320x180 --json --log json --output take.mov"), in: folder.url,
      environment: try gate.environment())
    try gate.awaitSomebody()
    let outcome = running.interruptUntilItEnds()
    #expect(outcome.exitCode == 130 && !outcome.endedBySignal)
    let lines = try outcome.standardError.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
    }
    let sentence = "ended at once; 'take.mov' is unfinished; to finish it, run: camrec recover take.mov"
    let line = try #require(lines.first { $0["message"] as? String == sentence }, "\(outcome.standardError)")
    #expect(line["level"] as? String == "error", "\(line)")
    let fields = ["camera": "sim", "code": "interrupted", "film": "take.mov"]
    #expect(line["fields"] as? [String: String] == fields, "\(line)")
    let events = try Events(outcome)
    #expect(events.warnings.contains(sentence) && !events.kinds.contains("stopped"), "\(events.all)")
  }

  @Test func killedRecordingPlaysUpToItsLastSecond() throws {
    let running = try camrec.start(
      arguments("--camera sim:pace=pulled --size 320x180 --json --output take.mov"), in: folder.url)
    awaitProgress(of: running, beyond: 2)
    running.send(signal: SIGKILL)
    let outcome = running.wait(timeout: 60)
    #expect(outcome.endedBySignal)
    let film = try RecordedFilm(path: folder.path("take.mov"))
    // The kill may tear the fragment that is being written, a quarter of a second, and behind the safe end a picture
    // may be missing that B-frames around it were stored before. A pulled camera waits for nothing, so a busy machine
    // may hold more than a second in its queues: then the account says so.
    let told = try #require(progress(of: running)), seconds = try #require(told["seconds"] as? Double)
    let safe = seconds - max(1, try #require(told["unsavedSeconds"] as? Double) + 0.25)
    #expect(film.isInOrder && (0...6).contains(film.packetCount - film.pictures.count))
    #expect(film.missingNumbers.allSatisfy { Double($0) / 24 > safe }, "\(film.missingNumbers)")
    #expect(film.pictures.last.map { $0.time > safe } == true)
    #expect(film.soundOffsets.count >= 1 && film.soundOffsets.allSatisfy { abs($0) <= 0.5 / 24 })
  }

  @Test(arguments: [("", Rotation.threeQuarters), ("--rotation auto", .threeQuarters), ("--rotation 0", Rotation.none)])
  func rotationFollowsTheCameraUnlessItIsGiven(option: String, rotation: Rotation) throws {
    let outcome = try record(
      "--camera sim:pace=pulled,rotation=270 --size 320x180 --frames 3 \(option) --output take.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(try RecordedFilm(path: folder.path("take.mov")).rotation == rotation)
  }

  @Test func rotationIsThePlayersBusiness() throws {
    let outcome = try record(
      "--camera sim:pace=pulled --size 320x180 --frames 3 --rotation 90 --timecode 01:02:03:04 --output take.mov")
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let probe = try Probe(folder.path("take.mov"))
    #expect(probe.rotation == -90 && probe.timecode == "01:02:03:04")
    #expect(probe.video["width"] as? Int == 320)
    #expect(try RecordedFilm(path: folder.path("take.mov")).rotation == .quarter)
  }

  @Test func dropFrameTimecodeNeedsItsRate() throws {
    let refused = try record("--camera sim --timecode 01:00:00;00 --output take.mov")
    #expect(
      refused.exitCode == 64
        && refused.standardError.contains("drop-frame exists only at 30000/1001 and 60000/1001 fps"))
    let taken = try record(
      "--camera sim:pace=pulled --size 320x180 --fps 29.97 --frames 2 --timecode 01:00:00;00 --output take.mov")
    #expect(taken.exitCode == 0)
    #expect(try Probe(folder.path("take.mov")).timecode == "01:00:00;00")
  }

  @Test func lengthOfAYearAtAnOddRateIsTaken() throws {
    let script = try folder.write("end 3".utf8, to: "faults")
    let outcome = try record(
      "--camera sim:pace=pulled,faults=\(script) --size 64x64 --fps 123.456789 --duration 31622399.999999s"
        + " --microphone none --output take.mov")
    #expect(outcome.exitCode == 0 && outcome.standardError.contains("written 3, lost 0"), "\(outcome.standardError)")
  }

  @Test(arguments: [5000, -20_000]) func cameraOffItsRateIsNamedAndKeepsItsSound(_ ppm: Int) throws {
    let outcome = try record(
      "--camera sim:pace=pulled,ppm=\(ppm) --size 320x180 --duration 6s --json --output take.mov")
    let events = try Events(outcome)
    #expect(events.stopped["isVariableRate"] as? Bool == true)
    #expect(events.warnings.contains { $0.contains("does not keep to 24 fps (more than 0.1 % off)") })
    #expect(!events.warnings.contains { $0.contains("sound is stretched") }, "\(events.warnings)")
    let film = try RecordedFilm(path: folder.path("take.mov"))
    #expect(
      film.soundOffsets.count >= 5 && film.soundOffsets.allSatisfy { abs($0) <= 0.5 / 24 }, "\(film.soundOffsets)")
  }

  /// In real time.
  @Test func microphoneThatFallsSilentIsNoticed() throws {
    let script = try folder.write("xrun 300ms 100s".utf8, to: "faults")
    let outcome = try record(
      "--camera sim:faults=\(script) --size 320x180 --duration 3s --exposure camera --json --output take.mov")
    let events = try Events(outcome), sound = events.stopped["sound"] as? [String: Any] ?? [:]
    #expect(outcome.exitCode == 3 && sound["overruns"] as? Int == 1)
    #expect((sound["lost"] as? Int).map { abs($0 - 129_600) < 2000 } == true, "\(sound)")
    #expect(events.warnings.contains("simulated microphone delivers no audio; recording silence"))
    let length = try Probe(folder.path("take.mov")).audio["duration"] as? String
    #expect(length.flatMap(Double.init).map { abs($0 - 3) < 0.001 } == true)
  }

  @Test(arguments: [("", 1.0, 24), ("--max-loss 200ms", 0.2, 60), ("--max-loss 10s --preset slow", 10.0, 24)])
  func whatAPowerCutMayCostIsSaid(option: String, limit: Double, rate: Int) throws {
    let outcome = try record(
      "--camera sim:pace=pulled --size 320x180 --fps \(rate) --frames 30 \(option) --json --output take.mov")
    let events = try Events(outcome), safety = events.started["safety"] as? [String: Any] ?? [:]
    #expect(outcome.exitCode == 0 && safety["maxLoss"] as? Double == limit, "\(outcome.standardError)")
    let bound = try #require(safety["lossBound"] as? Double)
    #expect(bound > limit / 4 && bound <= limit)
    // What the disk of a busy machine holds up is a warning of its own.
    #expect(!events.warnings.contains { $0.contains("killed recording may lose") }, "\(events.warnings)")
    // Eight seconds of 0.8 bits a pixel and 192 kB of sound, and 4 MiB at least.
    let expected = max(4_194_304, 8 * (320 * 180 * rate / 10 + 192_000))
    #expect(safety["bufferBytes"] as? Int == expected && (safety["bufferSeconds"] as? Double).map { $0 >= 8 } == true)
  }

  @Test func lossLimitThatIsNotMetIsSaid() throws {
    let line = "--camera sim:pace=pulled --size 320x180 --frames 3 --max-loss 200ms --overwrite --output take.mov"
    let outcome = try record(line)
    #expect(
      outcome.standardError.contains(
        "Warning: a killed recording may lose its last 0.31 s instead of 0.2 s: with these settings the encoder holds"
          + " frames that long\n"))
    #expect(
      outcome.standardError.contains(
        "\nsafety: a crash costs at most 0.31 s while the encoder keeps up; a stalled disk is bridged for about ")
        && outcome.standardError.contains(" s (4.2 MB)\n"), "\(outcome.standardError)")
  }

  @Test func lengthBelowAFrameIsRefused() throws {
    let outcome = try record("--camera sim:pace=pulled --size 320x180 --duration 1us --output take.mov")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.standardError
        == "Error: --duration is shorter than a frame, which lasts 41.667 ms at 24 fps; --frames 1 records one\n")
    #expect(try folder.names == [])
  }

  @Test func reasonForTheEndOfSoundIsInTheLedger() throws {
    let script = try folder.write("unplug 500ms".utf8, to: "faults")
    let line = "--camera sim:pace=pulled,faults=\(script) --size 320x180 --duration 1s --overwrite --output take.mov"
    let told = try record(line)
    #expect(told.exitCode == 3)
    #expect(
      told.standardError.hasSuffix("audio is missing at the end: simulated microphone was unplugged\n"),
      "\(told.standardError)")
    let error = try Events(try record(line + " --json")).stopped["soundError"] as? [String: Any]
    #expect(error?["message"] as? String == "simulated microphone was unplugged")
    #expect(error?["code"] as? String == "device")
  }

  /// Pictures that are pulled wait for the sound, and the other way round.
  @Test func soundThatIsLostKeepsNoPulledPictureWaiting() throws {
    let script = try folder.write("drop 20 10\ndamage 40 2\nxrun 1.5s 700ms\nunplug 4.2s\n".utf8, to: "faults")
    let outcome = try record(
      "--camera sim:pace=pulled,physics=fast,faults=\(script) --size 160x90 --duration 6s --codec ffv1 --json "
        + "--output take.mkv")
    #expect(outcome.exitCode == 3 && !outcome.timedOut, "\(outcome.standardError)")
    let stopped = try Events(outcome).stopped
    #expect((stopped["ledger"] as? [String: Any])?["written"] as? Int == 132)
    #expect((stopped["sound"] as? [String: Any])?["lost"] as? Int == 33600)
  }

  @Test func hashesAreTheSameForAnyNumberOfWorkers() throws {
    for workers in [1, 3] {
      let outcome = try record(
        "--camera sim:pace=pulled,seed=7 --size 320x180 --frames 6 --workers \(workers) --color-in slog3"
          + " --color-out slog3-full --output \(workers).framemd5")
      #expect(outcome.exitCode == 0, "\(outcome.standardError)")
      #expect(!outcome.standardError.contains("in full range"), "no player shows hashes")
    }
    let hashes = try [1, 3].map { try String(contentsOfFile: folder.path("\($0).framemd5"), encoding: .utf8) }
    #expect(hashes[0] == hashes[1])
    #expect(hashes[0].split(separator: "\n").count { !$0.hasPrefix("#") } == 6)
  }

  /// When each picture shows, in frames, as FFmpeg reads the film.
  private func places(_ film: String) throws -> [Int] {
    let told = try Tool.run([
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
      folder.path(film),
    ])
    return String(decoding: told, as: UTF8.self).split(whereSeparator: { ",\n".contains($0) })
      .compactMap { Double($0) }.map { Int(($0 * 24).rounded()) }.sorted()
  }

  /// Editors see a constant rate; what is lost is lost all the same, and said.
  @Test(arguments: [("hevc", "take.mov"), ("prores", "take.mov"), ("ffv1", "take.mkv")])
  func gapsAreFilled(codec: String, film: String) throws {
    _ = try folder.write("drop 6 2\ndrop 31 3\n".utf8, to: "faults.txt")
    let record = [
      "--camera", "sim:pace=pulled,faults=faults.txt", "--size", "64x36", "--fps", "24", "--microphone", "none",
      "--exposure", "camera", "--codec", codec,
    ]
    let plain = try camrec.run(record + ["--frames", "72", "--output", "plain-\(film)"], in: folder.url)
    #expect(plain.exitCode == 3, "\(plain.standardError)")
    let gaps = try places("plain-\(film)")
    #expect(gaps.count == 67)
    let filled = try camrec.run(
      record + ["--frames", "72", "--fill-gaps", "--json", "--output", film], in: folder.url)
    #expect(filled.exitCode == 3, "\(filled.standardError)")
    #expect(try places(film) == Array(0..<72))
    let events = try Events(filled)
    #expect(events.account == [72, 67, 67] && events.losses == [5, 0, 0, 0, 0])
    struct Info: Decodable {
      struct Listing: Decodable {
        struct Repeat: Decodable {
          let frame: Int
          let count: Int
        }
        let items: [Repeat]
      }
      let repeated: Listing
      let gaps: Listing
    }
    let told = try camrec.run(["info", "--json", film], in: folder.url).standardOutput
    let info = try JSONDecoder().decode(Info.self, from: Data(told.utf8))
    let repeats = info.repeated.items.flatMap { Array($0.frame..<$0.frame + $0.count) }
    #expect(repeats == Array(Set(0..<72).subtracting(gaps)).sorted() && info.gaps.items.map(\.count) == [2, 3])
    // The picture in front of a gap is the one that fills it.
    guard codec == "ffv1" else { return }
    let hashes = try Tool.run(["ffmpeg", "-v", "error", "-i", folder.path(film), "-map", "0:v", "-f", "framemd5", "-"])
    let pictures = String(decoding: hashes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.suffix(32) }
    #expect(pictures.count == 72)
    for place in 1..<pictures.count {
      #expect((pictures[place] == pictures[place - 1]) == repeats.contains(place), "\(place)")
    }
  }

  /// As the end counts them. In real time: a busy machine may lose more frames. And what a crash would cost is told.
  @Test func progressCountsTheFramesThatFillGaps_andWhatIsNotSaved() throws {
    _ = try folder.write("drop 6 2\n".utf8, to: "faults.txt")
    let running = try camrec.start(
      arguments(
        "--camera sim:faults=faults.txt --size 64x36 --fps 24 --microphone none --exposure camera --fill-gaps --json "
          + "--state take.state.json --output take.mov"), in: folder.url)
    var told: [String: Any] = [:], written = 0
    for _ in 0..<3000 where written < 12 {
      Thread.sleep(forTimeInterval: 0.02)
      told = progress(of: running) ?? [:]
      written = (told["ledger"] as? [String: Any])?["written"] as? Int ?? 0
    }
    let state = folder.path("take.state.json")
    func isInState(_ member: String) -> Bool {
      (try? String(contentsOfFile: state, encoding: .utf8))?.contains("\"\(member)\":") == true
    }
    for _ in 0..<3000 where !isInState("unsavedSeconds") { Thread.sleep(forTimeInterval: 0.02) }
    #expect(isInState("unsavedSeconds") && isInState("lossBound"))
    running.send(signal: SIGINT)
    let events = try Events(running.wait())
    #expect((told["unsavedSeconds"] as? Double).map { $0 >= 0 } == true, "\(told)")
    #expect(written >= 12 && (told["frames"] as? Int).map { $0 >= written + 2 } == true, "\(told)")
    let repeated = try #require(events.stopped["repeated"] as? Int)
    #expect(events.stopped["frames"] as? Int == events.account[2] + repeated && repeated >= 2, "\(events.stopped)")
  }

  /// No frame comes behind it.
  @Test func aGapAtTheEndIsNotFilled_andThatIsSaid() throws {
    _ = try folder.write("drop 60 20\n".utf8, to: "faults.txt")
    let outcome = try camrec.run(
      ["--camera", "sim:pace=pulled,faults=faults.txt", "--size", "64x36", "--fps", "24", "--microphone", "none",
        "--codec", "ffv1", "--frames", "72", "--fill-gaps", "--output", "take.mkv"], in: folder.url)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    // The camera has delivered frames before the film's first.
    let kept = try places("take.mkv")
    #expect((50...60).contains(kept.count) && kept == Array(0..<kept.count), "\(kept)")
    let sentence = "the gap of \(72 - kept.count) frames at the film's end is not filled"
    #expect(outcome.standardError.contains("Warning: \(sentence)"), "\(outcome.standardError)")
    let info = try camrec.run(["info", "take.mkv"], in: folder.url)
    #expect(info.standardOutput.contains(sentence), "\(info.standardOutput)")
  }

  /// Those in front of a file's first frame are the file's before.
  @Test func gapsBetweenSegmentsAreFilled() throws {
    _ = try folder.write("drop 24 4\n".utf8, to: "faults.txt")
    let outcome = try camrec.run(
      ["--camera", "sim:pace=pulled,faults=faults.txt", "--size", "64x36", "--fps", "24", "--microphone", "none",
        "--frames", "72", "--fill-gaps", "--segment", "1s", "--output", "s.mov"], in: folder.url)
    #expect(outcome.exitCode == 3, "\(outcome.standardError)")
    let counts = try ["s-0001.mov", "s-0002.mov", "s-0003.mov"].map { try places($0) }
    #expect(counts.allSatisfy { $0 == Array(0..<$0.count) } && counts.reduce(0) { $0 + $1.count } == 72, "\(counts)")
  }

  @Test(arguments: [
    (
      ["--output", "x.framemd5"],
      "a hash recording has no gaps to fill; record to a .mov or .mkv, or leave out --fill-gaps"
    ),
    (
      ["--standby", "--pre-roll", "5s", "--output", "x.mov"],
      "--fill-gaps and --pre-roll exclude each other: camrec does not fill gaps before a start"
    ),
  ])
  func gapsThatAreNotFilledAreRefused(arguments: [String], sentence: String) throws {
    let outcome = try camrec.run(["--camera", "sim", "--fill-gaps"] + arguments, in: folder.url)
    #expect(outcome.exitCode == 64 && outcome.standardError.contains(sentence), "\(outcome.standardError)")
  }

  @Test func exposureOfAClipIsSaidToDoNothing() throws {
    let take = ["--size", "64x36", "--microphone", "none", "--no-sidecar"]
    let made = try camrec.run(
      ["--camera", "sim:pace=pulled", "--frames", "4", "--output", "a.mov"] + take, in: folder.url)
    #expect(made.exitCode == 0, "\(made.standardError)")
    let clip = ["--camera", "clip:a.mov", "--microphone", "none", "--no-sidecar", "--output"]
    let told = try camrec.run(clip + ["b.mov", "--exposure", "manual", "--iso", "400", "--ev", "0"], in: folder.url)
    #expect(told.exitCode == 64, "--ev and manual: \(told.standardError)")
    let manual = try camrec.run(clip + ["b.mov", "--exposure", "manual", "--iso", "400"], in: folder.url)
    let sentence = "Warning: --exposure manual and --iso have no effect on a clip\n"
    #expect(manual.exitCode == 0 && manual.standardError.contains(sentence), "\(manual.standardError)")
    let plain = try camrec.run(clip + ["c.mov"], in: folder.url)
    #expect(plain.exitCode == 0 && !plain.standardError.contains("effect on a clip"), "\(plain.standardError)")
  }

  @Test func defaultNameIsTheTimeOfDay() throws {
    let outcome = try record("--camera sim:pace=pulled --size 320x180 --frames 2")
    #expect(outcome.exitCode == 0)
    let names = try folder.names, film = try #require(names.first)
    #expect(names == [film, film + ".camrec"])
    #expect(film.wholeMatch(of: /camrec_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d[+-]\d{4}\.mov/) != nil)
  }

  // MARK: Helpers

  private func arguments(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  private func record(_ text: String) throws -> CamrecBinary.Outcome {
    try camrec.run(arguments(text), in: folder.url, timeout: 60)
  }

  /// The latest event of that kind.
  private func progress(of running: RunningCamrec) -> [String: Any]? {
    let lines = running.outputSoFar().standardOutput.split(separator: "\n").filter { $0.contains("\"progress\"") }
    return lines.last.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
  }

  /// Waits until film of more than `seconds` is reported; returns how much it was.
  @discardableResult
  private func awaitProgress(of running: RunningCamrec, beyond seconds: Double = 0) -> Double {
    for _ in 0..<400 {
      if let reached = progress(of: running)?["seconds"] as? Double, reached > seconds { return reached }
      Thread.sleep(forTimeInterval: 0.05)
    }
    Issue.record("no progress beyond \(seconds) s was reported")
    return 0
  }
}

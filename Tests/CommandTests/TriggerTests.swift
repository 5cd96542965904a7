import CameraTestKit
import Foundation
import TestKit
import Testing

/// What begins and ends films beside commands, and what they begin with, on the real thing in real time.
@Suite(.serialized) struct TriggerTests {
  let folder: TemporaryFolder
  let binary: CamrecBinary

  init() throws {
    folder = try TemporaryFolder()
    binary = try CamrecBinary.find()
  }

  private var socket: String { folder.path("c.sock") }

  private func start(
    _ arguments: [String], film: [String] = ["--codec", "ffv1", "--output", "take.mkv"],
    environment: [String: String] = [:]
  ) throws -> RunningCamrec {
    let running = try binary.start(
      ["--camera", "sim", "--size", "320x180", "--standby", "--control", socket] + film + arguments, in: folder.url,
      environment: environment)
    for _ in 0..<1000 where !running.outputSoFar().standardError.contains("standing by") { usleep(20_000) }
    #expect(running.outputSoFar().standardError.contains("standing by"), "\(running.outputSoFar())")
    return running
  }

  private func state(_ arguments: String...) throws -> [String: Any] {
    let outcome = try binary.run(["ctl", "--socket", socket, "--json"] + arguments, timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any])
  }

  private func wait(_ what: String, until condition: () throws -> Bool) throws {
    for _ in 0..<600 {
      if try condition() { return }
      usleep(50_000)
    }
    Issue.record("waited in vain until \(what)")
  }

  private func phase() throws -> String? { try state("state")["phase"] as? String }

  private func kept(_ state: [String: Any]) -> Double {
    (state["preRoll"] as? [String: Any])?["seconds"] as? Double ?? 0
  }

  private func seconds(_ film: String) throws -> Double {
    Double(try Probe(folder.path(film)).format["duration"] as? String ?? "") ?? 0
  }

  private func settings(_ film: String) throws -> [[String: String]] {
    try String(contentsOfFile: folder.path(film + ".camrec"), encoding: .utf8).split(separator: "\n").compactMap {
      line in
      let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let name = record?["setting"] as? String, let value = record?["value"] as? String else { return nil }
      return [name: value]
    }
  }

  @Test func eachFilm_beginsWithWhatWasBefore() throws {
    let recorder = try start(["--pre-roll", "2s", "--microphone", "auto"])
    for name in ["take", "take-2"] {
      try wait("two seconds are kept") { kept(try state("state")) >= 2 }
      #expect(try state("state")["phase"] as? String == "standby")
      let begun = try state("start")
      #expect(begun["phase"] as? String == "recording" && (begun["film"] as? String)?.hasSuffix("\(name).mkv") == true)
      #expect((begun["seconds"] as? Double ?? 0) >= 1.9)
      usleep(500_000)
      let stopped = try state("stop")
      #expect(
        stopped["phase"] as? String == "standby" && (stopped["ledger"] as? [String: Any])?["expected"] as? Int ?? 0 > 0)
      #expect(try seconds("\(name).mkv") >= 2.4)
      let film = try RecordedFilm(path: folder.path("\(name).mkv"))
      #expect(film.isInOrder && film.packetCount == film.pictures.count)
      #expect(try settings("\(name).mkv") == [["start": "ctl"], ["stop": "ctl"]])
      // It was asked for when the pre-roll was over, and not later.
      let info = try binary.run(["info", "--json", "\(name).mkv"], in: folder.url).standardOutput
      let report = try JSONSerialization.jsonObject(with: Data(info.utf8)) as? [String: Any]
      let listed = (report?["settings"] as? [String: Any])?["items"] as? [[String: Any]]
      let asked = try #require(listed?.first?["seconds"] as? Double)
      // Where it was asked for, and not where the film begins.
      let length = try seconds("\(name).mkv")
      #expect(asked > 1 && asked < length, "asked at \(asked) s of \(length) s")
    }
    #expect(try state("ev", "+1/3")["phase"] as? String == "standby", "the camera is exposed while it stands by")
    _ = try state("quit")
    let outcome = recorder.wait()
    #expect([0, 3].contains(outcome.exitCode), "\(outcome.standardError)")
    #expect(outcome.standardError.contains("pre-roll: the last 2 s or slightly more are kept, in at most "))
    #expect(try folder.names == ["take-2.mkv", "take-2.mkv.camrec", "take.mkv", "take.mkv.camrec"])
  }

  /// A clip runs before its film begins.
  @Test func aFilmOfAClip_hasTheTimecodeOfItsFirstFrame() throws {
    let clip = folder.path("clip.mkv")
    let made = try binary.run(
      ["record", "--camera", "sim:pace=pulled", "--size", "64x36", "--fps", "12", "--frames", "3000", "--timecode",
        "01:00:00:00", "--microphone", "none", "--codec", "ffv1", "--output", clip], in: folder.url)
    #expect(made.exitCode == 0, "\(made.standardError)")
    let recorder = try binary.start(
      ["--camera", "clip:\(clip)", "--standby", "--pre-roll", "500ms", "--codec", "ffv1", "--output", "take.mkv",
        "--control", socket], in: folder.url)
    for _ in 0..<1000 where !recorder.outputSoFar().standardError.contains("standing by") { usleep(20_000) }
    try wait("frames are forgotten") { (try state("state")["preRoll"] as? [String: Any])?["frames"] as? Int ?? 0 > 18 }
    _ = try state("start")
    _ = try state("stop")
    _ = try state("quit")
    #expect([0, 3].contains(recorder.wait().exitCode))
    let sidecar = try String(contentsOfFile: folder.path("take.mkv.camrec"), encoding: .utf8)
    let records = try sidecar.split(separator: "\n").compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    let first = try #require(records.first { $0["frame"] != nil }?["sequence"] as? Int)
    #expect(first > 0, "the film begins behind the clip's first frame")
    let label = String(format: "01:%02d:%02d:%02d", first / (60 * 12), first / 12 % 60, first % 12)
    #expect(records.first?["timecode"] as? String == label, "it begins with the clip's frame \(first)")
  }

  @Test func segmentsFollowAPreRoll() throws {
    let recorder = try start(["--pre-roll", "2s", "--segment", "1s", "--microphone", "auto"])
    try wait("two seconds are kept") { kept(try state("state")) >= 2 }
    _ = try state("start")
    try wait("the third file is written") { (try state("state")["segment"] as? Int ?? 0) >= 3 }
    let ledger = try #require(try state("stop")["ledger"] as? [String: Any])
    _ = try state("quit")
    #expect([0, 3].contains(recorder.wait().exitCode))
    let names = try folder.names.filter { $0.hasSuffix(".mkv") }
    #expect(names.count >= 3 && names.first == "take-0001.mkv", "\(names)")
    #expect(try seconds(names[0]) >= 2.9, "the first file has all of it, and a second more")
    let films = try names.map { try RecordedFilm(path: folder.path($0)) }
    #expect(films.allSatisfy { $0.isInOrder })
    for (film, next) in zip(films, films.dropFirst()) {
      let last = try #require(film.numbers.last ?? nil), first = try #require(next.numbers.first ?? nil)
      #expect(last < first)
    }
    #expect(films.reduce(0) { $0 + $1.packetCount } == ledger["written"] as? Int)
  }

  /// A pre-roll is no recording.
  @Test func theLockOfARecording_isNotThatOfThePreRoll() throws {
    let recorder = try start(["--pre-roll", "1s", "--lock-exposure-while-recording", "--microphone", "none"])
    func exposure(_ key: String) throws -> String? {
      (try state("state")["exposure"] as? [String: Any])?[key].map { "\($0)" }
    }
    for bias in ["+1/3", "0"] {
      try wait("the exposure follows the light") { try exposure("state") == "settled" }
      try wait("a second is kept") { kept(try state("state")) >= 1 }
      #expect(try state("ev", bias)["phase"] as? String == "standby", "nothing is locked")
      _ = try state("start")
      try wait("it is locked") { try exposure("state") == "held" }
      #expect(try binary.run(["ctl", "--socket", socket, "ev", "1"], timeout: 60).exitCode != 0)
      _ = try state("stop")
    }
    try wait("the lock has ended with the film") { try exposure("state") == "settled" }
    _ = try state("quit")
    #expect([0, 3].contains(recorder.wait().exitCode))
  }

  @Test func aCameraThatGoesAwayWhileItStandsBy_isOpenedAgain() throws {
    let faults = try folder.write("vanish 240 1s\n".utf8, to: "faults")
    let recorder = try start(["--camera", "sim:faults=\(faults)", "--pre-roll", "1s", "--microphone", "none"])
    try wait("it is back") { recorder.outputSoFar().standardError.contains("simulated camera is back") }
    let said = recorder.outputSoFar().standardError
    #expect(said.components(separatedBy: "until it is back, no film can begin").count == 2, "\(said)")
    #expect(!said.contains("what was recorded until then"), "nothing was: \(said)")
    try wait("a second is kept") { kept(try state("state")) >= 1 }
    #expect(try phase() == "standby")
    _ = try state("start")
    _ = try state("stop")
    #expect(try seconds("take.mkv") >= 1)
    #expect(try RecordedFilm(path: folder.path("take.mkv")).isInOrder)
    _ = try state("quit")
    #expect([0, 3].contains(recorder.wait().exitCode))
  }

  /// It is there, and delivers something else.
  @Test func aCameraThatChangesItsFormatWhileItStandsBy_isNotCalledAway() throws {
    let faults = try folder.write("change 120\n".utf8, to: "faults")
    let recorder = try start(["--camera", "sim:faults=\(faults)", "--pre-roll", "1s", "--microphone", "none"])
    try wait("it is open again") { recorder.outputSoFar().standardError.contains("simulated camera now delivers ") }
    let said = recorder.outputSoFar().standardError
    let change = "simulated camera changed its picture format; until camrec has opened it again, films begin without"
    #expect(said.contains(change + " a pre-roll"), "\(said)")
    #expect(said.contains("simulated camera now delivers 320x180 at "), "\(said)")
    #expect(!said.contains("is back") && !said.contains("is gone"), "\(said)")
    _ = try state("quit")
    #expect([0, 3].contains(recorder.wait().exitCode))
  }

  /// Between two films, what happens is the film's neither in the log nor in the state.
  @Test func aCameraThatGoesAwayBehindAFilm_isNotTheFilms() throws {
    let faults = try folder.write("vanish 240\n".utf8, to: "faults")
    let recorder = try start([
      "--camera", "sim:faults=\(faults)", "--pre-roll", "1s", "--microphone", "none", "--log", "json",
    ])
    _ = try state("start")
    _ = try state("stop")
    try wait("the camera is gone") {
      recorder.outputSoFar().standardError.contains("until it is back, no film can begin")
    }
    try wait("the state says so") { try state("state")["cameraFailure"] != nil }
    let now = try state("state")
    #expect(now["failure"] == nil && (now["cameraFailure"] as? String)?.contains("unplugged") == true, "\(now)")
    let told = try binary.run(["ctl", "--socket", socket, "state"], timeout: 60).standardOutput
    #expect(told.contains("\n  no camera is open: ") && !told.contains("ended early"), "\(told)")
    let balance = try binary.run(["ctl", "--socket", socket, "white-balance", "5000"], timeout: 60).standardError
    #expect(balance.contains(/no camera is open \(.* unplugged\); try again when it is open again/), "\(balance)")
    #expect(try binary.run(["ctl", "--socket", socket, "start"], timeout: 60).exitCode == 69, "none can")
    _ = try state("quit")
    let entries = try recorder.wait().standardError.split(separator: "\n").map { line in
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      return (entry["message"] as? String ?? "", entry["fields"] as? [String: String] ?? [:])
    }
    let end = try #require(entries.firstIndex { $0.0.hasPrefix("the film has ended: ") }, "\(entries)")
    #expect(entries[end].1["film"]?.hasSuffix("take.mkv") == true)
    let behind = entries[(end + 1)...]
    #expect(behind.contains { $0.0.contains("until it is back, no film can begin") }, "\(entries)")
    #expect(behind.allSatisfy { $0.1["film"] == nil }, "\(behind)")
  }

  @Test func whoEndsWhileItStandsBy_leavesNothing() throws {
    let recorder = try start(["--pre-roll", "1s", "--microphone", "none"])
    try wait("it keeps something") { kept(try state("state")) > 0 }
    recorder.send(signal: SIGINT)
    let outcome = recorder.wait()
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(try folder.names.isEmpty)
  }

  /// 'camrec ctl' reaches only a recorder with a socket.
  @Test(arguments: [true, false]) func whoStandsBy_namesOnlyWhatStartsAFilm(hasSocket: Bool) throws {
    let recorder = try binary.start(
      [
        "--camera", "sim", "--size", "320x180", "--standby", "--microphone", "none", "--codec", "ffv1", "--output",
        "take.mkv", "--control", hasSocket ? socket : "none",
      ], in: folder.url)
    try wait("it stands by") { recorder.outputSoFar().standardError.contains("standing by") }
    recorder.send(signal: SIGINT)
    let outcome = recorder.wait(), line = "standing by" + (hasSocket ? "; 'camrec ctl start' starts a film" : "")
    #expect(outcome.standardError.contains("\(line)\n"), "\(outcome.standardError)")
  }

  @Test func aNameThatCannotBe_refusesTheStart_andItStandsBy() throws {
    let recorder = try start(["--pre-roll", "1s", "--microphone", "none"])
    _ = try folder.write([1], to: "take.mkv")
    let refused = try binary.run(["ctl", "--socket", socket, "start"], timeout: 60)
    #expect(refused.exitCode == 74, "\(refused.standardError)")
    #expect(try phase() == "standby")
    try FileManager.default.removeItem(atPath: folder.path("take.mkv"))
    #expect(try state("start")["phase"] as? String == "recording")
    recorder.send(signal: SIGTERM)
    _ = recorder.wait()
    #expect(try folder.names.contains("take.mkv"))
  }

  @Test func signals_beginAndEndFilms() throws {
    let recorder = try start(["--signals", "toggle", "--microphone", "none"])
    recorder.send(signal: SIGUSR1)
    try wait("it records") { try phase() == "recording" }
    recorder.send(signal: SIGUSR2)
    #expect(try phase() == "recording", "the other one does nothing")
    recorder.send(signal: SIGUSR1)
    try wait("it stands by") { try phase() == "standby" }
    _ = try state("quit")
    let outcome = recorder.wait()
    #expect(outcome.standardError.contains("signal SIGUSR1 starts a film\n"))
    #expect(try settings("take.mkv") == [["start": "signal SIGUSR1"], ["stop": "signal SIGUSR1"]])
  }

  /// Those that end camrec, too.
  @Test(arguments: [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT"), (SIGHUP, "SIGHUP")])
  func aSignalThatEndsCamrec_isToldLikeAnyOther(number: Int32, name: String) throws {
    let recorder = try start(["--pre-roll", "1s", "--microphone", "none"])
    _ = try state("start")
    recorder.send(signal: number)
    let outcome = recorder.wait()
    #expect(outcome.hasEndedWell, "\(outcome.standardError)")
    #expect(outcome.standardError.contains("signal \(name) stops the film\n"), "\(outcome.standardError)")
    #expect(try settings("take.mkv") == [["start": "ctl"], ["stop": "signal \(name)"]])
  }

  /// It ends the recorder, and there is no film to stop.
  @Test func aSignalWhileItStandsBy_endsNoFilm() throws {
    let recorder = try start(["--microphone", "none"])
    _ = try state("start")
    _ = try state("stop")
    recorder.send(signal: SIGTERM)
    let outcome = recorder.wait()
    #expect(!outcome.standardError.contains("signal SIGTERM"), "\(outcome.standardError)")
    #expect(try settings("take.mkv") == [["start": "ctl"], ["stop": "ctl"]])
  }

  @Test func theEndOfInput_isToldLikeASignal() throws {
    let input = Pipe()
    let recorder = try binary.start(
      [
        "--camera", "sim", "--size", "64x36", "--fps", "24", "--microphone", "none", "--codec", "ffv1", "--control",
        "none", "--state", "none", "--output", "take.mkv", "--log", "json", "--until-input-ends",
      ], in: folder.url, input: input)
    try wait("it records") { recorder.outputSoFar().standardError.contains(#""message":"recording""#) }
    try input.fileHandleForWriting.close()
    let outcome = recorder.wait(), said = outcome.standardError
    #expect(!outcome.endedBySignal && [0, 3].contains(outcome.exitCode), "\(said)")
    #expect(said.contains(#""message":"end of input stops the film""#), "\(said)")
    #expect(try settings("take.mkv") == [["stop": "end of input"]])
  }

  @Test func aButton_beginsAndEndsFilms() throws {
    let device = folder.path("event0")
    mkfifo(device, 0o600)
    let pipe = try FileHandle(forUpdating: URL(fileURLWithPath: device))
    let recorder = try start(["--button", "KEY_RECORD@\(device)", "--microphone", "none"])
    func press() throws {
      for value: UInt8 in [1, 0] {
        try pipe.write(contentsOf: Data(count: 16) + Data([1, 0, 167, 0, value, 0, 0, 0]))
        usleep(100_000)
      }
    }
    try press()
    // A pipe's events have no time of their own: the next press is not to wait behind the start.
    try wait("it records") { try (state("state")["seconds"] as? Double ?? 0) > 0.5 }
    try press()
    try wait("it stands by") { try phase() == "standby" }
    _ = try state("quit")
    #expect(recorder.wait().standardError.contains("button KEY_RECORD@\(device) stops the film\n"))
  }

  @Test func aSchedule_beginsAFilm_andLeavesItToWhoStopsIt() throws {
    let recorder = try start(["--schedule", "00:00-24:00", "--microphone", "none"])
    try wait("it records") { try phase() == "recording" }
    _ = try state("stop")
    usleep(2_000_000)
    #expect(try phase() == "standby", "not begun anew")
    #expect(try settings("take.mkv").first == ["start": "schedule"])
    _ = try state("quit")
    _ = recorder.wait()
  }

  /// Foundation takes such zones for UTC.
  @Test(arguments: ["<+0530>-5:30", ":Asia/Kolkata"])
  func windowsAndTimecodesHaveTheLocalTimeOfNames(zone: String) throws {
    // An hour before and after, in India.
    let now = Int(Date().timeIntervalSince1970) + 19_800
    let times = [now - 3600, now + 3600].map { String(format: "%02d:%02d", $0 / 3600 % 24, $0 / 60 % 60) }
    let recorder = try start(
      ["--schedule", times.joined(separator: "-"), "--microphone", "none"],
      film: ["--preset", "ultrafast", "--output", "%H-%M-%S.mov"], environment: ["TZ": zone])
    try wait("it records") { try (state("state")["seconds"] as? Double ?? 0) > 0.3 }
    _ = try state("quit")
    _ = recorder.wait()
    let name = try #require(try folder.names.first { $0.hasSuffix(".mov") })
    let label = try #require(try Probe(folder.path(name)).timecode)
    func seconds(_ text: String, _ separator: Character) -> Int {
      text.prefix(8).split(separator: separator).compactMap { Int($0) }.reduce(0) { $0 * 60 + $1 }
    }
    let apart = (seconds(label, ":") - seconds(name, "-") + 86_400) % 86_400
    #expect(apart < 3600 || apart > 82_800, "\(label) in \(name)")
  }

  @Test func aLight_showsIt_andIsLeftAsItWas() throws {
    for (name, text) in [("brightness", "7\n"), ("max_brightness", "200\n"), ("trigger", "[none] timer\n")] {
      _ = try folder.write(text.utf8, to: name)
    }
    func brightness() throws -> String {
      try String(contentsOfFile: folder.path("brightness"), encoding: .utf8).split(separator: "\n").first.map(
        String.init) ?? ""
    }
    let recorder = try start(["--light", "led:\(folder.url.path)@50", "--light-blinks", "0", "--microphone", "none"])
    try wait("it is off") { try brightness() == "0" }
    _ = try state("start")
    try wait("it shines") { try brightness() == "100" }
    _ = try state("stop")
    // The file is not cut, as the kernel's is none: "0" stands in front of what is left.
    try wait("it is off") { try brightness() == "0" }
    _ = try state("quit")
    #expect([0, 3].contains(recorder.wait().exitCode))
    #expect(try brightness() == "7")
  }

  @Test func aLightThatIsNotThere_isSaidOnce() throws {
    let recorder = try start(["--light", "led:/no/such/led", "--microphone", "none"])
    _ = try state("start")
    _ = try state("quit")
    let outcome = recorder.wait()
    #expect([0, 3].contains(outcome.exitCode))
    #expect(
      outcome.standardError.components(separatedBy: "there is no light at '/no/such/led'").count == 2,
      "\(outcome.standardError)")
    #expect(outcome.standardError.contains("; the recording continues without its light"))
  }

  @Test(arguments: [
    ("--pre-roll 10s", "--pre-roll requires --standby"),
    ("--standby --pre-roll 11m", "a pre-roll is 100ms to 10m, as in 10s; '11m' is too long"),
    (
      "--standby --pre-roll 10s --duration 5s",
      "--duration includes the pre-roll; it must be longer than --pre-roll"
    ),
    (
      "--standby --pre-roll 2s --fps 25 --frames 50",
      "--frames includes the pre-roll; at 25 fps it must be more than 50"
    ),
    (
      "--standby --pre-roll 1500ms --fps 23.976 --frames 35",
      "--frames includes the pre-roll; at 24000/1001 fps it must be more than 35"
    ),
    (
      "--standby --pre-roll 10s --output x.framemd5",
      "a hash recording has no pre-roll; record to a .mov or .mkv, or leave out --pre-roll"
    ),
    ("--schedule 08:00-18:00", "--schedule requires --standby"),
    ("--standby --schedule 8-18", "'8' is not a time of day; write HH:MM or HH:MM:SS, 00:00 to 24:00"),
    ("--button KEY_RECORD", "'KEY_RECORD' is not a button; write a key and its device"),
    ("--button-debounce 2s", "a button's debounce time is 1ms to 1s, as in 30ms"),
    ("--light lamp", "a light must be led:NAME (from /sys/class/leds) or torch (the camera's own), not 'lamp'"),
    ("--light-blinks 11", "the number of blinks is"),
    ("--light-blinks 3", "--light-blinks requires --light"),
    ("--button-grab", "--button-grab requires --button"),
    ("--button-debounce 30ms", "--button-debounce requires --button"),
  ])
  func whatCannotBeMeant_isRefused(arguments: String, sentence: String) throws {
    let outcome = try binary.run(
      ["--camera", "sim"] + arguments.split(separator: " ").map(String.init), in: folder.url, timeout: 60)
    #expect(outcome.exitCode == 64 && outcome.standardError.contains(sentence), "\(outcome.standardError)")
    #expect(try folder.names.isEmpty)
  }

  @Test func rigFiles_takeThem() throws {
    let rig = try folder.write(
      """
      cameras:
        front:
          camera: sim
          standby: true
          pre-roll: 10s
          schedule: ["mon-fri 08:00-18:00", "sat 10:00-12:00"]
          button: [KEY_RECORD@/dev/input/event9]
          signals: start-stop
          light: led:tally@20
      """.utf8, to: "rig.yaml")
    chmod(rig, 0o600)
    let outcome = try binary.run(["rig", "check", rig], in: folder.url, timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardOutput)\(outcome.standardError)")
  }
}

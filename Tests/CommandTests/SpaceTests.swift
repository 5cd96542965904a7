import Foundation
import TestKit
import Testing

/// Recordings whose disk gets full, and films that go.
@Suite struct SpaceTests {
  private static let camera = [
    "--json", "--camera", "sim:pace=pulled", "--size", "320x180", "--fps", "24", "--codec", "prores", "--microphone",
    "none", "--control", "none", "--state", "none", "--name", "front",
  ]
  /// The same in real time.
  private static let liveCamera = camera.map { $0 == "sim:pace=pulled" ? "sim" : $0 }

  private func record(_ arguments: [String], in folder: URL, timeout: Double = 240) throws -> (
    CamrecBinary.Outcome, Events
  ) {
    let outcome = try CamrecBinary.find().run(Self.camera + arguments, in: folder, timeout: timeout)
    return (outcome, try Events(outcome))
  }

  /// A recording in real time to `take.mov`, when some of it is on the disk.
  private func startLive(_ arguments: [String], on disk: SmallDisk) throws -> RunningCamrec {
    let running = try CamrecBinary.find().start(Self.liveCamera + ["--output", "take.mov"] + arguments, in: disk.url)
    let film = disk.url.appendingPathComponent("take.mov")
    for _ in 0..<2400 where (try? FileHandle(forReadingFrom: film).seekToEnd()) ?? 0 < 300_000 { usleep(50_000) }
    return running
  }

  private func frames(_ path: String) throws -> Int {
    let text = try Tool.run([
      "ffprobe", "-v", "error", "-count_packets", "-select_streams", "v:0", "-show_entries", "stream=nb_read_packets",
      "-of", "csv=p=0", path,
    ])
    return Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
  }

  private func notes(_ events: Events, _ fact: String) -> [String] {
    events.all.compactMap { ($0["facts"] as? [String: String])?[fact] }
  }

  /// There is no room for its index any more.
  @Test(.enabled(if: SmallDisk.isAvailable))
  func filmThatAFullDiskEnds_isKnownAgainByVerify() throws {
    let disk = try SmallDisk(megabytes: 40)
    let running = try startLive([], on: disk)
    // It goes on writing meanwhile: until nothing fits any more.
    _ = try? Tool.run(["dd", "if=/dev/zero", "of=\(disk.path("filler"))", "bs=4k"])
    let outcome = running.wait(timeout: 240)
    #expect(outcome.exitCode == 74)
    let events = try Events(outcome), error = (events.stopped["error"] as? [String: Any])?["message"] as? String ?? ""
    #expect(error.hasPrefix("the disk of 'take.mov' is full"), "\(error)")
    #expect(error.contains(" The film plays, with ") && error.hasSuffix("; make room, then run camrec recover "
      + "take.mov"))
    // A busy machine may have been too slow long before.
    let isSlow = events.warnings.contains { $0.contains("the disk is too slow") }
    if events.losses[3] > 0, !isSlow {
      #expect(error.contains(": \(events.losses[3]) frame"), "\(error), \(events.losses)")
    }
    if isSlow { #expect(!error.contains(": \(events.losses[3]) frame"), "each loss has one reason: \(error)") }
    try FileManager.default.removeItem(atPath: disk.path("filler"))
    func verify() throws -> CamrecBinary.Outcome {
      try CamrecBinary.find().run(["verify", "take.mov"], in: disk.url)
    }
    let check = try verify()
    #expect(check.exitCode == 5 && check.standardOutput.hasPrefix("take.mov: 1 error\n"), "\(check)")
    #expect(
      check.standardOutput.contains("its recording was cut off, or its disk was full: camrec recover FILE"), "\(check)")
    #expect(try CamrecBinary.find().run(["recover", "take.mov"], in: disk.url).exitCode == 0)
    // A busy machine loses frames before the disk is full, which leaves a variable rate: a warning.
    let whole = try verify()
    #expect([0, 4].contains(whole.exitCode) && !whole.standardOutput.contains("error"), "\(whole)")
  }

  /// The rig's recorder says what is true there: nobody has to run a command.
  @Test(.enabled(if: SmallDisk.isAvailable))
  func filmThatAFullDiskEnds_isRecoveredByItsRig_whenThereIsRoomAgain() throws {
    let disk = try SmallDisk(megabytes: 40)
    let rig = try RunningRig(
      """
      defaults: {size: 320x180, fps: 24, codec: prores, microphone: none}
      cameras:
        front: {camera: sim, output: "\(disk.path("front_%H-%M-%S.mov"))"}
      """, in: try TemporaryFolder())
    rig.await("front has written") {
      rig.events("front", "progress").contains { ($0["bytes"] as? Int ?? 0) > 300_000 }
    }
    let film = try #require(try disk.names(".mov").first)
    _ = try? Tool.run(["dd", "if=/dev/zero", "of=\(disk.path("filler"))", "bs=4k"])
    rig.await("the disk is full") { !rig.events("front", "stopped").isEmpty }
    let error = rig.events("front", "stopped").first?["error"] as? [String: Any]
    let said = error?["message"] as? String ?? ""
    #expect(said.hasSuffix(", and the rig recovers it as soon as it can; make room"), "\(said)")
    try FileManager.default.removeItem(atPath: disk.path("filler"))
    rig.await("it is recovered") { rig.words.contains("\(film)' is recovered: ") }
    rig.send(signal: SIGTERM)
    _ = rig.wait()
    #expect(try CamrecBinary.find().run(["recover", "--check", disk.path(film)]).exitCode == 0)
  }

  @Test(.enabled(if: SmallDisk.isAvailable))
  func filmEndsWhole_beforeItsDiskIsFull() throws {
    let disk = try SmallDisk(megabytes: 32)
    // In real time: the disk is looked at once a second.
    let running = try startLive(["--warn-space", "20MB"], on: disk)
    // Somebody else takes the room, but for what is kept for the end.
    try disk.fill(leaving: 8_000_000)
    let outcome = running.wait(timeout: 240)
    let events = try Events(outcome)
    #expect(outcome.exitCode == 74, "\(outcome.standardError)")
    let error = (events.stopped["error"] as? [String: Any])?["message"] as? String ?? ""
    #expect(
      error.contains("is nearly full: ") && error.contains(" are free, and at the rate at which it fills, finishing ")
        && error.hasSuffix("ends here; free some room"), "no film may go: \(error)")
    #expect(events.warnings.count { $0.contains("it has room for less than 20.0 MB") } == 1, "\(events.warnings)")
    #expect(events.losses[3] == 0 && events.losses[4] == 0, "\(events.losses)")
    #expect(events.account[0] == events.account[2] + events.losses.reduce(0, +))
    #expect(try frames(disk.path("take.mov")) == events.account[2])
    let check = try CamrecBinary.find().run(["recover", "--check", "take.mov"], in: disk.url)
    #expect(check.exitCode == 0 && check.standardOutput.contains("is finished"), "it has its index: \(check)")
    #expect(try String(contentsOfFile: disk.path("take.mov.camrec"), encoding: .utf8).contains("\"failure\":"))

    // There is no room for another: it is said, and nothing is made.
    let before = try disk.names(), folder = try TemporaryFolder()
    let (again, refused) = try record(
      ["--output", "again.mov", "--metrics", folder.path("front.prom")], in: disk.url)
    #expect(again.exitCode == 74)
    let metrics = try String(contentsOfFile: folder.path("front.prom"), encoding: .utf8)
    #expect(metrics.contains(#"camrec_disk_free_bytes{camera="front"} "#), "\(metrics)")
    #expect(
      ((refused.stopped["error"] as? [String: Any])?["message"] as? String)?.hasPrefix(
        "there is too little room for 'again.mov'") == true)
    #expect(try disk.names() == before)
  }

  /// The room lasts for the film, but not for another one.
  @Test(.enabled(if: SmallDisk.isAvailable))
  func changeThatNeedsANewFilm_isRefusedWhereThatHasNoRoom() throws {
    let disk = try SmallDisk(megabytes: 40), folder = try TemporaryFolder(), socket = folder.path("c.sock")
    let binary = try CamrecBinary.find()
    let running = try binary.start(
      ["--camera", "sim", "--size", "160x90", "--fps", "24", "--codec", "prores", "--microphone", "none", "--state",
        "none", "--warn-space", "none", "--control", socket, "--output", "take.mov"], in: disk.url)
    for _ in 0..<2400 where (try disk.names(".mov")).isEmpty { usleep(50_000) }
    try disk.fill(leaving: 17_000_000)
    let refused = try binary.run(["ctl", "--socket", socket, "rate", "20"])
    #expect(refused.exitCode == 74 && refused.standardError.contains("there is too little room for"), "\(refused)")
    let state = try binary.run(["ctl", "--socket", socket, "state"])
    #expect(state.standardOutput.hasPrefix("recording "), "\(state)")
    #expect(try binary.run(["ctl", "--socket", socket, "quit"]).exitCode == 0)
    let end = running.wait()
    #expect(end.hasEndedWell, "\(end.standardError)")
    #expect(try disk.names(".mov") == ["take.mov"])
  }

  /// Another program takes the room: the recording ends whatever goes.
  @Test(.enabled(if: SmallDisk.isAvailable))
  func whereAllFilmsTogetherDoNotSufficeNoneGoes() throws {
    let disk = try SmallDisk(megabytes: 40)
    let rotate = ["--on-full", "rotate", "--warn-space", "none"]
    let old = try record(["--output", "old.mov", "--segment", "1s", "--frames", "120"] + rotate, in: disk.url).0
    #expect(old.exitCode == 0, "\(old.standardError)")
    let films = (1...5).map { "old-000\($0).mov" }
    #expect(try disk.names(".mov") == films)
    #expect(try CamrecBinary.find().run(["keep", films[0]], in: disk.url).exitCode == 0)
    let running = try startLive(rotate, on: disk)
    try disk.fill(leaving: 7_000_000)
    let outcome = running.wait(timeout: 240)
    let events = try Events(outcome)
    #expect(outcome.exitCode == 74, "\(outcome.standardError)")
    let error = (events.stopped["error"] as? [String: Any])?["message"] as? String ?? ""
    #expect(
      error.contains("is nearly full: ")
        && error.hasSuffix("camrec cannot free enough by deleting old films; free some room"),
      "the film with a keep mark is too small: \(error)")
    #expect(
      notes(events, "deleted") == [] && !outcome.standardError.contains("was deleted"), "\(outcome.standardError)")
    #expect(try disk.names(".mov") == films + ["take.mov"])
    #expect(try frames(disk.path("take.mov")) == events.account[2])
  }

  /// A saved size is checked before anybody knows how much such a film takes. That is no reason to delete.
  @Test(.enabled(if: SmallDisk.isAvailable))
  func whereAFilmOfASavedSizeCannotStartNoneGoes() throws {
    let disk = try SmallDisk(megabytes: 40), folder = try TemporaryFolder()
    let rotate = ["--on-full", "rotate", "--warn-space", "none"]
    let old = try record(["--output", "old.mov", "--segment", "1s", "--frames", "120"] + rotate, in: disk.url).0
    #expect(old.exitCode == 0, "\(old.standardError)")
    let films = (1...5).map { "old-000\($0).mov" }
    let saved = #"{"version":1,"controls":[],"settings":[{"key":"size","value":"640x360","was":"320x180"}]}"#
    let settings = try folder.write(saved.utf8, to: "front.json")
    // Little less than twice the reserve without a rate: a single film would do for that.
    try disk.fill(leaving: 16_700_000)
    let (outcome, events) = try record(["--output", "new.mov", "--settings", settings] + rotate, in: disk.url)
    let words = outcome.standardOutput + outcome.standardError
    #expect(words.contains("size is 640x360 instead of 320x180"), "\(words)")
    #expect(outcome.exitCode == 74 && words.contains("there is too little room for 'new.mov'"), "\(words)")
    #expect(try notes(events, "deleted") == [] && disk.names(".mov") == films, "\(words)")
  }

  /// Old films go for one that somebody starts, and for nothing before.
  @Test(.enabled(if: SmallDisk.isAvailable))
  func noFilmGoesForAPreRoll_butForItsStart() throws {
    let disk = try SmallDisk(megabytes: 60), folder = try TemporaryFolder(), socket = folder.path("c.sock")
    let binary = try CamrecBinary.find(), rotate = ["--on-full", "rotate", "--warn-space", "none"]
    let old = try record(["--output", "old.mov", "--segment", "1s", "--frames", "288"] + rotate, in: disk.url).0
    #expect(old.exitCode == 0, "\(old.standardError)")
    let films = try disk.names(".mov")
    #expect(films.count == 12)
    // Such a film needs 28.1 MB, and each of the old ones takes 1.
    try disk.fill(leaving: 24_000_000)
    let running = try binary.start(
      [
        "--camera", "sim", "--size", "320x180", "--fps", "24", "--codec", "prores", "--microphone", "none", "--state",
        "none", "--name", "front", "--standby", "--pre-roll", "1s", "--control", socket, "--output", "new.mov",
      ] + rotate, in: disk.url)
    func state() throws -> [String: Any] {
      let outcome = try binary.run(["ctl", "--socket", socket, "--json", "state"], timeout: 60)
      return try JSONSerialization.jsonObject(with: Data(outcome.standardOutput.utf8)) as? [String: Any] ?? [:]
    }
    func awaitPreRoll() throws {
      func kept() throws -> Double { (try state()["preRoll"] as? [String: Any])?["seconds"] as? Double ?? 0 }
      for _ in 0..<600 where try kept() < 1 { usleep(50_000) }
      #expect(try kept() >= 1)
    }
    for _ in 0..<1000 where !running.outputSoFar().standardError.contains("standing by") { usleep(20_000) }
    try awaitPreRoll()
    #expect(try disk.names(".mov") == films, "nobody has asked for a film")

    // Not even all of them would do.
    try FileManager.default.removeItem(atPath: disk.path("filler"))
    try disk.fill(leaving: 10_000_000)
    let refused = try binary.run(["ctl", "--socket", socket, "start"], timeout: 60)
    #expect(refused.exitCode == 74 && refused.standardError.contains("there is too little room for"), "\(refused)")
    #expect(try state()["phase"] as? String == "standby")
    try awaitPreRoll()
    #expect(try disk.names(".mov") == films, "nothing was made either")

    try FileManager.default.removeItem(atPath: disk.path("filler"))
    try disk.fill(leaving: 24_000_000)
    let start = try binary.run(["ctl", "--socket", socket, "start"], timeout: 60)
    #expect(start.exitCode == 0, "\(start)")
    #expect(try binary.run(["ctl", "--socket", socket, "stop"], timeout: 60).exitCode == 0)
    // Only now: while the film grows, more may go for it.
    let left = try disk.names(".mov").filter { $0 != "new.mov" }
    #expect((1..<12).contains(left.count) && left == Array(films.suffix(left.count)), "the oldest go: \(left)")
    try awaitPreRoll()
    #expect(try disk.names(".mov") == ["new.mov"] + left, "none goes for the next pre-roll")
    // A busy machine loses frames.
    #expect(try frames(disk.path("new.mov")) >= 12, "the film has its pre-roll")
    #expect(try binary.run(["ctl", "--socket", socket, "quit"], timeout: 60).exitCode == 0)
    let end = running.wait()
    #expect([0, 3].contains(end.exitCode), "\(end.standardError)")
  }

  @Test(.enabled(if: SmallDisk.isAvailable))
  func oldestFilmsGo_butNoneThatIsKeptOrSomebodyElses() throws {
    // In real time: room for five and ten seconds of the film is the same at any speed of the machine.
    let disk = try SmallDisk(megabytes: 90)
    try Data("holiday".utf8).write(to: disk.url.appendingPathComponent("aaa.mov"))
    let rotate = ["--on-full", "rotate", "--warn-space", "none"]
    #expect(try record(["--output", "kept.mov", "--frames", "24"] + rotate, in: disk.url).0.exitCode == 0)
    #expect(try CamrecBinary.find().run(["keep", "kept.mov"], in: disk.url).exitCode == 0)
    try disk.fill(leaving: 60_000_000)
    let outcome = try CamrecBinary.find().run(
      Self.liveCamera + ["--output", "take.mov", "--segment", "4s", "--duration", "45s"] + rotate, in: disk.url,
      timeout: 240)
    let events = try Events(outcome)
    // A busy machine loses frames.
    #expect([0, 3].contains(outcome.exitCode), "\(outcome.standardError.suffix(1000))")
    let segments = try #require(events.stopped["segments"] as? Int)
    let all = (1...segments).map { "take-" + String("000\($0)".suffix(4)) + ".mov" }
    #expect(try disk.names().contains("aaa.mov") && disk.names().contains("kept.mov"))
    let left = try disk.names(".mov").filter { $0.hasPrefix("take-") }
    let gone = all.filter { !left.contains($0) }, told = notes(events, "deleted")
    #expect(!gone.isEmpty && gone + left == all, "the oldest first: \(gone)")
    #expect(told == gone, "also those that go behind the recording's end")
    #expect(try disk.names(".mov.camrec").count == left.count + 1, "sidecars go with their films")
    let catalogue = try String(contentsOfFile: disk.path(".camrec-films.jsonl"), encoding: .utf8)
    let entered = Dictionary(
      uniqueKeysWithValues: catalogue.matches(of: /"film":"(take-[^"]+)","finished".*"frames":(\d+)/).map {
        (String($0.1), Int($0.2) ?? -1)
      })
    #expect(try left.allSatisfy { try frames(disk.path($0)) == entered[$0] }, "\(entered)")
    #expect(entered.values.reduce(0, +) == events.account[2])
    let sidecars = try left.map { try String(contentsOfFile: disk.path($0 + ".camrec"), encoding: .utf8) }.joined()
    // The last ones may come when the sidecar has its end.
    let entries = sidecars.matches(of: /\{"note":"'([^']+)' \([^)]+\) was deleted: the recording needs the room/)
    #expect(entries.contains { told.contains(String($0.1)) }, "\(told)")
  }

  @Test func filmsAreKeptByTheirNumber() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("holiday".utf8, to: "take-0000.mov")
    let (outcome, events) = try record(
      ["--output", "take.mov", "--segment", "1s", "--frames", "192", "--keep-count", "3"], in: folder.url)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(
      try folder.names.filter { $0.hasSuffix(".mov") } == [
        "take-0000.mov", "take-0006.mov", "take-0007.mov", "take-0008.mov",
      ])
    #expect(notes(events, "reason").allSatisfy { $0 == "count" })
    // The next recorder knows them.
    let second = try record(["--output", "last.mov", "--frames", "24", "--keep-count", "1"], in: folder.url)
    #expect(second.0.exitCode == 0)
    #expect(try folder.names.filter { $0.hasSuffix(".mov") } == ["last.mov", "take-0000.mov"])
    // Another --output strands none of them.
    let words = second.0.standardOutput + second.0.standardError
    #expect(
      words.contains(
        "3 films that another recorder 'front' made here as 'take.mov' now count as this recorder's"),
      "\(words)")
    #expect(try folder.names.count { $0.hasPrefix(".camrec-recorder-") } == 1)
  }

  @Test(arguments: [["left.mov", "right.mov"], ["take.mov", "take.mov"]])
  func twoOfOneNameKeepTheirNewestFilms(outputs: [String]) throws {
    let folder = try TemporaryFolder(), binary = try CamrecBinary.find()
    let running = try outputs.map {
      try binary.start(
        Self.liveCamera + ["--output", $0, "--segment", "1s", "--duration", "5s", "--keep-count", "1"], in: folder.url)
    }
    let outcomes = running.map { $0.wait(timeout: 240) }
    #expect(outcomes.allSatisfy { [0, 3].contains($0.exitCode) }, "\(outcomes)")
    let films = try folder.names.filter { $0.hasSuffix(".mov") }
    #expect(films.count == 2, "\(films)")
    for output in outputs { #expect(films.contains { $0.hasPrefix(output.dropLast(4)) }, "\(films)") }
    #expect(try folder.names.count { $0.hasPrefix(".camrec-recorder-") } == 2)
    #expect(!outcomes.contains { ($0.standardOutput + $0.standardError).contains(" now count") }, "\(outcomes)")
  }

  @Test func limitsThatCannotBeMetDeleteNothing_andSaySo() throws {
    let folder = try TemporaryFolder()
    let (outcome, _) = try record(
      [
        "--output", "take.mov", "--segment", "1s", "--frames", "96", "--keep-free", "999999TB", "--keep-size", "10KB",
      ], in: folder.url)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    #expect(try folder.names.filter { $0.hasSuffix(".mov") }.count == 4)
    let words = outcome.standardOutput + outcome.standardError
    #expect(
      words.contains("is more than the whole disk has") && words.contains("nothing is deleted for it"), "\(words)")
    #expect(words.contains("is less than the newest film has") || words.contains("than a one-minute film may have"))
  }

  @Test func filmsThatWaitForAHookPushOutNoNewOne_andAreReleasedByACommand() throws {
    let folder = try TemporaryFolder(), binary = try CamrecBinary.find()
    let segments = ["--segment", "1s", "--frames", "72"]
    #expect(
      try record(["--output", "old.mov", "--hook", "false", "--hook-wait", "5s"] + segments, in: folder.url).0.exitCode
        == 0)
    let (outcome, _) = try record(["--output", "new.mov", "--keep-count", "3"] + segments, in: folder.url)
    #expect(outcome.exitCode == 0)
    let old = (1...3).map { "old-000\($0).mov" }, new = (1...3).map { "new-000\($0).mov" }
    #expect(try folder.names.filter { $0.hasSuffix(".mov") } == new + old)
    let words = outcome.standardOutput + outcome.standardError
    #expect(words.contains("run: camrec hooks --release --name front "), "\(words)")
    let list = try binary.run(["hooks", folder.url.path])
    #expect(
      list.exitCode == 0 && list.standardOutput.contains("old-0001.mov  front")
        && list.standardOutput.contains("failed 1×: ended with status 1"), "\(list)")
    let release = try binary.run(["hooks", "--release", "--name", "front", folder.url.path])
    #expect(release.exitCode == 0 && release.standardOutput.contains("3 films ("), "\(release)")
    #expect(try record(["--output", "last.mov", "--frames", "24", "--keep-count", "3"], in: folder.url).0.exitCode == 0)
    #expect(try folder.names.filter { $0.hasSuffix(".mov") } == ["last.mov"] + new.suffix(2))
  }

  @Test func foldersHaveTheTimeInTheirNames_butNoFilmsThatAreLookedAfter() throws {
    let folder = try TemporaryFolder(), binary = try CamrecBinary.find()
    let asked = [
      "--camera", "sim", "--size", "64x48", "--microphone", "none", "--utc", "--output", "%Y/%m-%d/take.mov",
      "--frames", "3",
    ]
    for option in [["--keep-age", "1d"], ["--on-full", "rotate"], ["--hook", "true"]] {
      let refused = try binary.run(asked + option, in: folder.url)
      #expect(refused.exitCode == 64, "\(option)")
      #expect(
        refused.standardError.contains("work on one folder; put the date in the file name, not in a folder name"),
        "\(option)")
    }
    #expect(try folder.names.isEmpty)
    let outcome = try binary.run(asked + ["--segment", "1s"], in: folder.url)
    #expect([0, 3].contains(outcome.exitCode), "\(outcome.standardError)")
    let year = try #require(try folder.names.first), day = try folder.names.count == 1 ? folder.path(year) : ""
    let days = try FileManager.default.contentsOfDirectory(atPath: day)
    let made = try days.map { try FileManager.default.contentsOfDirectory(atPath: "\(day)/\($0)").sorted() }
    #expect(made == [["take-0001.mov", "take-0001.mov.camrec"]])
  }

  @Test(arguments: [
    ("--keep-scope folder", "--keep-scope requires --keep-age, --keep-count or --keep-size"),
    ("--keep-scope recorder --keep-free 1MB", "--keep-scope requires --keep-age, --keep-count or --keep-size"),
    ("--hook-tries 3", "--hook-timeout, --hook-tries and --hook-wait require --hook"),
  ])
  func optionsThatNeedAnother_areRefusedWithoutIt(words: String, sentence: String) throws {
    let folder = try TemporaryFolder()
    let refused = try CamrecBinary.find().run(
      ["--camera", "sim", "--frames", "3"] + words.split(separator: " ").map(String.init), in: folder.url)
    #expect(refused.exitCode == 64 && refused.standardError.contains(sentence), "\(refused.standardError)")
    #expect(try folder.names.isEmpty)
  }

  @Test func keepMarksAndUnmarks_andSaysWhatIsNotThere() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("x".utf8, to: "a.mov")
    let binary = try CamrecBinary.find()
    #expect(try binary.run(["keep", "a.mov"], in: folder.url).exitCode == 0)
    #expect(try folder.names == ["a.mov", "a.mov.keep"])
    let missing = try binary.run(["keep", "b.mov", "a.mov"], in: folder.url)
    #expect(missing.exitCode == 65 && missing.standardError == "Error: there is no film 'b.mov'\n")
    #expect(try binary.run(["keep", "--undo", "a.mov"], in: folder.url).exitCode == 0)
    #expect(try folder.names == ["a.mov"])
  }

  /// A mark is an empty ordinary file; whatever else has its name is somebody's.
  @Test(arguments: ["text", "film", "link", "folder", "pipe"]) func whatIsNoMarkStays(kind: String) throws {
    let folder = try TemporaryFolder(), binary = try CamrecBinary.find()
    let what: String
    switch kind {
    case "text":
      _ = try folder.write("remember".utf8, to: "v.mov.keep")
      what = "is not empty"
    case "film":
      // The name of a film that somebody's camera gave it.
      let outcome = try binary.run(
        ["record", "--camera", "sim:pace=pulled", "--size", "64x48", "--frames", "3", "-o", "v.mov"], in: folder.url)
      try #require(outcome.exitCode == 0, "\(outcome.standardError)")
      try FileManager.default.moveItem(atPath: folder.path("v.mov"), toPath: folder.path("v.mov.keep"))
      what = "is not empty"
    case "link":
      _ = try folder.write("".utf8, to: "elsewhere")
      try FileManager.default.createSymbolicLink(atPath: folder.path("v.mov.keep"), withDestinationPath: "elsewhere")
      what = "is a link"
    case "folder":
      try FileManager.default.createDirectory(atPath: folder.path("v.mov.keep"), withIntermediateDirectories: false)
      what = "is a folder"
    default:
      mkfifo(folder.path("v.mov.keep"), 0o600)
      what = "is a device, a pipe or a socket"
    }
    func inode() throws -> UInt64? {
      try FileManager.default.attributesOfItem(atPath: folder.path("v.mov.keep"))[.systemFileNumber] as? UInt64
    }
    let before = try inode(), size = try? Data(contentsOf: folder.url.appendingPathComponent("elsewhere")).count
    for hasFilm in [false, true] {
      if hasFilm { _ = try folder.write("x".utf8, to: "v.mov") }
      for arguments in [["keep", "v.mov"], ["keep", "--undo", "v.mov"]] {
        let outcome = try binary.run(arguments, in: folder.url, timeout: 60)
        let isAboutFilm = !hasFilm && arguments.contains("--undo")
        #expect(outcome.exitCode == (isAboutFilm ? 65 : 74), "\(arguments): \(outcome.standardError)")
        let sentence =
          isAboutFilm ? "there is no film 'v.mov'" : "v.mov.keep' \(what), but a keep mark is an empty file"
        #expect(outcome.standardError.contains(sentence), "\(outcome.standardError)")
        #expect(try inode() == before, "\(arguments)")
      }
    }
    #expect(size == (try? Data(contentsOf: folder.url.appendingPathComponent("elsewhere")).count))
  }

  /// A mark of a film that is missing for now (on another disk, say) is somebody's too.
  @Test func aMarkWithoutAFilmStays() throws {
    let folder = try TemporaryFolder(), binary = try CamrecBinary.find()
    _ = try folder.write("".utf8, to: "gone.mov.keep")
    for arguments in [["keep", "gone.mov"], ["keep", "--undo", "gone.mov"]] {
      let outcome = try binary.run(arguments, in: folder.url)
      #expect(outcome.exitCode == 65 && outcome.standardError == "Error: there is no film 'gone.mov'\n")
      #expect(try folder.names == ["gone.mov.keep"])
    }
  }

  @Test func markingTwiceIsMarkingOnce() throws {
    let folder = try TemporaryFolder(), binary = try CamrecBinary.find()
    _ = try folder.write("x".utf8, to: "a.mov")
    for _ in 0..<2 {
      #expect(try binary.run(["keep", "a.mov"], in: folder.url).exitCode == 0)
      #expect(try folder.names == ["a.mov", "a.mov.keep"])
    }
    for _ in 0..<2 {
      #expect(try binary.run(["keep", "--undo", "a.mov"], in: folder.url).exitCode == 0)
      #expect(try folder.names == ["a.mov"])
    }
  }
}

import Foundation
import TestKit
import Testing

/// `--hook`: a program for each finished film.
@Suite struct HookTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func script(_ text: String) throws -> String {
    let path = try folder.write("#!/bin/sh\n\(text)\n".utf8, to: "hook-\(UUID().uuidString.prefix(8))")
    chmod(path, 0o755)
    return path
  }

  private func arguments(_ frames: Int, _ more: [String]) -> [String] {
    [
      "--json", "--camera", "sim:pace=pulled", "--size", "64x36", "--fps", "24", "--microphone", "none", "--control",
      "none", "--name", "front", "--output", "take.mov", "--segment", "1s", "--frames", "\(frames)",
    ] + (more.contains("--state") ? [] : ["--state", "none"]) + more
  }

  private func record(_ frames: Int, _ more: [String], environment: [String: String] = [:]) throws
    -> CamrecBinary.Outcome
  {
    try CamrecBinary.find().run(arguments(frames, more), in: folder.url, environment: environment, timeout: 180)
  }

  private func lines(_ name: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder.path(name)) else { return [] }
    return try String(contentsOfFile: folder.path(name), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func catalogue(_ key: String) throws -> Int {
    try lines(".camrec-films.jsonl").count { $0.hasPrefix("{\"\(key)\"") }
  }

  @Test func eachFilmIsHandedOnce_byWordsAndEnvironment() throws {
    let hook = try script(
      #"""
      printf '%s|%s|%s|%s|%s|%s|%s|%s\n' "$1" "$2" "$CAMREC_FILM" "$CAMREC_SIDECAR" "$CAMREC_CAMERA" \
        "$CAMREC_FRAMES" "$CAMREC_LOST" "$(nice)" >> told
      ls -l /proc/$$/fd | grep -c 'take.*mov' >> open
      readlink /proc/$$/fd/0 >> input
      [ -z "$NOTIFY_SOCKET" ] && [ -n "$CAMREC_START" ] && [ -n "$HOME_OF_TEST" ]
      """#)
    let outcome = try record(
      72, ["--hook", hook, "--hook", "$HOME; rm -rf *", "--hook", "{}"],
      environment: ["HOME_OF_TEST": "1", "CAMREC_LOST": "no"])
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let films = (1...3).map { folder.path("take-000\($0).mov") }
    #expect(try lines("told") == films.map { "$HOME; rm -rf *|\($0)|\($0)|\($0).camrec|front|24|0|19" })
    #expect(try Set(lines("open")) == ["0"], "no file of the recorder's is the hook's")
    #expect(try Set(lines("input")) == ["/dev/null"])
    #expect(try catalogue("hooked") == 3)
    let notes = try Events(outcome).all.filter { $0["event"] as? String == "note" }
    // Those that end behind the recording are told as the others are.
    for film in 1...3 {
      #expect(notes.contains { ($0["message"] as? String) == "the hook for 'take-000\(film).mov' succeeded" })
    }
  }

  @Test func aFilmWithoutASidecarHasItsStart() throws {
    let hook = try script(#"echo "$CAMREC_SIDECAR|$CAMREC_START" >> told"#)
    let begin = Date.now.timeIntervalSince1970.rounded(.down)
    let outcome = try record(48, ["--hook", hook, "--no-sidecar"])
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    let told = try lines("told"), end = Date.now.timeIntervalSince1970 + 2
    try #require(told.count == 2 && told.allSatisfy { $0.hasPrefix("|") }, "\(told)")
    let starts = try told.map { try Date.ISO8601FormatStyle().parse(String($0.dropFirst())).timeIntervalSince1970 }
    #expect(starts.allSatisfy { $0 >= begin && $0 <= end } && (0...2).contains(starts[1] - starts[0]), "\(told)")
  }

  /// The film that is being recorded has nothing to do with them.
  @Test func whatALogSaysOfOtherFilmsNamesNone() throws {
    let hook = try script("true")
    let words = try (1...2).map { _ in
      try record(72, ["--hook", hook, "--keep-count", "1", "--log", "json"]).standardError
    }.joined()
    struct Entry: Decodable {
      let fields: [String: String]
      let message: String
    }
    let entries = words.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(Entry.self, from: Data($0.utf8))
    }
    let others = entries.filter { $0.fields["hooked"] != nil || $0.fields["deleted"] != nil }
    #expect(others.contains { $0.fields["hooked"] == "take-0001.mov" }, "\(words)")
    #expect(others.contains { $0.fields["deleted"] != nil } && others.allSatisfy { $0.fields["film"] == nil })
    #expect(entries.contains { $0.message.hasSuffix(" is complete") && $0.fields["film"] != nil })
  }

  @Test func aHookThatFailsIsRunAgain_byTheNextStart_andItsFilmIsNotDeleted() throws {
    let hook = try script(#"echo "$CAMREC_TRY ${CAMREC_FILM##*/}" >> told; echo "no network" >&2; [ -e works ]"#)
    let first = try record(72, ["--hook", hook, "--hook-wait", "20s", "--keep-count", "1"])
    #expect(first.exitCode == 0, "a hook is no part of the recording")
    let words = first.standardError + first.standardOutput
    #expect(
      words.contains("the hook for 'take-0001.mov' ended with status 1 (no network); next try in 10 s"),
      "\(words)")
    #expect(
      try folder.names.filter { $0.hasSuffix(".mov") }.count == 3, "a film that the hook has still to handle stays")
    #expect(words.contains("the next recorder of this name in the folder runs it for them"), "\(words)")
    _ = try folder.write("".utf8, to: "works")
    // Until they are due again.
    Thread.sleep(forTimeInterval: 11)
    let second = try record(24, ["--hook", hook, "--hook-wait", "60s", "--keep-count", "1"])
    #expect(second.exitCode == 0)
    let told = try lines("told")
    for film in 1...3 { #expect(told.contains("2 take-000\(film).mov"), "\(told)") }
    #expect(told.contains("1 take-0004.mov"))
    // The next look finds that nobody needs them any more.
    #expect(try record(24, ["--hook", hook, "--hook-wait", "60s", "--keep-count", "1"]).exitCode == 0)
    #expect(try folder.names.filter { $0.hasSuffix(".mov") }.count <= 2)
  }

  /// The warning comes behind the recording's end.
  @Test func aWarningAboutTheLastFilmsHookCounts() throws {
    let hook = try script("sleep 1; exit 1")
    let outcome = try record(24, ["--hook", hook, "--hook-wait", "60s", "--state", "s.json", "--metrics", "m.prom"])
    let events = try Events(outcome)
    #expect(events.warnings.contains { $0.hasPrefix("the hook for 'take-0001.mov' ended with status 1") })
    let record = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: folder.path("s.json")))) as? [String: Any]
    let totals = (record?["state"] as? [String: Any])?["totals"] as? [String: Any]
    #expect(totals?["warnings"] as? Int == events.warnings.count, "\(events.warnings)")
    let counted = try lines("m.prom").first { $0.hasPrefix("camrec_warnings_total{") }
    #expect(counted?.hasSuffix(" \(events.warnings.count)") == true, "\(counted ?? "")")
  }

  @Test func aHookThatHangsIsEnded_withAllThatItStarted() throws {
    let hook = try script("trap '' TERM; sleep 300 & echo $! >> started; echo $$ >> started; wait; sleep 300")
    let outcome = try record(24, ["--hook", hook, "--hook-timeout", "1s", "--hook-wait", "60s"])
    #expect(outcome.exitCode == 0)
    let words = outcome.standardError + outcome.standardOutput
    #expect(words.contains("the hook for 'take-0001.mov' timed out after 1 s; next try in 10 s"), "\(words)")
    let started = try lines("started").compactMap { Int32($0) }
    #expect(started.count == 2)
    for pid in started {
      // Nobody may have waited for it yet.
      let state = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: ")").last?
        .prefix(2)
      #expect(state == nil || state == " Z", "\(pid) is left")
    }
  }

  @Test func whatARecorderThatWasKilledOwed_theNextOneDoes() throws {
    let hook = try script(#"echo $$ >> pids; [ -e works ] || sleep 300; echo "${CAMREC_FILM##*/}" >> told"#)
    let running = try CamrecBinary.find().start(arguments(1_000_000, ["--hook", hook]), in: folder.url)
    for _ in 0..<1200 where try catalogue("finished") < 3 { usleep(50_000) }
    running.send(signal: SIGKILL)
    _ = running.wait()
    let entered = try lines(".camrec-films.jsonl")
    func films(_ key: String) -> [String] {
      entered.compactMap {
        let line = try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: [String: Any]]
        return line?[key]?["film"] as? String
      }
    }
    let owed = films("finished")
    try #require(owed.count >= 3)
    // The hook that was running is on its own now.
    for pid in try lines("pids").compactMap({ Int32($0) }) { kill(-pid, SIGKILL) }
    // As a power cut may leave it.
    let file = try FileHandle(forWritingTo: folder.url.appendingPathComponent(".camrec-films.jsonl"))
    try file.seekToEnd()
    try file.write(contentsOf: Data("{\"finished\":{\"aw".utf8))
    try file.close()
    _ = try folder.write("".utf8, to: "works")
    // The one that was being recorded, too, once it was recovered.
    let recovered = try films("begun").filter {
      try !owed.contains($0) && CamrecBinary.find().run(["recover", folder.path($0)]).exitCode == 0
    }
    #expect(try record(24, ["--hook", hook, "--hook-wait", "120s"]).exitCode == 0)
    let told = try lines("told")
    for film in owed + recovered { #expect(told.count { $0 == film } == 1, "\(film): \(told)") }
  }

  /// Its account is in its sidecar: the recorder that was killed has entered no more than its beginning. Repeated
  /// frames are in the film as well.
  @Test(arguments: [[], ["--fill-gaps"]])
  func aFilmThatWasCutOff_isHandedOnWithItsFramesAndLosses(_ gaps: [String]) throws {
    let camrec = try CamrecBinary.find()
    let hook = try script(#"echo "${CAMREC_FILM##*/} $CAMREC_FRAMES $CAMREC_SECONDS $CAMREC_LOST" >> told"#)
    let faults = try folder.write("drop 10 2\n".utf8, to: "faults")
    let running = try camrec.start(
      [
        "--json", "--camera", "sim:faults=\(faults)", "--size", "64x36", "--fps", "24", "--microphone", "none",
        "--control", "none", "--state", "none", "--name", "front", "--output", "take.mov", "--segment", "1h", "--hook",
        hook,
      ] + gaps, in: folder.url)
    for _ in 0..<1200 where running.outputSoFar().standardOutput.firstMatch(of: /"frames":[4-9]\d/) == nil {
      usleep(50_000)
    }
    running.send(signal: SIGKILL)
    _ = running.wait(timeout: 60)
    #expect(try camrec.run(["recover", "take-0001.mov"], in: folder.url).exitCode == 0)
    let info = try camrec.run(["info", "--json", "take-0001.mov"], in: folder.url)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(info.standardOutput.utf8)) as? [String: Any], "\(info)")
    let recovered = try #require(object["recovered"] as? [String: Any])
    let frames = try #require(recovered["frames"] as? Int), missing = try #require(recovered["missing"] as? Int)
    // Frames that waited for the encoder are lost, too.
    let unwritten = recovered["unwritten"] as? Int ?? 0
    let lost = try #require(object["lost"] as? [String: Int]).values.reduce(missing + unwritten, +)
    let seconds = String(format: "%.3f", try #require(object["seconds"] as? Double))
    try #require(frames >= 12 && lost >= 2)
    #expect(try record(24, ["--hook", hook, "--hook-wait", "120s"]).exitCode == 0)
    let told = try lines("told")
    #expect(told.contains("take-0001.mov \(frames) \(seconds) \(lost)"), "\(told)")
    let id = try #require((object["film"] as? [String: Any])?["filmID"] as? String, "the recovery has kept it")
    #expect(
      try lines(".camrec-films.jsonl").contains {
        $0.hasPrefix("{\"finished\"") && $0.contains("take-0001.mov") && $0.contains("\"frames\":\(frames)")
          && $0.contains("\"lost\":\(lost)") && $0.contains("\"id\":\"\(id)\"")
      })
  }

  /// A .mkv needs no recovery, and its sidecar alone does not tell what is in it.
  @Test func aMatroskaThatWasCutOff_isHandedOnWithTheFramesThatItHas() throws {
    let camrec = try CamrecBinary.find()
    let hook = try script(#"echo "${CAMREC_FILM##*/} $CAMREC_FRAMES $CAMREC_SECONDS $CAMREC_LOST" >> told"#)
    let faults = try folder.write("drop 10 2\n".utf8, to: "faults")
    let film = try KilledFilm(
      "cut.mkv", bytes: 400_000, in: folder, camera: "sim:pace=pulled,faults=\(faults)",
      options: ["--json", "--name", "front", "--hook", hook])
    let frames = try film.packets().count
    let info = try camrec.run(["info", "cut.mkv"], in: folder.url).standardOutput
    let lost = try #require(info.firstMatch(of: /frames: written \d+, lost (\d+)/)?.1, "\(info)")
    let json = try camrec.run(["info", "--json", "cut.mkv"], in: folder.url)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any], "\(json)")
    let seconds = String(format: "%.3f", try #require(object["seconds"] as? Double))
    try #require(frames >= 12 && object["written"] as? Int == frames)
    #expect(try record(24, ["--hook", hook, "--hook-wait", "120s"]).exitCode == 0)
    let told = try lines("told")
    #expect(told.contains("cut.mkv \(frames) \(seconds) \(lost)"), "\(told)")
  }

  @Test func aProgramThatIsNotThereOrThatOthersCanWrite_isRefused() throws {
    let missing = try record(24, ["--hook", "no-such-program-anywhere"])
    #expect(missing.exitCode == 65)
    #expect(
      missing.standardError.contains("--hook: there is no program 'no-such-program-anywhere' in PATH; give its path"))
    let open = try script("true")
    chmod(open, 0o777)
    let writable = try record(24, ["--hook", open])
    #expect(writable.exitCode == 65 && writable.standardError.contains("chmod go-w"), "\(writable.standardError)")
    #expect(try folder.names.filter { $0.hasSuffix(".mov") }.isEmpty)
  }
}

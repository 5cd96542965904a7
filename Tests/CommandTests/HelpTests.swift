import Foundation
import TestKit
import Testing

@Suite struct HelpTests {
  @Test func rootNamesTheSubcommandsAndEveryExitStatus() throws {
    let help = try text(["--help"])
    for line in [
      "OVERVIEW: Record a camera, bake in a LUT", "record (default)", "ctl  ", "bake  ", "info  ", "recover  ",
      "controls  ",
      "devices  ", "lut  ", "bracket  ", "golden  ",
      "exposure  ",
    ] { #expect(help.contains(line), "\(line)") }
    // In the usage, too, every one of them.
    let dump = try JSONSerialization.jsonObject(with: Data(try text(["--experimental-dump-help"]).utf8))
    let root = try #require((dump as? [String: Any])?["command"] as? [String: Any])
    let usage = try #require(help.split(separator: "\n\n").first { $0.hasPrefix("USAGE:") })
    for command in try #require(root["subcommands"] as? [[String: Any]])
    where command["shouldDisplay"] as? Bool != false {
      let name = try #require(command["commandName"] as? String)
      #expect(usage.contains(name), "\(name)")
    }
  }

  @Test func shortHelp_hasTenOptionsThatThereAre() throws {
    let short = try text(["-h"]), whole = try text(["record", "--help"])
    #expect(try text(["record", "-h"]) == short)
    let options = short.matches(of: /^  (?:-o, )?(--[a-z-]+) [A-Z]/.anchorsMatchLineEndings()).map { String($0.1) }
    #expect(options.count == 10)
    for option in options { #expect(whole.contains("\(option) <"), "\(option)") }
    #expect(short.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { $0.count <= 110 })
    #expect(!short.contains("xit status") && !whole.contains("xit status"))
  }

  @Test func shortHelp_ofASubcommandHasALineForEachOption() throws {
    for words in [["bake"], ["golden", "check"], ["lut", "info"], ["look", "export"], ["ctl"], ["recover"]] {
      let short = try text(words + ["-h"]), whole = try text(words + ["--help"])
      let lines = short.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count < 60 && lines.allSatisfy { $0.count <= 100 }, "\(short)")
      #expect(lines.contains { $0.hasPrefix("  camrec \(words.joined(separator: " "))") }, "\(short)")
      #expect(short.hasSuffix("\ncamrec \(words.joined(separator: " ")) --help explains these options.\n"), "\(short)")
      // Every option of the long one, and no other.
      func options(_ help: String) -> Set<String> {
        Set(help.matches(of: /^  (?:-[a-z], )?(--[a-z0-9-]+)/.anchorsMatchLineEndings()).map { String($0.1) })
      }
      #expect(options(short) == options(whole).subtracting(["--version", "--help"]), "\(words)")
    }
    // A line for each command of a group.
    for (group, commands) in [("lut", ["info", "check"]), ("rig", ["run", "check"]), ("golden", ["init", "update"])] {
      let short = try text([group, "-h"])
      // The long help of 'lut' says no more.
      let more = group == "lut" ? "." : "; camrec \(group) --help says more."
      let end = "\ncamrec \(group) COMMAND -h lists the options of one\(more)\n"
      #expect(!short.hasPrefix("OVERVIEW: ") && short.hasSuffix(end), "\(short)")
      for command in commands { #expect(short.contains("\n  \(command)  "), "\(short)") }
      #expect(short.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(short)")
    }
    #expect(try text(["manual", "-h"]) == "Print the manual page, as troff.\n\n  camrec manual\n")
  }

  /// A list has clips, a suite cases.
  @Test func sharingNamesWhatItShares() throws {
    let bake = try text(["bake", "-h"]), check = try text(["golden", "check", "-h"])
    #expect(bake.contains("every Nth clip from clip K on") && bake.contains("each clip's result"), "\(bake)")
    #expect(check.contains("every Nth case from case K on") && check.contains("each case's result"), "\(check)")
  }

  @Test func replayHelp_hasItsExitStatuses() throws {
    let help = try text(["exposure", "replay", "--help"]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("Exit status: 0 if every decision is the same; 4 if one differs"), "\(help)")
  }

  /// No line of a short help is cut, or longer than the screen: every option's first sentence fits on its line.
  @Test func shortHelp_ofEverySubcommandHasWholeLines() throws {
    let dump = try JSONSerialization.jsonObject(with: Data(try text(["--experimental-dump-help"]).utf8))
    let root = try #require((dump as? [String: Any])?["command"] as? [String: Any])
    func leaves(_ command: [String: Any], _ path: [String]) -> [(path: [String], command: [String: Any])] {
      let below = (command["subcommands"] as? [[String: Any]] ?? []).filter { below in
        below["shouldDisplay"] as? Bool != false && below["commandName"] as? String != "help"
      }
      if below.isEmpty { return [(path, command)] }
      return below.flatMap { leaves($0, path + [$0["commandName"] as? String ?? ""]) }
    }
    let all = leaves(root, []).filter { $0.path != ["record"] }
    #expect(all.count > 25)
    for (path, command) in all {
      let short = try text(path + ["-h"])
      let lines = short.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("  camrec ") }
      #expect(lines.allSatisfy { $0.count <= 100 && !$0.hasSuffix("…") }, "\(path): \(short)")
      for argument in command["arguments"] as? [[String: Any]] ?? [] where argument["shouldDisplay"] as? Bool == true {
        let names = (argument["names"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        guard !names.contains("help"), !names.contains("version") else { continue }
        let first = try #require((argument["abstract"] as? String)?.components(separatedBy: ". ").first)
        let sentence = first.hasSuffix(".") ? String(first.dropLast()) : first
        #expect(lines.contains { $0.contains("  \(sentence)") }, "\(path): \(sentence)")
      }
    }
  }

  @Test func manual_hasExitStatusesFilesAndEnvironment() throws {
    let page = try text(["manual"])
    for section in ["EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"] {
      #expect(page.contains("\n.SH \(section)\n"), "\(section)")
    }
    // The README has the same words.
    let readme = try String(contentsOf: HelpTests.file("README.md"), encoding: .utf8)
    let rows = readme.matches(of: /^\| ([0-9]+) \| (.+) \|$/.anchorsMatchLineEndings())
    #expect(rows.map { String($0.1) } == ["0", "3", "4", "5", "64", "65", "69", "70", "74", "130"])
    for row in rows {
      let meaning = row.2.replacing("-", with: "\\-")
      #expect(page.contains(".TP\n\\fB\(row.1)\\fR\n\(meaning)\n"), "\(row.0)")
    }
    #expect(page.contains("Exit status: 0 without findings; 4 with findings"))
  }

  /// Swift would make another name of it, silently.
  /// A signal to a process and to its group comes twice and is one.
  @Test(arguments: [["--help"], ["record", "--help"], ["rig", "run", "--help"], ["manual"]])
  func secondInterrupt_isSaidToNeedATime(words: [String]) throws {
    let help = try text(words).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("second one, at least 0.3 s later, ends "), "\(words)")
  }

  /// What a recorder does and when, as its code has it.
  @Test(arguments: [
    (["ctl"], "for 'state' and 'watch' it gives up sooner"),
    (["ctl"], "closed, except while somebody looks ('camrec view', 'snapshot') and for ten seconds after that or"),
    (["ctl"], "show the state as it changes"),
    (["doctor"], "the encoder's speed at the size asked for, or else 1920x1080 (measured)"),
    (["lut", "check"], "neutrals that get darker as the input gets brighter; a table with only one colour;"),
    (["compare"], "64 if FFmpeg's filters are not installed; 65 if a clip cannot be read"),
    (["compare"], "ΔE2000 are worse, or it reports a frame as missing and another as not in A."),
    (["record"], "Films with a keep mark or waiting for a hook do not count, here and for --keep-size."),
    (["record"], "The end of a window stops any film, unless another window is open."),
    (["record"], "If you stop a film yourself, or its --duration or --frames is over, camrec records again in the"),
    (["bake"], "With --json there is an event for each clip, and stopped counts the clips."),
    (["recover"], "A complete film under such a name stays, and so do both kinds on a disk without locks."),
    (["status"], "69 if there is none, or if one of them does not run, or has not written its state file"),
    (["snapshot"], "The picture's width in pixels, 16 to 16384; an odd one becomes even. Default: the frame's."),
    (["compare"], "So equal samples that are tagged rec709 and srgb differ."),
    (["snapshot"], "a PNG has 16 if the film has more than 8, or with --ungraded the camera."),
    (["bench"], "from ultrafast to slow, ending at the first that is too slow for 24 fps, and with ProRes and FFV1"),
    (["bench"], "It leaves out the presets slower, veryslow and placebo."),
    (["golden", "check"], "why the case has no result; left out if it has one), and stages (empty with an error)"),
    (["doctor"], "a verdict and a finding, with figures if it measures, and a remedy unless all is well"),
    (["lut", "info"], "bakes (bits, path: narrow, wide or refused, and refusal, the reason), warnings"),
    (["bake"], "or --results shows that they are as an earlier run with these results left them."),
    (["info"], "filmFrames (the film's frames), written (these without those that --fill-gaps repeats)"),
    (["bake"], "four per processor of the cluster, divided by --jobs, or fewer if there is less to do"),
    (["record"], "PID.state.json without --name, in the folder of --control's default"),
    (["record"], "the control socket's path, with .monitor in place of .sock; none if that is none"),
  ])
  func helpSaysWhatIsDone(words: [String], sentence: String) throws {
    let help = try text(words + ["--help"]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains(sentence), "\(words)")
  }

  @Test func durationIsSaidNotToEndTheWaitForACamera() throws {
    let help = try text(["record", "--help"]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("The time without a camera does not count for --duration, which therefore does not end the"))
  }

  @Test func argumentThatIsNoUTF8_isRefused() throws {
    let folder = try TemporaryFolder()
    let binary = try CamrecBinary.find().url.path
    let words =
      "cd '\(folder.url.path)'; '\(binary)' --camera sim --frames 2 -o $'bad\\xff.mov' 2>&1; echo $?"
    let said = String(decoding: try Tool.run(["bash", "-c", words]), as: UTF8.self)
    #expect(said == "Error: argument 6 ('bad\\xff.mov') is not UTF-8; rename the file, or give another name\n64\n")
    #expect(try folder.names == [])
  }

  @Test(arguments: [
    (["recrod", "--codec", "h264"], "there is no command 'camrec recrod'; did you mean 'camrec record'?"),
    (["lut", "inf", "x"], "there is no command 'camrec lut inf'; did you mean 'camrec lut info'?"),
    (["rig", "chek"], "there is no command 'camrec rig chek'; did you mean 'camrec rig check'?"),
    (["nothing"], "there is no command 'camrec nothing'; the commands are bake, bench, "),
    (["help", "bak"], "there is no command 'camrec bak'; did you mean 'camrec bake'?"),
    (["ctl", "strat"], "there is no command 'camrec ctl strat'; did you mean 'camrec ctl start'?"),
    (
      ["ctl", "--name", "front", "--json", "sttop"],
      "there is no command 'camrec ctl sttop'; did you mean 'camrec ctl stop'?"
    ),
    (["ctl", "nothing"], "there is no command 'camrec ctl nothing'; the commands are angle, camera, "),
  ])
  func mistypedCommand_isNamed(_ arguments: [String], _ sentence: String) throws {
    let outcome = try CamrecBinary.find().run(arguments, timeout: 60)
    #expect(outcome.exitCode == 64 && outcome.standardError.hasPrefix("Error: \(sentence)"), "\(outcome.standardError)")
    #expect(outcome.standardError.split(separator: "\n").count <= 2, "\(outcome.standardError)")
  }

  @Test func recordSpellsItsOptions() throws {
    let help = try text(["record", "--help"])
    for option in [
      "--camera <CAMERA>", "--nearest", "--size <WxH>", "--fps <RATE>", "--pixel-format <FORMAT>", "--lut <FILE.cube>",
      "--interpolation <METHOD>", "tetrahedral, trilinear; default: tetrahedral", "--workers <N>",
      "--bake-on <PLACE>",
      "--color-in <NAME>", "--color-out <NAME>", "--codec <CODEC>", "hevc, prores, ffv1;", "--encoder <NAME>",
      "--preset <NAME>", "--quality <N>", "--bitrate <RATE>", "--profile <NAME>", "--microphone <NAME>",
      "--audio-offset <TIME>", "--max-loss <TIME>", "--rotation <ANGLE>", "--timecode <TIMECODE>",
      "-o, --output <PATH>",
      "camrec_%Y-%m-%d_%H-%M-%S%z.mov", "--segment <LENGTH>", "--utc", "--overwrite", "--duration <TIME>",
      "--frames <N>",
      "--on-overload <ACTION>", "drop, stop; default: drop", "--json", "--no-sidecar",
    ] { #expect(help.contains(option), "\(option)") }
  }

  @Test(arguments: [
    (["ctl", "--help"], "USAGE: camrec ctl [--name NAME | --socket PATH] [--json] COMMAND [VALUE …]"),
    (["doctor", "--help"], "USAGE: camrec doctor [--json] [--duration TIME] [FILE.yaml]"),
    (["rig", "--help"], "USAGE: camrec rig [check] [--json] FILE.yaml"),
    (["rig", "check", "--help"], "USAGE: camrec rig check [--json] FILE.yaml"),
    (["golden", "--help"], "USAGE: camrec golden init FOLDER"),
    (["bake", "--help"], "USAGE: camrec bake IN --output OUT [--lut FILE.cube | --look LOOK] [OPTION …]"),
    (["info", "--help"], "USAGE: camrec info [--json] [--plot OUT.png [--overwrite]] FILE"),
    (["recover", "--help"], "USAGE: camrec recover [--check] [--json] [--output FILE.mov] PATH …"),
    (["devices", "--help"], "USAGE: camrec devices [--json]"),
    (["controls", "--help"], "USAGE: camrec controls [--camera CAMERA] [--json]"),
    (["controls", "list", "--help"], "USAGE: camrec controls [--camera CAMERA] [--json]"),
    (["controls", "set", "--help"], "USAGE: camrec controls set [--camera CAMERA] NAME=VALUE …"),
    (["controls", "reset", "--help"], "USAGE: camrec controls reset [--camera CAMERA]"),
    (["exposure", "--help"], "USAGE: camrec exposure replay [--json] FILE"),
    (["exposure", "replay", "--help"], "USAGE: camrec exposure replay [--json] FILE"),
    (["controls", "watch", "--help"], "USAGE: camrec controls watch [--camera CAMERA] [--json]"),
    (["look", "--help"], "USAGE: camrec look list [--json]"),
    (["look", "export", "--help"], "USAGE: camrec look export LOOK --from NAME [--to NAME]"),
    (["look", "plot", "--help"], "USAGE: camrec look plot [--overwrite] LOOK OUT.png|OUT.svg"),
    (["lut", "--help"], "USAGE: camrec lut info [--json] FILE.cube"),
    (["lut", "info", "--help"], "USAGE: camrec lut info [--json] FILE.cube"),
    (["lut", "check", "--help"], "USAGE: camrec lut check [--json] FILE.cube …"),
    (["lut", "make", "--help"], "USAGE: camrec lut make --from NAME --to NAME"),
    (["lut", "convert", "--help"], "USAGE: camrec lut convert [--size N]"),
    (["lut", "compose", "--help"], "USAGE: camrec lut compose [--size N]"),
    (["lut", "plot", "--help"], "USAGE: camrec lut plot [--overwrite] FILE.cube OUT.png"),
    (["bracket", "--help"], "USAGE: camrec bracket --shadow TIME|meter:X,Y --highlight TIME|meter:X,Y [--frames N]"),
    (["help", "bake"], "USAGE: camrec bake IN"),
  ])
  func everyLevelHasHelp(_ arguments: [String], _ usage: String) throws {
    #expect(try text(arguments).contains(usage))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsNameTheOptions(_ shell: String) throws {
    let script = try text(["--generate-completion-script", shell])
    let remark = "# An option before any command belongs to 'camrec record'"
    #expect(script.components(separatedBy: remark).count == 2)
    for word in ["on-overload", "color-out", "apple-log", "tetrahedral"] { #expect(script.contains(word), "\(word)") }
  }

  /// What bash offers behind a line that is typed.
  private func offers(_ line: String, environment: [String: String] = [:]) throws -> [String] {
    let folder = try TemporaryFolder()
    let script = try folder.write(try text(["--generate-completion-script", "bash"]).utf8, to: "camrec.bash")
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
    let program = try CamrecBinary.find().url.path
    let shell = """
      camrec() { '\(program)' "$@"; }
      source \(script)
      COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}
      _camrec camrec "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let path = try folder.write(shell.utf8, to: "line.bash")
    let found = try Tool.run(["env"] + environment.map { "\($0)=\($1)" } + ["bash", path])
    return String(decoding: found, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func optionsWithoutACommandAreThoseOfRecord() throws {
    #expect(try offers("camrec --codec ") == offers("camrec record --codec "))
    #expect(try offers("camrec --codec ").contains("prores"))
    #expect(try offers("camrec --lut a.cube --on-ful") == ["--on-full"])
    #expect(try offers("camrec -").contains("--camera"))
    #expect(try offers("camrec ba") == ["bake"] && offers("camrec bake --codec ").contains("hevc"))
  }

  @Test func whatACommandOfARecorderTakes_isOffered() throws {
    #expect(try offers("camrec ctl mode ").contains("shutter-priority") && offers("camrec ctl mode man") == ["manual"])
    #expect(try offers("camrec ctl white-balance ").contains("tungsten"))
    #expect(try offers("camrec ctl --json metering ").contains("average"))
    #expect(try offers("camrec ctl lock ") == [] && offers("camrec ctl sta") == ["state", "start"])
    #expect(try offers("camrec help ba") == ["bake"] && offers("camrec help ").contains("verify"))
  }

  @Test func camerasAreOffered() throws {
    for command in ["", "record ", "ctl switch ", "snapshot "] {
      let line = "camrec \(command)--camera ", found = try offers(line)
      #expect(found.prefix(2) == ["sim", "clip:"] && found.dropFirst(2).allSatisfy { $0.hasPrefix("/dev/") }, "\(line)")
    }
    #expect(try offers("camrec controls list --camera s") == ["sim"])
  }

  @Test func recordersAreOfferedByTheirNames() throws {
    let folder = try TemporaryFolder()
    let place = ["XDG_RUNTIME_DIR": folder.url.path]
    let running = try CamrecBinary.find().start(
      ["--camera", "sim", "--size", "64x36", "--microphone", "none", "--output", "a.mkv", "--name", "top"],
      in: folder.url, environment: place)
    defer { _ = running.wait() }
    defer { running.send(signal: SIGTERM) }
    for _ in 0..<1000 where !running.outputSoFar().standardError.contains("recording to") { usleep(20_000) }
    #expect(try offers("camrec ctl --name ", environment: place).contains("top"))
    #expect(try offers("camrec status ", environment: place).contains("top"))
  }

  @Test func versionIsANumber() throws {
    #expect(try text(["--version"]).wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  private static func file(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../\(path)")
      .standardizedFileURL
  }

  @Test func committedManualIsTheCommandsOwn() throws {
    let committed = try String(contentsOf: HelpTests.file("Documentation/man/camrec.1"), encoding: .utf8)
    #expect(try text(["manual"]) == committed, "scripts/man writes it anew")
  }

  private func text(_ arguments: [String]) throws -> String {
    let outcome = try CamrecBinary.find().run(arguments, environment: ["COLUMNS": "200"], timeout: 60)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    return outcome.standardOutput
  }
}

import Foundation
import Testing
import TestSupport

@Suite struct HelpTests {
  @Test func rootNamesTheSubcommandsAndEveryExitStatus() throws {
    let help = try text(["--help"])
    for line in [
      "OVERVIEW: Record a camera", "record (default)", "ctl  ", "bake  ", "info  ", "recover  ", "controls  ",
      "devices  ", "lut  ", "bracket  ", "golden  ",
      "exposure  ",
    ] { #expect(help.contains(line), "\(line)") }
    // In the usage, too, every one of them.
    let dump = try JSONSerialization.jsonObject(with: Data(try text(["--experimental-dump-help"]).utf8))
    let root = try #require((dump as? [String: Any])?["command"] as? [String: Any])
    let usage = try #require(help.split(separator: "\n\n").first { $0.hasPrefix("USAGE:") })
    for command in try #require(root["subcommands"] as? [[String: Any]]) where command["shouldDisplay"] as? Bool != false {
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

  @Test func manual_hasExitStatusesFilesAndEnvironment() throws {
    let page = try text(["manual"])
    for section in ["EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"] {
      #expect(page.contains("\n.SH \(section)\n"), "\(section)")
    }
    for status in ["0", "3", "4", "5", "64", "65", "69", "70", "74", "130"] {
      #expect(page.contains(".TP\n\\fB\(status)\\fR\n"), "\(status)")
    }
    #expect(page.contains("Exit status: 0 if nothing is odd, 4 if something is"))
  }

  /// Swift would make another name of it, silently.
  @Test func argumentThatIsNoUTF8_isRefused() throws {
    let folder = try TemporaryFolder()
    let words = "cd '\(folder.url.path)'; '\(try CamrecBinary.find().url.path)' --camera sim --frames 2 -o $'bad\\xff.mov' 2>&1; echo $?"
    let said = String(decoding: try Tool.run(["bash", "-c", words]), as: UTF8.self)
    #expect(said == "Error: argument 6 ('bad\\xff.mov') is not UTF-8; rename the file, or give another name\n64\n")
    #expect(try folder.names == [])
  }

  @Test(arguments: [
    (["recrod", "--codec", "h264"], "there is no command 'camrec recrod'; did you mean 'camrec record'?"),
    (["lut", "inf", "x"], "there is no command 'camrec lut inf'; did you mean 'camrec lut info'?"),
    (["rig", "chek"], "there is no command 'camrec rig chek'; did you mean 'camrec rig check'?"),
    (["nothing"], "there is no command 'camrec nothing'; there is bake, bench, "),
  ])
  func mistypedCommand_isNamed(_ arguments: [String], _ sentence: String) throws {
    let outcome = try CamrecBinary.find().run(arguments, timeout: 20)
    #expect(outcome.exitCode == 64 && outcome.standardError.hasPrefix("Error: \(sentence)"), "\(outcome.standardError)")
  }

  @Test func recordSpellsItsOptions() throws {
    let help = try text(["record", "--help"])
    for option in [
      "--camera <camera>", "--nearest", "--size <WxH>", "--fps <rate>", "--pixel-format <format>", "--lut <FILE.cube>",
      "--interpolation <interpolation>", "tetrahedral, trilinear; default: tetrahedral", "--workers <N>",
      "--bake-on <bake-on>",
      "--color-in <name>", "--color-out <name>", "--codec <codec>", "hevc, prores, ffv1;", "--encoder <name>",
      "--preset <name>", "--quality <N>", "--bitrate <rate>", "--profile <name>", "--microphone <name>",
      "--audio-offset <time>", "--max-loss <time>", "--rotation <auto|0|90|180|270>", "--timecode <timecode>",
      "-o, --output <path>",
      "camrec_%Y-%m-%d_%H-%M-%S%z.mov", "--segment <length>", "--utc", "--overwrite", "--duration <time>",
      "--frames <N>",
      "--on-overload <on-overload>", "drop, stop; default: drop", "--json", "--no-sidecar",
    ] { #expect(help.contains(option), "\(option)") }
  }

  @Test(arguments: [
    (["ctl", "--help"], "USAGE: camrec ctl [--name NAME | --socket PATH] [--json] COMMAND [VALUE …]"),
    (["doctor", "--help"], "USAGE: camrec doctor [--json] [--duration TIME] [FILE.yaml]"),
    (["rig", "--help"], "USAGE: camrec rig [check] [--json] FILE.yaml"),
    (["rig", "check", "--help"], "USAGE: camrec rig check [--json] FILE.yaml"),
    (["golden", "--help"], "USAGE: camrec golden init FOLDER"),
    (["bake", "--help"], "USAGE: camrec bake IN --output OUT [--lut FILE.cube] [OPTION …]"),
    (["info", "--help"], "USAGE: camrec info [--json] [--plot OUT.png [--overwrite]] FILE"),
    (["recover", "--help"], "USAGE: camrec recover [--check] [--json] [--output FILE.mov] PATH …"),
    (["devices", "--help"], "USAGE: camrec devices [--json]"),
    (["controls", "--help"], "USAGE: camrec controls [--camera CAMERA] [--json]"),
    (["controls", "list", "--help"], "USAGE: camrec controls [--camera CAMERA] [--json]"),
    (["controls", "set", "--help"], "USAGE: camrec controls set [--camera CAMERA] NAME=VALUE …"),
    (["controls", "reset", "--help"], "USAGE: camrec controls reset [--camera CAMERA]"),
    (["exposure", "--help"], "USAGE: camrec exposure replay FILE"),
    (["exposure", "replay", "--help"], "USAGE: camrec exposure replay FILE"),
    (["controls", "watch", "--help"], "USAGE: camrec controls watch [--camera CAMERA] [--json]"),
    (["lut", "--help"], "USAGE: camrec lut info FILE.cube"),
    (["lut", "info", "--help"], "USAGE: camrec lut info FILE.cube"),
    (["lut", "check", "--help"], "USAGE: camrec lut check FILE.cube …"),
    (["lut", "make", "--help"], "USAGE: camrec lut make --from NAME --to NAME"),
    (["lut", "convert", "--help"], "USAGE: camrec lut convert [--size N]"),
    (["lut", "compose", "--help"], "USAGE: camrec lut compose [--size N]"),
    (["lut", "plot", "--help"], "USAGE: camrec lut plot [--overwrite] FILE.cube OUT.png"),
    (["bracket", "--help"], "USAGE: camrec bracket --shadow SPEED|meter:X,Y --highlight SPEED|meter:X,Y [--frames N]"),
    (["help", "bake"], "USAGE: camrec bake IN"),
  ])
  func everyLevelHasHelp(_ arguments: [String], _ usage: String) throws {
    #expect(try text(arguments).contains(usage))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsNameTheOptions(_ shell: String) throws {
    let script = try text(["--generate-completion-script", shell])
    for word in ["on-overload", "color-out", "apple-log", "tetrahedral"] { #expect(script.contains(word), "\(word)") }
  }

  @Test func versionIsANumber() throws {
    #expect(try text(["--version"]).wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  @Test func committedManualIsTheCommandsOwn() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Documentation/man/camrec.1").standardizedFileURL
    let committed = try String(contentsOf: page, encoding: .utf8)
    #expect(try text(["manual"]) == committed, "scripts/man writes it anew")
  }

  private func text(_ arguments: [String]) throws -> String {
    let outcome = try CamrecBinary.find().run(arguments, environment: ["COLUMNS": "200"], timeout: 20)
    #expect(outcome.exitCode == 0, "\(outcome.standardError)")
    return outcome.standardOutput
  }
}

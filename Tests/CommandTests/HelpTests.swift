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
      "    0  nothing was lost", "    3  frames or sound were lost", "   64  bad arguments",
      "   65  a LUT, clip, trace, sidecar, suite, golden or film cannot be read, or nothing of it recovered",
      "   69  a camera, microphone, GPU or running recorder is missing, busy, refused or failed",
      "   70  a defect", "   74  the output cannot be created or written", "  130  a second interrupt",
    ] { #expect(help.contains(line), "\(line)") }
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

import ControlCodec
import Reporting

/// The manual page, section 1, in the macros of man(7).
struct ManualPage {
  private var lines: [String] = []

  /// - Parameters:
  ///   - command: the root.
  ///   - version: the version in the page's footer.
  init(of command: CommandInfo, version: String) {
    lines.append(".\\\" Made by scripts/man from the commands themselves.")
    lines.append(
      ".TH \(command.commandName.uppercased()) 1 \"\" \"\(command.commandName) \(version)\" \"User Commands\"")
    section("NAME")
    // `whatis` wants a phrase: no capital, no full stop.
    let abstract = command.abstract ?? ""
    text("\(command.commandName) - \(abstract.prefix(1).lowercased())\(abstract.dropFirst().dropLast())")
    section("SYNOPSIS")
    for leaf in command.leaves { synopsis(leaf) }
    section("DESCRIPTION")
    text(Camrec.introduction)
    for leaf in command.leaves { add(leaf) }
    section("EXIT STATUS")
    for status in ExitStatus.allCases { item("\\fB\(status.rawValue)\\fR", status.meaning) }
    section("ENVIRONMENT")
    for (name, meaning) in ManualPage.environment { item("\\fB\(name)\\fR", meaning) }
    section("FILES")
    for (path, meaning) in ManualPage.files { item("\\fI\(ManualPage.escaped(path))\\fR", meaning) }
    section("EXAMPLES")
    lines.append(".nf")
    for example in Camrec.examples { lines.append(ManualPage.escaped(example)) }
    lines.append(".fi")
    section("SEE ALSO")
    text("ffmpeg(1), ffprobe(1), v4l2-ctl(1), arecord(1), systemd.service(5), journalctl(1)")
    text("The project's documents: README, Recording, Baking, Films, Rig, Unattended, Space, Triggers, Controls,")
    text("ControlProtocol, Events, Sidecar, Goldens, Looks.")
  }

  private static let environment = [
    ("CAMREC_CPU", "The instruction set for the bake: scalar, or one that 'camrec bench' lists. Default: the best."),
    ("CAMREC_VULKAN_LIBRARY", "The Vulkan loader that --bake-on gpu opens. Default: libvulkan.so.1."),
    ("CAMREC_FILTER_LIBRARY", "The FFmpeg filter library for measuring loudness. Default: the one from FFmpeg."),
    ("CAMREC_PROGRESS", "Set it to none to hide the progress of commands. A recording still shows its own."),
    ("NO_COLOR", "If it is set and not empty, the status line has no colours."),
    ("TERM", "With dumb, camrec redraws no line."),
    ("PATH", "Where camrec looks for the program of a --hook."),
    ("XDG_RUNTIME_DIR, RUNTIME_DIRECTORY", "The folder for control sockets and state files: a user's and a service's."),
    ("XDG_STATE_HOME, STATE_DIRECTORY, HOME", "The folder for a camera's measured gain and its saved settings."),
    ("XDG_CONFIG_HOME, HOME", "The folder for your own looks."),
    ("NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID", "Set by systemd for a service of Type=notify."),
    ("JOURNAL_STREAM", "Set by systemd: the log then goes to the journal."),
    (
      "CAMREC_FILM, CAMREC_SIDECAR, CAMREC_CAMERA, CAMREC_START, CAMREC_SECONDS, CAMREC_BYTES, CAMREC_FRAMES, "
        + "CAMREC_LOST, CAMREC_TRY", "Set by camrec for the program of a --hook."
    ),
  ]

  private static let files = [
    ("take.mov.camrec", "The sidecar of take.mov: the exposure of each frame, and every loss."),
    (".camrec-films.jsonl", "The catalogue of a folder whose films camrec manages."),
    (
      "$XDG_RUNTIME_DIR/camrec/, /run/camrec/",
      "Control sockets (PID.sock, NAME.sock) and state files (NAME.state.json)."
    ),
    ("$XDG_STATE_HOME/camrec/", "Measured gains, and the camera settings that a recording has changed."),
    ("$XDG_CONFIG_HOME/camrec/looks/, ~/.config/camrec/looks/", "Your own looks."),
    ("/usr/share/camrec/looks/", "The looks that came with camrec."),
    ("/etc/camrec/rig.yaml, /etc/camrec/NAME.yaml", "Rig files of camrec-rig.service and camrec@NAME.service."),
    ("/var/lib/camrec/", "The films of the services."),
  ]

  var page: String { lines.joined(separator: "\n") + "\n" }

  private mutating func section(_ title: String) { lines.append(".SH \(title)") }

  private mutating func synopsis(_ command: CommandInfo) {
    let positional = command.shownArguments.filter { $0.kind == "positional" }.map { argument in
      let name = "\\fI\(argument.valueName ?? "")\\fR" + (argument.isRepeating == true ? " ..." : "")
      return argument.isOptional ? "[\(name)]" : name
    }
    lines.append((["\\fB\(command.fullName)\\fR"] + positional + ["[\\fIoption\\fR ...]"]).joined(separator: " "))
    lines.append(".br")
  }

  private mutating func add(_ command: CommandInfo) {
    section(command.fullName.uppercased())
    if let abstract = command.abstract { text(abstract) }
    if let discussion = command.discussion {
      lines.append(".PP")
      text(discussion)
    }
    if let paragraph = ExitStatusParagraphs.text(of: command.fullName),
      command.discussion?.contains(paragraph) != true
    {
      lines.append(".PP")
      text(paragraph)
    }
    for argument in command.shownArguments { item(ManualPage.heading(argument), ManualPage.body(argument)) }
  }

  private mutating func item(_ heading: String, _ body: String) {
    lines.append(".TP")
    lines.append(heading)
    text(body)
  }

  /// Paragraphs; an indented line stays a line of its own.
  private mutating func text(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        lines.append(".PP")
      } else if line.hasPrefix("  ") {
        lines.append(contentsOf: [".br", ManualPage.escaped(String(line))])
      } else {
        lines.append(ManualPage.escaped(String(line)))
      }
    }
  }

  private static func heading(_ argument: ArgumentInfo) -> String {
    let value = argument.valueName.map { "\\fI\(escaped($0))\\fR" } ?? ""
    guard argument.kind != "positional" else { return value }
    let names = (argument.names ?? []).map { "\\fB\(escaped($0.spelled))\\fR" }.joined(separator: ", ")
    return argument.kind == "option" ? "\(names) \(value)" : names
  }

  private static func body(_ argument: ArgumentInfo) -> String {
    var parts = [argument.abstract ?? ""]
    if let discussion = argument.discussion { parts.append(discussion) }
    if let values = argument.allValues, !values.isEmpty { parts.append("One of \(values.joined(separator: ", ")).") }
    if let value = argument.defaultValue { parts.append("Default: \(value).") }
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A hyphen is not a minus sign to troff, and a line that begins with a dot or a quote is a command.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
  }
}

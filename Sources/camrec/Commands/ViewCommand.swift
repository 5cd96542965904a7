import ArgumentParser
import Assembly
import Frames
import Platform
import RecorderRemote

/// `camrec view`: hands over to `camrec-view`, which has the libraries of windows.
struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Show what recorders see in a window, and control them.",
    usage: "camrec view [--name NAME] [--full-screen] [--ungraded] [--size WIDTHxHEIGHT]",
    discussion: """
      The window shows the picture as the film gets it, with a red frame while a film is being recorded and an amber \
      one while pre-roll is kept. Space starts and stops a film, '?' lists the other keys. With several recorders it \
      shows all of them: click on one, or press its number. When a recorder ends and comes back, the window shows it \
      again by itself. Recording has priority over the window, and goes on when it is closed.

      The window is a program of its own, camrec-view, in a package of that name. Documentation/Viewfinder.md explains \
      it.
      """)

  @Option(
    help: ArgumentHelp(
      "Show only this recorder. Default: all that run.",
      discussion: "Its camera's name in the rig file, or its --name.", valueName: "NAME"),
    completion: .custom { _, _, _ in RecorderDirectory().names { $0.isAlive } })
  var name: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show only the recorder with this monitor socket; it cannot be controlled.", valueName: "PATH"),
    completion: .file(extensions: ["monitor"]))
  var monitor: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The window's size in pixels. Default: 1280x720, or what the screen has.", valueName: "SIZE"))
  var size: String?

  @Flag(help: "Fill the screen.")
  var fullScreen = false

  @Flag(help: "Begin with the picture as the camera sends it, without LUT and look.")
  var ungraded = false

  @Flag(help: "Wait for a recorder if none runs.")
  var wait = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "For so many seconds, measure how late pictures are shown.",
      discussion: "Then it prints that, and ends.", valueName: "SECONDS"))
  var measure: String?

  private static let program = "camrec-view"

  func validate() throws {
    guard name == nil || monitor == nil else {
      throw ValidationError("--name and --monitor exclude each other: give one of them")
    }
  }

  func run() throws {
    let beside = PathText(try CamrecProgram.path()).folder
    guard let program = OtherProgram(named: ViewCommand.program, in: [beside] + OtherProgram.searchPath) else {
      throw CamrecError(
        .device, "camrec view needs camrec-view: install the package camrec-view, or build it: swift build -c release "
          + "--product camrec-view")
    }
    let failure = program.takeOver(arguments: words)
    throw CamrecError(
      .device, "cannot start '\(program.path)'; install the package camrec-view again", cause: failure.words)
  }

  /// For the window's program, which judges the values.
  private var words: [String] {
    let values = [("--name", name), ("--monitor", monitor), ("--size", size), ("--measure", measure)]
    let flags = [("--full-screen", fullScreen), ("--ungraded", ungraded), ("--wait", wait)]
    return values.flatMap { option, value in value.map { ["\(option)=\($0)"] } ?? [] }
      + flags.compactMap { option, isSet in isSet ? option : nil }
  }
}

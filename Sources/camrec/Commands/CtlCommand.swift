public import ArgumentParser
import Assembly
import Cameras
import ControlCodec
import ControlSocket
import Foundation
import Frames
import Recorder
import RecorderAPI
import RecorderRemote
import Reporting

/// `camrec ctl COMMAND`.
struct CtlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Control or watch a running recorder.",
    usage: "camrec ctl [--name NAME | --socket PATH] [--json] COMMAND [VALUE …]",
    discussion: """
      ctl returns when the recorder has carried out the command, and prints the recorder's state. The exposure in it \
      is that of the newest frame. Cameras show a new setting some frames later: after 'angle' and 'iso' ctl waits for \
      that, up to 0.5 s. It does not wait for 'focus', or for exposure that follows the light: to follow these, use \
      'camrec ctl state' or 'watch'. If the recorder has not answered a command for 30 s, ctl waits on as long as the \
      recorder accepts connections, and otherwise gives up (exit status 69); for 'state' and 'watch' it gives up \
      sooner. The commands, by example:

      \(ControlWord.allCases.map(row).joined(separator: "\n"))

      'camrec ctl snapshot OUT.jpg' is 'camrec snapshot OUT.jpg'.

      A rig does not restart a recorder that 'stop' or 'quit' has ended; restart the rig. In standby without \
      --pre-roll the camera is closed, except while somebody looks ('camrec view', 'snapshot') and for ten seconds \
      after that or after a film; while it is closed, white-balance, set and focus need a recording. While the \
      exposure of an open camera is locked, the recorder refuses ev, metering and spot. 'angle' works: camrec meters \
      the light again and locks the new exposure. You can choose or leave the mode 'camera' only in standby, and only \
      while no pre-roll runs.

      'set' takes the controls that 'camrec controls' lists, except read-only ones and those under automatic control. \
      It takes exposure time, gain and ISO only if the camera sets its own exposure (--exposure camera). Another frame \
      rate, size, pixel format or camera begins a new film, and camrec accounts for every frame between the old and \
      the new film. If nothing is being recorded, 'keep' protects the last film. A marker is in the sidecar and in the \
      film's chapters; a recovered film has no chapters. If the recorder refuses a command, ctl exits with the \
      status that 'camrec record' would give. For other remote controls, see the protocol in \
      Documentation/ControlProtocol.md.
      """)

  private static func row(_ word: ControlWord) -> String {
    "  " + word.example.padding(toLength: 24, withPad: " ", startingAt: 0) + word.summary.withOptions
  }

  @Option(
    // 'camrec record' calls it --control.
    name: [.long, .customLong("control")],
    help: ArgumentHelp(
      "The recorder's control socket. Default: that of the only running recorder.", valueName: "PATH"),
    completion: .file(extensions: ["sock"]))
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The recorder: its camera's name in the rig file, or its --name.", valueName: "NAME"),
    completion: .custom { _, _, _ in RecorderDirectory().names { $0.isAlive } })
  var name: String?

  @Flag(help: "Print the recorder's state as one line of JSON.")
  var json = false

  @OptionGroup var source: SwitchOptions

  @Argument(help: ArgumentHelp("The command.", valueName: "COMMAND"))
  var command: ControlWord

  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("The value or values of the command.", valueName: "VALUE"),
    completion: .custom { words, _, _ in CtlCommand.values(behind: words) })
  var values: [String] = []

  /// The options that take a value.
  static let optionsWithValue: Set = [
    "--socket", "--control", "--name", "--camera", "--fps", "--size", "--pixel-format",
  ]

  /// The values that a shell completes after a command.
  ///
  /// - Parameter words: the command line so far.
  private static func values(behind words: [String]) -> [String] {
    guard let word = words.dropFirst(2).lazy.compactMap(ControlWord.init(rawValue:)).first else { return [] }
    return switch word {
    case .mode: ExposureOptions.Mode.allCases.map(\.rawValue)
    case .whiteBalance: WhiteBalancePreset.allCases.map(\.rawValue)
    case .metering: ["average", "centre", "highlight", "spot:0.5,0.5"]
    case .set: CameraControl.allCases.map(\.rawValue)
    case .focus: ["release"]
    case .rate: ["23.976", "24", "25", "29.97", "30", "50", "59.94", "60"]
    case .format: ["auto", "yuyv", "nv12", "p010", "mjpeg"]
    case .camera: CameraProviders.standard.completions()
    case .watch: ["true", "false"]
    default: []
    }
  }

  func run() throws {
    let request = try request
    // Reports a bad request even if no recorder runs.
    let meaning = try request.meaning()
    let client = try client
    if case .watch = meaning {
      try watch(client)
    } else {
      var state = try command == .state ? client.wholeState() : client.perform(request)
      // Version 1's answer lacks members, and a hello before the command would give it a deadline. The command has been
      // carried out, even if the recorder is gone by now.
      if command != .state, var whole = try? client.wholeState() {
        // Those of the film that has the marker.
        if command == .marker {
          if whole.film != state.film { whole.filmID = nil }
          whole.take([RecorderState.Member.film, .segment, .marker], of: state)
        }
        state = whole
      }
      // It changes all the time.
      state.whiteBalanceAge = nil
      try write(state)
    }
  }

  func validate() throws {
    if name != nil, socket != nil { throw ValidationError("--name and --socket exclude each other: give one of them") }
  }

  private var client: ControlClient {
    get throws(CamrecError) {
      if let socket { return try ControlClient(path: socket) }
      let directory = RecorderDirectory()
      return if let name { try directory.connect(to: name) } else { try directory.connect() }
    }
  }

  private var request: ControlRequest {
    get throws(CamrecError) {
      if command == .switchSource {
        // Given as options, or as on a recorder's own terminal: fps=30.
        var members = try ControlRequest(command, words: values).members.merging(source.members) { $1 }
        members["camera"] = members["camera"].map(CtlCommand.absolute)
        return try ControlRequest(command, members)
      }
      guard source.members.isEmpty else {
        throw CamrecError(.usage, "--camera, --fps, --size and --pixel-format are for 'camrec ctl switch'")
      }
      return try ControlRequest(command, words: command == .camera ? values.map(CtlCommand.absolute) : values)
    }
  }

  /// Makes a clip's path absolute: the recorder may run in another folder.
  private static func absolute(_ camera: String) -> String { CameraProviders.standard.absolute(camera) }

  /// Prints a line for each change; for people at most one a second.
  private func watch(_ client: any RecorderClient) throws {
    let pause = json ? Duration.zero : .seconds(1)
    var last: ContinuousClock.Instant?
    var phase: RecorderState.Phase?
    try client.watch { state in
      let now = ContinuousClock.now
      if let last, last.duration(to: now) < pause, state.phase == phase { return true }
      (last, phase) = (now, state.phase)
      if json {
        // As 'ctl state' prints it.
        var state = state
        state.whiteBalanceAge = nil
        Console.print(json: Data(ControlProtocol.line(EventLine.timed(state))))
      } else {
        Console.print(RecorderDescription.line(of: state))
      }
      return !Console.isReaderGone
    }
  }

  private func write(_ state: RecorderState) throws {
    guard json else {
      let marker = command == .marker ? [state.marker?.description].compactMap(\.self) : []
      Console.print((marker + RecorderDescription.lines(of: state)).joined(separator: "\n"))
      return
    }
    Console.print(json: Data(ControlProtocol.line(state)))
  }
}

extension ControlWord: ExpressibleByArgument {}

import ArgumentParser
import Foundation
import Frames
import Platform
import Retention
import SectionFile

/// The program that camrec runs for each finished film.
struct HookOptions: ParsableArguments {
  @Option(
    name: .customLong("hook"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The program to run for each finished film, then its arguments, one --hook each; {} stands for the film.",
      discussion: """
        Without {}, the film is the last argument. No shell interprets the words. The environment has CAMREC_FILM, \
        CAMREC_SIDECAR, CAMREC_CAMERA, CAMREC_START, CAMREC_SECONDS, CAMREC_BYTES, CAMREC_FRAMES, CAMREC_LOST and \
        CAMREC_TRY. The hook runs with the lowest priority, for one film at a time. Status 0 means success; after \
        any other status camrec runs it again after 10 s, 20 s, … up to an hour, also at the next start.
        """, valueName: "WORD"))
  var words: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long the hook may take for one film; then camrec ends the hook. Default: 1h.", valueName: "TIME"),
    transform: TimeSpan.init(parsingDuration:))
  var hookTimeout: TimeSpan?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Failed runs for one film before camrec gives up on it. Default: 30, about a day.", valueName: "N"),
    transform: { try WholeNumber.parse($0, "the number of tries is", in: 1...1_000_000) })
  var hookTries = 30

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long camrec waits for the hook at the end; the next start does the rest. Default: 30s.",
      discussion: "Default in a rig: 0s when you stop the rig, 10m when a recording ends by itself.",
      valueName: "TIME"), transform: TimeSpan.init(parsing:))
  var hookWait: TimeSpan?

  func validate() throws {
    if words.isEmpty, hookTimeout != nil || hookWait != nil {
      throw ValidationError("--hook-timeout and --hook-wait require --hook; name its program")
    }
    if words.first?.isEmpty == true { throw ValidationError("the first --hook must name a program") }
  }

  /// - Throws: code `input` for a program that is missing, or that others can write to.
  func hook() throws(CamrecError) -> HookRunning.Hook? {
    guard let name = words.first else { return nil }
    let program = try HookOptions.program(name)
    if let trouble = TrustedFile.trouble(path: program) { throw CamrecError(.input, "--hook: \(trouble)") }
    var all = [program] + words.dropFirst()
    if !all.dropFirst().contains(where: { $0.contains("{}") }) { all.append("{}") }
    return HookRunning.Hook(
      words: all, timeout: hookTimeout?.seconds.doubleValue ?? 3600, policy: .init(mostTries: hookTries))
  }

  /// How long to wait for the hook at the end, in seconds. A rig usually restarts a recording that ends by itself; if
  /// it ended for lack of space, the hook may free some.
  func wait(isOfRig: Bool, wasToStop: Bool) -> Double {
    max(0, hookWait?.seconds.doubleValue ?? (isOfRig ? (wasToStop ? 0 : 600) : 30))
  }

  /// The path of the program, found as a shell would find it.
  private static func program(_ name: String) throws(CamrecError) -> String {
    let places: [String] =
      if name.contains("/") {
        [PathText(name).absolute]
      } else {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map {
          "\($0)/\(name)"
        }
      }
    guard let program = places.first(where: { isProgram($0) }) else {
      throw CamrecError(
        .input,
        name.contains("/")
          ? "--hook: '\(name)' is not a program; give the path of an executable file"
          : "--hook: there is no program '\(name)' in PATH; give its path")
    }
    return program
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
      && FileManager.default.isExecutableFile(atPath: path)
  }
}

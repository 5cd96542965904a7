import ArgumentParser
import Assembly
import Frames

/// The program that camrec runs for each finished film.
struct HookOptions: ParsableArguments {
  @Option(
    name: .customLong("hook"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A program to run for each finished film. Repeat --hook for each of its arguments; {} stands for the film's"
        + " path.",
      discussion: """
        Without {}, the film is the last argument. No shell interprets the words. The environment has CAMREC_FILM, \
        CAMREC_SIDECAR, CAMREC_CAMERA, CAMREC_START, CAMREC_SECONDS, CAMREC_BYTES, CAMREC_FRAMES, CAMREC_LOST and \
        CAMREC_TRY. The hook runs with the lowest priority, for one film at a time. Status 0 means success; after \
        any other status camrec runs it again after 10 s, 20 s, … up to an hour, and again at the next start.
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
  var hookTries: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long camrec waits for the hook at the end; the next start does the rest. Default: 30s.",
      discussion: "Default in a rig: 0s when you stop the rig, 10m when a recording ends by itself. If the hook fails,"
        + " camrec does not wait for its next try.",
      valueName: "TIME"), transform: TimeSpan.init(parsing:))
  var hookWait: TimeSpan?

  func validate() throws {
    if words.isEmpty, hookTimeout != nil || hookTries != nil || hookWait != nil {
      throw ValidationError("--hook-timeout, --hook-tries and --hook-wait require --hook; name its program")
    }
    if words.first?.isEmpty == true { throw ValidationError("the first --hook must name a program") }
  }

  var settings: HookSettings {
    HookSettings(words: words, timeout: hookTimeout, tries: hookTries ?? HookSettings().tries, wait: hookWait)
  }
}

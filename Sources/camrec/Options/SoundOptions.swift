import ArgumentParser

/// Which microphone.
struct SoundOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The microphone: auto, an ALSA device, sim, or none. Default: auto.",
      discussion: """
        auto is the simulated microphone with the simulated camera, the clip's sound with a clip, else ALSA's default; \
        where none is there the film is silent, with a warning.
        """,
      valueName: "name"),
    completion: .list(["auto", "none", "sim", "default"]), transform: MicrophoneChoice.init(parsing:))
  var microphone: MicrophoneChoice = .auto
}

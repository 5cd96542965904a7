import ArgumentParser
import Assembly

/// The microphone.
struct SoundOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The microphone: auto, an ALSA device, sim, or none. Default: auto.",
      discussion: """
        auto is the simulated microphone for the simulated camera, the clip's audio for a clip, otherwise ALSA's \
        default; if there is none, the film has no audio, and camrec warns.
        """,
      valueName: "NAME"),
    completion: .list(["auto", "none", "sim", "default"]), transform: MicrophoneChoice.init(parsing:))
  var microphone = RecordingSettings().microphone
}

/// The microphone that `--microphone` names.
package enum MicrophoneChoice: Hashable, Sendable {
  case auto
  case none
  /// The simulated microphone.
  case simulated
  /// An ALSA device by its name.
  case named(String)

  package init(parsing text: String) {
    switch text {
    case "auto": self = .auto
    case "none": self = .none
    case "sim": self = .simulated
    default: self = .named(text)
    }
  }
}

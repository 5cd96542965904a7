package import Assembly
package import Audio
import AudioALSA
package import Doctor
import Frames
import Reporting

/// Whether the microphone is there and opens.
package struct MicrophoneCheck {
  package let choice: MicrophoneChoice
  /// The simulated camera and a clip bring their own audio.
  package let isOfCamera: Bool

  package init(choice: MicrophoneChoice, isOfCamera: Bool) {
    self.choice = choice
    self.isOfCamera = isOfCamera
  }

  /// - Returns: the findings, and the format of the film's audio; `nil` if it has none. That of a clip is assumed.
  package func run() -> (findings: [DoctorFinding], format: AudioFormat?) {
    switch choice {
    case .none: return ([DoctorFinding("microphone", .ok, "no audio is recorded, as requested")], nil)
    case .simulated: return ([DoctorFinding("microphone", .ok, "the microphone is simulated")], .standard)
    case .auto:
      guard !isOfCamera else { return ([], .standard) }
      let (finding, format) = opening(nil)
      return ([finding], format)
    case .named(let name):
      let (finding, format) = opening(name)
      return ([finding], format)
    }
  }

  package static func words(_ format: AudioFormat) -> String {
    "\(format.sampleRate) Hz, \(HumanText.count(format.channels, "channel"))"
  }

  private func opening(_ name: String?) -> (finding: DoctorFinding, format: AudioFormat?) {
    do throws(CamrecError) {
      guard let microphone = try ALSAMicrophone.open(name: name) else {
        let finding = DoctorFinding(
          "microphone", .warning, "there is no microphone: ALSA's 'default' cannot record, so films have no audio",
          remedy: "plug one in, name one that 'camrec devices' lists (\(setting: .microphone)), or use "
            + "\(setting: .microphone) none")
        return (finding, nil)
      }
      let format = microphone.format
      let finding = DoctorFinding(
        "microphone", .ok, "\(microphone.name) opens: \(MicrophoneCheck.words(format))")
      return (finding, format)
    } catch {
      let finding = DoctorFinding(
        "microphone", .failure, error.description,
        remedy: "run 'camrec devices' to list the microphones; access needs the group audio: usermod -aG audio USER")
      return (finding, nil)
    }
  }
}

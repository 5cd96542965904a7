package import Assembly
import Audio
import AudioALSA
package import Doctor
import Frames

/// Whether the microphone is there and opens.
package struct MicrophoneCheck: DoctorCheck {
  package let choice: MicrophoneChoice
  /// The simulated camera and a clip bring their own audio.
  package let isOfCamera: Bool

  package func findings() -> [DoctorFinding] {
    switch choice {
    case .none: return [DoctorFinding("microphone", .ok, "no audio is recorded, as requested")]
    case .simulated: return [DoctorFinding("microphone", .ok, "the microphone is simulated")]
    case .auto: return isOfCamera ? [] : [opening(nil)]
    case .named(let name): return [opening(name)]
    }
  }

  private func opening(_ name: String?) -> DoctorFinding {
    do throws(CamrecError) {
      guard let microphone = try ALSAMicrophone.open(name: name) else {
        return DoctorFinding(
          "microphone", .warning, "there is no microphone: ALSA's 'default' cannot record, so films have no audio",
          remedy: "plug one in, name one that 'camrec devices' lists (--microphone), or use --microphone none")
      }
      let format = microphone.format
      return DoctorFinding(
        "microphone", .ok, "\(microphone.name) opens: \(format.sampleRate) Hz, \(format.channels) channels")
    } catch {
      return DoctorFinding(
        "microphone", .failure, error.description,
        remedy: "run 'camrec devices' to list the microphones; access needs the group audio: usermod -aG audio USER")
    }
  }
}

import Audio
import AudioALSA
import Doctor
import Frames

/// Whether the microphone is there and opens.
struct MicrophoneCheck: DoctorCheck {
  let choice: MicrophoneChoice
  /// A simulated camera and a clip bring their own.
  let isOfCamera: Bool

  func findings() -> [DoctorFinding] {
    switch choice {
    case .none: return [DoctorFinding("microphone", .ok, "no sound is recorded, as was asked for")]
    case .simulated: return [DoctorFinding("microphone", .ok, "the microphone is a simulated one")]
    case .auto: return isOfCamera ? [] : [opening(nil)]
    case .named(let name): return [opening(name)]
    }
  }

  private func opening(_ name: String?) -> DoctorFinding {
    do throws(CamrecError) {
      guard let microphone = try ALSAMicrophone.open(name: name) else {
        return DoctorFinding(
          "microphone", .warning, "there is no microphone: ALSA's 'default' does not record, and films are silent",
          remedy: "plug one in, name one that 'camrec devices' lists (--microphone), or say --microphone none")
      }
      let format = microphone.format
      return DoctorFinding(
        "microphone", .ok, "\(microphone.name) opens: \(format.sampleRate) Hz, \(format.channels) channels")
    } catch {
      return DoctorFinding(
        "microphone", .failure, error.description,
        remedy: "'camrec devices' lists those that there are; they are for the group audio: usermod -aG audio USER")
    }
  }
}

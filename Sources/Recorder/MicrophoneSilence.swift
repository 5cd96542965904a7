import Frames
import Platform

/// Watches for a live microphone that delivers nothing, and warns after two seconds.
struct MicrophoneSilence {
  private var since = MonotonicTime.now()
  private var isWarned = false

  private static let warning: Int64 = 2_000_000_000
  private static let patienceAtEnd: Int64 = 500_000_000

  /// Sound has arrived.
  mutating func ended() {
    since = MonotonicTime.now()
    isWarned = false
  }

  /// Long enough that the missing sound will not arrive any more.
  var isLasting: Bool { MonotonicTime.now() - since > MicrophoneSilence.warning }

  /// Long enough that the end does not wait for more sound.
  var outlastsEnd: Bool { MonotonicTime.now() - since > MicrophoneSilence.patienceAtEnd }

  /// Warns once.
  mutating func warn(_ microphone: String, _ state: SessionState) {
    guard !isWarned else { return }
    isWarned = true
    state.warn("\(microphone) delivers no audio; recording silence")
  }
}

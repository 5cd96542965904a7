import Frames

/// Watches a live microphone that delivers nothing: says so after two seconds.
struct MicrophoneSilence {
  private var since = MonotonicTime.now()
  private var isWarned = false

  private static let warning: Int64 = 2_000_000_000
  private static let patienceAtEnd: Int64 = 500_000_000

  /// Sound came.
  mutating func ended() {
    since = MonotonicTime.now()
    isWarned = false
  }

  /// Long enough that what is missing will not come any more.
  var isLasting: Bool { MonotonicTime.now() - since > MicrophoneSilence.warning }

  /// Long enough not to be waited for when the picture has ended.
  var outlastsEnd: Bool { MonotonicTime.now() - since > MicrophoneSilence.patienceAtEnd }

  /// Says so once.
  mutating func warn(_ microphone: String, _ state: SessionState) {
    guard !isWarned else { return }
    isWarned = true
    state.warn("\(microphone) delivers no sound; silence stands for it")
  }
}

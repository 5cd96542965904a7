import Frames
import Sidecar
import Synchronization

/// What the threads of one session tell each other.
final class SessionState: Sendable {
  private struct Values {
    var failure: CamrecError?
    var warnings: [String] = []
    var firstArrival: MonotonicTime?
    var lastSeconds = 0.0
    var endTicks: Int64 = 0
    var endSeconds: Double?
    var peak: Double?
    var bytes: Int64 = 0
    var ratePartsPerMillion: Double?
    var isVariableRate = false
    var sound: SoundSummary?
    var soundFrames: Int64 = 0
    var soundFailure: CamrecError?
  }

  private let stop = Atomic<Bool>(false)
  private let begun = Atomic<Bool>(false)
  private let values = Mutex(Values())
  private let notes: SessionNotes?

  /// - Parameter notes: is told the warnings as well.
  init(notes: SessionNotes? = nil) { self.notes = notes }

  var isStopping: Bool { stop.load(ordering: .acquiring) }

  func requestStop() { stop.store(true, ordering: .releasing) }

  /// The movie's file exists.
  var hasBegunMovie: Bool { begun.load(ordering: .acquiring) }

  func beganMovie() { begun.store(true, ordering: .releasing) }

  /// The first failure is the one that is reported; any ends the recording.
  func fail(_ error: CamrecError) {
    values.withLock { if $0.failure == nil { $0.failure = error } }
    requestStop()
  }

  var failure: CamrecError? { values.withLock { $0.failure } }

  func warn(_ sentence: String) {
    let seconds = values.withLock {
      $0.warnings.append(sentence)
      return $0.lastSeconds
    }
    notes?.add(.warning(sentence, seconds: seconds))
  }

  func takeWarnings() -> [String] {
    values.withLock {
      let warnings = $0.warnings
      $0.warnings = []
      return warnings
    }
  }

  /// Notes a frame's arrival at movie time `seconds`.
  func arrived(seconds: Double) {
    values.withLock {
      if $0.firstArrival == nil { $0.firstArrival = MonotonicTime.now() }
      $0.lastSeconds = seconds
    }
  }

  var firstArrival: MonotonicTime? { values.withLock { $0.firstArrival } }
  var lastSeconds: Double { values.withLock { $0.lastSeconds } }

  /// The picture has ended: where, in ticks and in seconds.
  func ended(atTicks ticks: Int64, seconds: Double) {
    values.withLock {
      $0.endTicks = ticks
      $0.endSeconds = seconds
    }
  }

  var endTicks: Int64 { values.withLock { $0.endTicks } }
  /// `nil` while the picture goes on.
  var endSeconds: Double? { values.withLock { $0.endSeconds } }

  func heard(peak: Double) { values.withLock { $0.peak = max($0.peak ?? 0, peak) } }

  func takePeak() -> Double? {
    values.withLock {
      let peak = $0.peak
      if peak != nil { $0.peak = 0 }
      return peak
    }
  }

  func wrote(bytes: Int64) { values.withLock { $0.bytes = bytes } }
  var bytes: Int64 { values.withLock { $0.bytes } }

  func measured(partsPerMillion: Double?, isVariableRate: Bool) {
    values.withLock {
      $0.ratePartsPerMillion = partsPerMillion
      $0.isVariableRate = isVariableRate
    }
  }

  var ratePartsPerMillion: Double? { values.withLock { $0.ratePartsPerMillion } }
  var isVariableRate: Bool { values.withLock { $0.isVariableRate } }

  func wrote(soundFrames: Int) { values.withLock { $0.soundFrames += Int64(soundFrames) } }

  func laid(_ track: SoundTrack) {
    let account = track.account
    values.withLock {
      $0.sound = SoundSummary(
        frames: 0, overruns: account.overruns, lostFrames: account.lost, silentFrames: account.silence,
        stretch: track.stretch)
    }
  }

  var sound: SoundSummary? {
    values.withLock { values in
      var sound = values.sound
      sound?.frames = values.soundFrames
      return sound
    }
  }

  /// Sound ended before the picture did.
  func soundFailed(_ error: CamrecError) { values.withLock { $0.soundFailure = error } }
  var soundFailure: CamrecError? { values.withLock { $0.soundFailure } }
}

import Audio
import Frames
import Platform

/// A live microphone that may go away and come back. While it is away it delivers nothing, and camrec looks for it five
/// times a second. A microphone that falls silent is reopened.
///
/// Thread: the sound thread.
struct MicrophoneLine {
  let microphone: any Microphone
  private let state: SessionState
  /// When it went away.
  private var away: MonotonicTime?
  /// It was away when recording started, and came back.
  private(set) var hasReturned = false
  /// While it is away: the seconds of movie time, before the audio offset, up to which no sound will come any more.
  private(set) var missingTo: Double?
  private var lastTry = MonotonicTime.now()
  private var lastSound = MonotonicTime.now()

  /// Nanoseconds between two looks for it.
  private static let interval: Int64 = 200_000_000
  /// Nanoseconds without sound after which it is reopened.
  private static let patience: Int64 = 5_000_000_000

  init(_ microphone: any Microphone, _ state: SessionState) {
    self.microphone = microphone
    self.state = state
  }

  var isAway: Bool { away != nil }

  /// - Throws: any error that is not a failure of a live device.
  mutating func start() throws(CamrecError) {
    do throws(CamrecError) {
      try microphone.start()
    } catch {
      // The microphone of the previous film may have come back with the camera, under another name.
      hasReturned = !microphone.isPulled && (try? microphone.reopen()) != nil
      if !hasReturned { try lose(error) }
    }
  }

  /// Like `Microphone.read`; delivers nothing while the microphone is away.
  mutating func read(into block: inout AudioBuffer) throws(CamrecError) -> Bool {
    if away != nil || isStalled {
      (block.count, block.lostBefore) = (0, 0)
      lookForIt()
      if away != nil { WorkThread.sleep(.milliseconds(10)) }
      return true
    }
    do throws(CamrecError) {
      let goesOn = try microphone.read(into: &block)
      if block.count > 0 { lastSound = .now() }
      return goesOn
    } catch {
      (block.count, block.lostBefore) = (0, 0)
      try lose(error)
      return true
    }
  }

  private var isStalled: Bool {
    !microphone.isPulled && MonotonicTime.now() - max(lastSound, lastTry) > MicrophoneLine.patience
  }

  private mutating func lose(_ error: CamrecError) throws(CamrecError) {
    guard !microphone.isPulled, error.code == .device else { throw error }
    // The picture continues without sound: in a rig, a film without sound is better than none.
    state.warn("\(error.description); recording silence until it is back")
    state.soundFailed(error)
    away = .now()
    lastTry = .now()
  }

  private mutating func lookForIt() {
    let now = MonotonicTime.now()
    guard now - lastTry > MicrophoneLine.interval else { return }
    // Read before the look: a microphone that is back by then may have sound of a later picture.
    let picture = state.lastSeconds
    do throws(CamrecError) {
      try microphone.reopen()
    } catch {
      if away == nil {
        state.warn("\(error.description); recording silence until it is back")
        state.soundFailed(error)
        away = now
      }
      missingTo = picture
      lastTry = .now()
      return
    }
    if let away {
      let seconds = Double((now - away) / 100_000_000) / 10
      state.warn("\(microphone.name) is back after \(seconds) s")
      state.soundReturned()
    }
    (away, missingTo) = (nil, nil)
    lastTry = .now()
    lastSound = .now()
  }
}

import Audio
import Frames

/// A live microphone that may go away and come back: nothing comes meanwhile, and it is looked for five times a second.
/// One that falls silent is opened anew.
///
/// Thread: the sound thread.
struct MicrophoneLine {
  let microphone: any Microphone
  private let state: SessionState
  /// When it went away.
  private var away: MonotonicTime?
  /// It had been away when it was started.
  private(set) var hasReturned = false
  private var lastTry = MonotonicTime.now()
  private var lastSound = MonotonicTime.now()

  /// Nanoseconds from one look for it to the next.
  private static let interval: Int64 = 200_000_000
  /// Nanoseconds without sound after which it is opened anew.
  private static let patience: Int64 = 5_000_000_000

  init(_ microphone: any Microphone, _ state: SessionState) {
    self.microphone = microphone
    self.state = state
  }

  var isAway: Bool { away != nil }

  /// - Throws: what is no live device's failure.
  mutating func start() throws(CamrecError) {
    do throws(CamrecError) {
      try microphone.start()
    } catch {
      // What the film before opened may have come back with the camera, under another name.
      hasReturned = !microphone.isPulled && (try? microphone.reopen()) != nil
      if !hasReturned { try lose(error) }
    }
  }

  /// As `Microphone.read`; while it is away nothing comes.
  mutating func read(into block: inout AudioBuffer) throws(CamrecError) -> Bool {
    if away != nil || isStalled {
      block.count = 0
      lookForIt()
      if away != nil { WorkThread.sleep(.milliseconds(10)) }
      return true
    }
    do throws(CamrecError) {
      let goesOn = try microphone.read(into: &block)
      if block.count > 0 { lastSound = .now() }
      return goesOn
    } catch {
      block.count = 0
      try lose(error)
      return true
    }
  }

  private var isStalled: Bool {
    !microphone.isPulled && MonotonicTime.now() - max(lastSound, lastTry) > MicrophoneLine.patience
  }

  private mutating func lose(_ error: CamrecError) throws(CamrecError) {
    guard !microphone.isPulled, error.code == .device else { throw error }
    // Picture goes on without sound: a rig's film is worth more than its end.
    state.warn("\(error.description); silence stands for its sound until it comes back")
    state.soundFailed(error)
    away = .now()
    lastTry = .now()
  }

  private mutating func lookForIt() {
    let now = MonotonicTime.now()
    guard now - lastTry > MicrophoneLine.interval else { return }
    do throws(CamrecError) {
      try microphone.reopen()
    } catch {
      if away == nil {
        state.warn("\(error.description); silence stands for its sound until it comes back")
        state.soundFailed(error)
        away = now
      }
      lastTry = .now()
      return
    }
    if let away {
      let seconds = Double((now - away) / 100_000_000) / 10
      state.warn("\(microphone.name) is back after \(seconds) s")
      state.soundReturned()
    }
    away = nil
    lastTry = .now()
    lastSound = .now()
  }
}

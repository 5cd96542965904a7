import Cameras
import Frames
import Platform
package import Recorder
package import RecorderAPI
import Synchronization
package import Triggers

/// A light that shows whether a film is being recorded, on a thread of its own. A fault is reported once, and nothing
/// waits for the light.
///
/// Thread: any.
package final class RecordingLight: Sendable {
  private let isClosed = Atomic<Bool>(false)
  private let ended = MonotonicSemaphore()

  /// A fifth of the shortest blink.
  private static let beat = Duration.milliseconds(30)
  /// Seconds to wait for its end.
  private static let farewell = 1.0
  /// Nanoseconds from a failure to the next attempt.
  private static let patience: Int64 = 10_000_000_000

  package init(
    _ choice: LightChoice, _ pattern: LightPattern, of recorder: RecorderService,
    warn: @escaping @Sendable (String) -> Void
  ) {
    _ = WorkThread(name: "camrec-light") { [self] in
      var lamp = Lamp(choice, recorder, warn)
      var sign = LightPattern.Sign.off, since = MonotonicTime.now()
      while !isClosed.load(ordering: .acquiring) {
        let now = MonotonicTime.now(), state = recorder.ownState
        let wanted = RecordingLight.sign(of: state, isFinishing: recorder.isFinishing)
        if wanted != sign { (sign, since) = (wanted, now) }
        lamp.shine(pattern.isLit(sign, for: now - since), now)
        WorkThread.sleep(RecordingLight.beat)
      }
      lamp.close()
      ended.signal()
    }
  }

  /// Switches it off, or back to how it was found. Does not wait for a light that does not answer.
  package func close() {
    isClosed.store(true, ordering: .releasing)
    ended.wait(within: RecordingLight.farewell)
  }

  /// - Parameter isFinishing: a film has all its frames, and is not finished yet.
  package static func sign(of state: RecorderState, isFinishing: Bool) -> LightPattern.Sign {
    switch state.phase {
    case .recording, .stopping: .steady
    case .waiting: .fault
    case .standby: [state.failure, state.startFailure, state.cameraFailure].allSatisfy { $0 == nil } ? .off : .fault
    // The film before, where another rate, format or camera begins another film.
    case .starting: isFinishing ? .steady : .off
    case .ended: .off
    }
  }

  /// The LED or torch behind the light.
  private struct Lamp {
    private let choice: LightChoice
    private let recorder: RecorderService
    private let warn: @Sendable (String) -> Void
    private var led: LEDFolder?
    private var isLit: Bool?
    private var hasWarned = false
    private var nextAttempt = MonotonicTime(nanoseconds: 0)

    init(_ choice: LightChoice, _ recorder: RecorderService, _ warn: @escaping @Sendable (String) -> Void) {
      self.choice = choice
      self.recorder = recorder
      self.warn = warn
    }

    mutating func shine(_ shines: Bool, _ now: MonotonicTime) {
      guard shines != isLit, now >= nextAttempt else { return }
      do throws(CamrecError) {
        switch choice.lamp {
        case .led(let folder):
          if led == nil { led = try LEDFolder(path: folder, percent: choice.percent, folder: StateFolder.path) }
          try led?.set(shines)
        case .torch:
          // A closed camera has no torch; try again.
          if try !recorder.torch(percent: shines ? choice.percent : 0), shines { return }
        }
        isLit = shines
      } catch {
        nextAttempt = now.advanced(by: RecordingLight.patience)
        led = nil
        if !hasWarned { warn("\(error.description); the recording continues without its light") }
        hasWarned = true
      }
    }

    mutating func close() {
      led?.restore()
      if case .torch = choice.lamp, isLit == true { _ = try? recorder.torch(percent: 0) }
    }
  }
}

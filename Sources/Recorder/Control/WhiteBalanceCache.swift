package import Cameras
package import Frames
import Platform
import Synchronization

/// The white balance that a camera reported last, so that nobody who asks for the state waits for the camera.
///
/// It is read when the camera is opened and whenever a command sets a control. Other programs and the camera itself may
/// change it, too: asking for it has it read again in the background, at most once a second.
///
/// Thread: any.
package final class WhiteBalanceCache: Sendable {
  package struct Reading: Hashable, Sendable {
    /// Kelvin, or `auto`; `nil` if the camera does not tell.
    package var value: String?
    package var time: MonotonicTime
    /// The number of the look at the camera that has found it.
    var number: Int
  }

  private struct State {
    var readings: [ObjectIdentifier: Reading] = [:]
    /// Cameras that are being asked in the background.
    var asked: Set<ObjectIdentifier> = []
    /// Looks begun.
    var looks = 0
  }

  private let state = Mutex(State())
  /// Nanoseconds after which a reading is renewed when somebody asks for it.
  private let lifetime: Int64

  /// Readings to keep: that of the present camera and of those that it follows.
  private static let places = 4

  package init(lifetime: Int64 = 1_000_000_000) { self.lifetime = lifetime }

  /// Asks the camera, and waits for it.
  package func read(_ controls: any CameraControls) {
    let number = state.withLock { state in
      state.looks += 1
      return state.looks
    }
    let value = CameraSettings.whiteBalance(controls), camera = ObjectIdentifier(controls)
    state.withLock { state in
      // A look that began later knows better.
      if let other = state.readings[camera], other.number > number { return }
      state.readings[camera] = Reading(value: value, time: .now(), number: number)
      guard state.readings.count > WhiteBalanceCache.places else { return }
      if let oldest = state.readings.min(by: { $0.value.number < $1.value.number }) {
        state.readings[oldest.key] = nil
      }
    }
  }

  /// The last reading; does not wait.
  ///
  /// - Returns: `nil` if the camera was never asked.
  package func reading(of controls: any CameraControls) -> Reading? {
    let camera = ObjectIdentifier(controls), now = MonotonicTime.now()
    let (reading, isDue) = state.withLock { state in
      let reading = state.readings[camera]
      let isDue = reading.map { now - $0.time >= lifetime } ?? true
      return (reading, isDue && state.asked.insert(camera).inserted)
    }
    if isDue {
      _ = WorkThread(name: "camrec-balance") { [self] in
        read(controls)
        state.withLock { _ = $0.asked.remove(camera) }
      }
    }
    return reading
  }
}

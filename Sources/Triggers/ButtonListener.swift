public import Frames
import Platform
import Synchronization

/// Listens to a button on its own thread. If the device goes away, waits until it is back.
///
/// Thread: any; the closures are called on the listener's.
public final class ButtonListener: Sendable {
  private let choice: ButtonChoice
  private let debounce: Int64
  private let grabs: Bool
  private let pressed: @Sendable () -> Void
  private let warn: @Sendable (String) -> Void
  private let isClosed = Atomic<Bool>(false)
  private let thread = Mutex<WorkThread?>(nil)

  /// Milliseconds between two looks for work, and between two looks for a missing device.
  private static let beat: Int32 = 100
  private static let absence = 1000

  /// - Parameters:
  ///   - debounce: nanoseconds for which the button must be down.
  ///   - grabs: whether to keep the device's events from other programs.
  ///   - pressed: called for each press. May take its time: later presses wait in the kernel.
  ///   - warn: called with a sentence once when the device is missing, and once when it is back.
  public init(
    _ choice: ButtonChoice, debounce: Int64, grabs: Bool, pressed: @escaping @Sendable () -> Void,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.choice = choice
    self.debounce = debounce
    self.grabs = grabs
    self.pressed = pressed
    self.warn = warn
    thread.withLock { $0 = WorkThread(name: "camrec-button") { [self] in run() } }
  }

  /// Opens the device and closes it again.
  ///
  /// - Throws: code `device` if it is missing, cannot be read or has no such key.
  public static func check(_ choice: ButtonChoice) throws(CamrecError) {
    _ = try InputDevice(path: choice.device, code: choice.code, grabs: false)
  }

  /// Stops listening; does not wait.
  public func close() { isClosed.store(true, ordering: .releasing) }

  private var isOver: Bool { isClosed.load(ordering: .acquiring) }

  private func run() {
    var hasWarned = false
    while !isOver {
      do throws(CamrecError) {
        let device = try InputDevice(path: choice.device, code: choice.code, grabs: grabs)
        if hasWarned { warn("the button \(choice) is back") }
        hasWarned = false
        listen(to: device)
        guard !isOver else { return }
        hasWarned = true
        warn("the button \(choice) is gone; waiting for it to come back")
      } catch {
        if !hasWarned { warn("\(error.description); waiting for the button \(choice)") }
        hasWarned = true
      }
      var waited = 0
      while waited < ButtonListener.absence, !isOver {
        WorkThread.sleep(.milliseconds(ButtonListener.beat))
        waited += Int(ButtonListener.beat)
      }
    }
  }

  private func listen(to device: InputDevice) {
    var button = ButtonDebounce(time: debounce)
    while !isOver {
      let now = MonotonicTime.now().nanoseconds
      let wait = button.due.map { max(0, $0 - now) / 1_000_000 + 1 } ?? Int64(ButtonListener.beat)
      device.wait(milliseconds: Int32(min(wait, Int64(ButtonListener.beat))))
      guard case .events(let events) = device.read() else { return }
      for event in events {
        if event.kind == .lost { button.reset() }
        guard event.kind == .key, event.code == choice.code else { continue }
        let time = device.isStamped ? event.time : MonotonicTime.now().nanoseconds
        if button.changed(event.value, at: time) { pressed() }
      }
      if button.passed(to: MonotonicTime.now().nanoseconds) { pressed() }
    }
  }
}

import Synchronization

/// Wakes those who tell others of a recorder's changes: a command was carried out, a film began or ended.
///
/// Counters and levels change without it.
///
/// Thread: any.
public final class ChangeBell: Sendable {
  private struct State {
    var listeners: [Int: @Sendable () -> Void] = [:]
    var given = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// - Parameter listener: called on the thread that has changed something, so it must not wait for anything.
  /// - Returns: the number with which to remove it.
  public func add(_ listener: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.given += 1
      state.listeners[state.given] = listener
      return state.given
    }
  }

  public func remove(_ number: Int) { state.withLock { $0.listeners[number] = nil } }

  /// Calls all listeners.
  public func ring() {
    let listeners = state.withLock { Array($0.listeners.values) }
    listeners.forEach { $0() }
  }
}

/// Turns the events of a key into presses: a press counts when the key has been down for a while without bouncing.
/// Repeats do not count. A value that uses no clock and no device.
public struct ButtonDebounce: Hashable, Sendable {
  /// How long the key must be down, in nanoseconds.
  public let time: Int64
  private var isDown = false
  private var hasCounted = false
  private var lastChange: Int64 = 0

  public init(time: Int64) { self.time = time }

  /// Notes that the key was released (0), pressed (1) or repeats (2), at a time in nanoseconds.
  ///
  /// - Returns: whether a press had become due before that and was not reported yet.
  public mutating func changed(_ value: Int32, at now: Int64) -> Bool {
    guard value == 0 || value == 1 else { return false }
    let isDue = isDue(at: now)
    if isDue { hasCounted = true }
    // A bounce on release is not a new press: the key has to rest first.
    if value == 1, !isDown, now - lastChange >= time { hasCounted = false }
    isDown = value == 1
    lastChange = now
    return isDue
  }

  /// When the current press will count if nothing changes; `nil` if there is none.
  public var due: Int64? { isDown && !hasCounted ? lastChange + time : nil }

  /// Notes that time has passed.
  ///
  /// - Returns: whether a press counts now; true once for each press.
  public mutating func passed(to now: Int64) -> Bool {
    guard isDue(at: now) else { return false }
    hasCounted = true
    return true
  }

  /// Starts over after the device has gone away or has lost events.
  public mutating func reset() { (isDown, hasCounted) = (false, false) }

  private func isDue(at now: Int64) -> Bool { due.map { now >= $0 } ?? false }
}

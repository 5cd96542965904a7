/// Makes presses of what a key says: it counts when it has been down for a while without bouncing. Repeats are no
/// presses. A value without clock or device of its own.
public struct ButtonDebounce: Hashable, Sendable {
  /// Nanoseconds.
  public let time: Int64
  private var isDown = false
  private var hasCounted = false
  private var lastChange: Int64 = 0

  public init(time: Int64) { self.time = time }

  /// The key was let go (0), pressed (1) or repeats itself (2), at a time in nanoseconds.
  ///
  /// - Returns: whether it had counted before that, and nobody has asked yet.
  public mutating func changed(_ value: Int32, at now: Int64) -> Bool {
    guard value == 0 || value == 1 else { return false }
    let isDue = isDue(at: now)
    if isDue { hasCounted = true }
    // One that bounces while it is let go does not count again: it has to rest first.
    if value == 1, !isDown, now - lastChange >= time { hasCounted = false }
    isDown = value == 1
    lastChange = now
    return isDue
  }

  /// When a press is going to count, if nothing changes; `nil` where none is on its way.
  public var due: Int64? { isDown && !hasCounted ? lastChange + time : nil }

  /// Time has passed.
  ///
  /// - Returns: whether a press counts now; once for each.
  public mutating func passed(to now: Int64) -> Bool {
    guard isDue(at: now) else { return false }
    hasCounted = true
    return true
  }

  /// The device is gone, or has lost what happened.
  public mutating func reset() { (isDown, hasCounted) = (false, false) }

  private func isDue(at now: Int64) -> Bool { due.map { now >= $0 } ?? false }
}

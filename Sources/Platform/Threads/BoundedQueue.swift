import Frames

/// A first-in, first-out queue between threads with a fixed number of places, allocated once.
///
/// Thread: any. Closing wakes every waiter: pushes are refused from then on, pops drain what is left.
///
/// `@unchecked Sendable`: `ring` and `closed` are touched only while `condition` is locked.
public final class BoundedQueue<Element: ~Copyable & Sendable>: @unchecked Sendable {
  private let condition = MonotonicCondition()
  private var ring: FixedRing<Element>
  private var closed = false

  /// - Parameter capacity: places, at least 1.
  public init(capacity: Int) { ring = FixedRing(capacity: capacity) }

  /// Adds `element` if there is room now. Returns it if the queue is full or closed.
  public func offer(_ element: consuming Element) -> Element? {
    condition.lock()
    defer { condition.unlock() }
    guard !closed, !ring.isFull else { return element }
    ring.append(element)
    condition.broadcast()
    return nil
  }

  /// Waits for room and adds `element`. Returns it if the queue is closed.
  public func push(_ element: consuming Element) -> Element? {
    condition.lock()
    defer { condition.unlock() }
    while ring.isFull, !closed { condition.wait() }
    guard !closed else { return element }
    ring.append(element)
    condition.broadcast()
    return nil
  }

  /// Waits for an element; `nil` once the queue is closed and drained.
  public func pop() -> Element? {
    condition.lock()
    defer { condition.unlock() }
    while ring.isEmpty, !closed { condition.wait() }
    let element = ring.popFirst()
    condition.broadcast()
    return element
  }

  /// The first element if there is one now.
  public func poll() -> Element? {
    condition.lock()
    defer { condition.unlock() }
    let element = ring.popFirst()
    condition.broadcast()
    return element
  }

  /// Refuses pushes from now on and wakes all waiters. A second call does nothing.
  public func close() {
    condition.lock()
    closed = true
    condition.broadcast()
    condition.unlock()
  }

  /// Elements inside at this moment.
  public var depth: Int {
    condition.lock()
    defer { condition.unlock() }
    return ring.count
  }
}

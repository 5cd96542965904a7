import Foundation

/// A first-in, first-out queue between two threads with a fixed number of places, allocated once.
///
/// Thread: any. Closing wakes every waiter: pushes are refused from then on, pops drain what is left.
///
/// `@unchecked Sendable`: every stored `var` is touched only while `condition` is locked.
@safe public final class BoundedQueue<Element: ~Copyable & Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let slots: UnsafeMutablePointer<Element>
  public let capacity: Int
  private var head = 0
  private var count = 0
  private var closed = false

  /// - Parameter capacity: places, at least 1.
  public init(capacity: Int) {
    precondition(capacity >= 1, "a queue has at least one place")
    self.capacity = capacity
    unsafe slots = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
  }

  deinit {
    while count > 0 { discardFirst() }
    unsafe slots.deallocate()
  }

  /// Puts `element` in if there is a place now. Gives it back when the queue is full or closed.
  public func offer(_ element: consuming Element) -> Element? {
    condition.lock()
    defer { condition.unlock() }
    guard !closed, count < capacity else { return element }
    append(element)
    return nil
  }

  /// Waits for a place and puts `element` in. Gives it back when the queue is closed.
  public func push(_ element: consuming Element) -> Element? {
    condition.lock()
    defer { condition.unlock() }
    while count == capacity, !closed { condition.wait() }
    guard !closed else { return element }
    append(element)
    return nil
  }

  /// Waits for an element; `nil` once the queue is closed and drained.
  public func pop() -> Element? {
    condition.lock()
    defer { condition.unlock() }
    while count == 0, !closed { condition.wait() }
    guard count > 0 else { return nil }
    return removeFirst()
  }

  /// The first element if there is one now.
  public func poll() -> Element? {
    condition.lock()
    defer { condition.unlock() }
    return count > 0 ? removeFirst() : nil
  }

  /// Refuses pushes from now on and wakes all waiters. Closing twice is closing once.
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
    return count
  }

  private func append(_ element: consuming Element) {
    unsafe (slots + (head + count) % capacity).initialize(to: element)
    count += 1
    condition.broadcast()
  }

  private func removeFirst() -> Element {
    let element = unsafe (slots + head).move()
    head = (head + 1) % capacity
    count -= 1
    condition.broadcast()
    return element
  }

  private func discardFirst() { _ = removeFirst() }
}

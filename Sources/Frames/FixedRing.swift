/// A first-in, first-out store with a fixed number of places, allocated once. It does not lock; `BoundedQueue` does.
@safe public struct FixedRing<Element: ~Copyable>: ~Copyable {
  private let slots: UnsafeMutablePointer<Element>
  public let capacity: Int
  public private(set) var count = 0
  private var head = 0

  /// - Parameter capacity: places, at least 1.
  public init(capacity: Int) {
    precondition(capacity >= 1, "a ring has at least one place")
    self.capacity = capacity
    unsafe slots = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
  }

  deinit {
    for index in 0..<count { unsafe (slots + (head + index) % capacity).deinitialize(count: 1) }
    unsafe slots.deallocate()
  }

  public var isFull: Bool { count == capacity }
  public var isEmpty: Bool { count == 0 }

  /// - Precondition: not full.
  public mutating func append(_ element: consuming Element) {
    precondition(!isFull, "the ring has a free place")
    unsafe (slots + (head + count) % capacity).initialize(to: element)
    count += 1
  }

  /// The oldest element, or `nil`.
  public mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = unsafe (slots + head).move()
    head = (head + 1) % capacity
    count -= 1
    return element
  }

  /// The result of `body` for the oldest element, or `nil` if there is none.
  public borrowing func withFirst<R>(_ body: (borrowing Element) -> R) -> R? {
    guard count > 0 else { return nil }
    return unsafe body(slots[head])
  }
}

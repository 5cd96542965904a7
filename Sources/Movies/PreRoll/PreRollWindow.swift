/// Which groups of pictures a pre-roll keeps: as many as reach back by its length, counted from the newest picture, and
/// the one in which that point lies. A value without clock or memory of its own.
public struct PreRollWindow: Hashable, Sendable {
  /// In ticks.
  private let length: Int64
  /// The times of the pictures with which a film can begin, in order.
  private var keys: [Int64] = []
  /// Age is no reason to forget anything.
  public var keepsAll = false

  public init(length: Int64) { self.length = length }

  /// A picture with which a film can begin is there.
  public mutating func add(keyAt time: Int64) { keys.append(time) }

  /// The oldest picture that is there.
  public var begin: Int64? { keys.first }

  /// Whether the oldest group lies altogether in front of what is to be kept.
  public func isOld(at newest: Int64) -> Bool { !keepsAll && keys.count > 1 && keys[1] <= newest - length }

  /// The oldest group goes.
  ///
  /// - Returns: where what is left begins; `nil` where that is unknown, since no other group has begun.
  public mutating func forgetFirst() -> Int64? {
    if !keys.isEmpty { keys.removeFirst() }
    return keys.first
  }

  /// As `PreRoll.start`.
  public func start(for time: Int64) -> Int64? { keys.last { $0 <= time } ?? keys.first }

  /// What lies in front of `time` goes.
  public mutating func forget(before time: Int64) { keys.removeAll { $0 < time } }
}

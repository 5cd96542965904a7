/// Which groups of pictures a pre-roll keeps: all that begin within its length before the newest frame, and the group
/// in which that span begins. A value without clock or memory of its own.
public struct PreRollWindow: Hashable, Sendable {
  /// In ticks.
  private let length: Int64
  /// The times of the frames with which a film can begin, in order.
  private var keys: [Int64] = []
  /// Nothing is forgotten because of its age.
  public var keepsAll = false

  public init(length: Int64) { self.length = length }

  /// Adds a frame with which a film can begin.
  public mutating func add(keyAt time: Int64) { keys.append(time) }

  /// The time of the oldest frame kept.
  public var begin: Int64? { keys.first }

  /// Whether the whole oldest group is older than what has to be kept.
  public func isOld(at newest: Int64) -> Bool { !keepsAll && keys.count > 1 && keys[1] <= newest - length }

  /// Drops the oldest group.
  ///
  /// - Returns: where the rest begins; `nil` while no other group has begun.
  public mutating func forgetFirst() -> Int64? {
    if !keys.isEmpty { keys.removeFirst() }
    return keys.first
  }

  /// As `PreRoll.start`.
  public func start(for time: Int64) -> Int64? { keys.last { $0 <= time } ?? keys.first }

  /// Drops everything before `time`.
  public mutating func forget(before time: Int64) { keys.removeAll { $0 < time } }
}

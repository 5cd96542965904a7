/// Extends a driver's 32-bit frame count to 64 bits. The result begins at 0 and always rises.
///
/// Drivers need not begin at 0, and wrap around after 2³² frames. A count that stands still or jumps back says nothing
/// about lost frames: the result then rises by one, or after a `gap` by its step.
package struct SequenceCounter: Hashable, Sendable {
  private var last: UInt32?
  private var count: UInt64 = 0

  package init() {}

  /// The driver restarts its count; the next frame comes `step` frames after the last one.
  package mutating func gap(_ step: UInt64) {
    guard last != nil else { return }
    last = nil
    count += max(1, step)
  }

  package mutating func next(_ sequence: UInt32) -> UInt64 {
    defer { last = sequence }
    guard let last else { return count }
    let step = sequence &- last
    count += (1...UInt32(Int32.max)).contains(step) ? UInt64(step) : 1
    return count
  }
}

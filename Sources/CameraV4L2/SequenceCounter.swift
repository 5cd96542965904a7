/// Makes a driver's 32-bit count of frames one of 64 bits that begins at 0 and always rises.
///
/// Drivers need not begin at 0, and wrap around after 2³² frames. One whose count stands still or jumps back says
/// nothing about lost frames: it counts on by one, and behind a `gap` by what is said there.
package struct SequenceCounter: Hashable, Sendable {
  private var last: UInt32?
  private var count: UInt64 = 0

  package init() {}

  /// The driver counts anew; the next frame is the `step`th behind the last one.
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

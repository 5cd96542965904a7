import Foundation
import Frames
import Platform

/// The threads that finish files, in order, and their number. Thread: any.
///
/// `@unchecked Sendable`: every `var` is touched only while `condition` is locked.
final class SegmentFinishes: @unchecked Sendable {
  private let condition = NSCondition()
  private var underway = 0
  private var last: WorkThread?

  var count: Int {
    condition.lock()
    defer { condition.unlock() }
    return underway
  }

  func begin(_ work: @escaping @Sendable () -> Void) {
    condition.lock()
    defer { condition.unlock() }
    underway += 1
    let before = last
    last = WorkThread(name: "camrec-finish") {
      before?.join()
      work()
      self.condition.lock()
      self.underway -= 1
      self.condition.broadcast()
      if self.underway == 0 { self.last = nil }
      self.condition.unlock()
    }
  }

  /// Waits until no more than `most` are left.
  func wait(forAtMost most: Int) {
    condition.lock()
    while underway > most { condition.wait() }
    condition.unlock()
  }
}

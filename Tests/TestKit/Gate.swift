import Foundation

/// Something that lets pass or keeps waiting: a disk that takes nothing, until a test says so.
///
/// `@unchecked Sendable`: every `var` is touched only while `condition` is locked.
package final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpen = true
  private var waiting = 0

  package init() {}

  package func close() { set(false) }
  package func open() { set(true) }

  /// Waits while it is closed. Any thread.
  package func pass() {
    condition.lock()
    waiting += 1
    condition.broadcast()
    while !isOpen { condition.wait() }
    waiting -= 1
    condition.unlock()
  }

  /// Waits until somebody waits.
  package func awaitSomebody() {
    condition.lock()
    while waiting == 0 || isOpen { condition.wait() }
    condition.unlock()
  }

  private func set(_ open: Bool) {
    condition.lock()
    isOpen = open
    condition.broadcast()
    condition.unlock()
  }
}

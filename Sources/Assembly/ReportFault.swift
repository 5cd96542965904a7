package import Frames

/// When to say that a report cannot be written, and that it is written again. A value without a clock.
package struct ReportFault {
  private var isSaid = false
  /// Since when it has been written without a fault.
  private var wellSince: MonotonicTime?

  /// Nanoseconds without a fault after which one is over: a disk may be full and not by turns.
  private static let calm: Int64 = 5_000_000_000

  package init() {}

  /// - Returns: whether to say so.
  package mutating func failed() -> Bool {
    defer { (isSaid, wellSince) = (true, nil) }
    return !isSaid
  }

  /// - Returns: whether to say that it is written again.
  package mutating func succeeded(at now: MonotonicTime) -> Bool {
    guard isSaid else { return false }
    let since = wellSince ?? now
    wellSince = since
    guard now - since >= ReportFault.calm else { return false }
    (isSaid, wellSince) = (false, nil)
    return true
  }
}

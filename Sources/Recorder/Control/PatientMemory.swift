import Frames

/// Keeps settings on a thread of its own, so that a disk that does not answer keeps nobody from a recorder's control.
/// What comes meanwhile waits, and only the newest of it is kept.
///
/// Thread: any.
///
/// `@unchecked Sendable`: every `var` is touched only while `condition` is locked.
final class PatientMemory: @unchecked Sendable {
  private struct Change {
    let settings: RecorderSettings?
    let number: Int
  }

  private let memory: any RecorderMemory
  private let condition = MonotonicCondition()
  private var waiting: Change?
  private var isKeeping = false
  private var newest = 0
  /// Up to which change all are kept, or have failed, and how the last one of them failed.
  private var kept = 0
  private var failure: CamrecError?

  /// Nanoseconds that whoever changes a setting waits for the disk.
  private static let patience: Int64 = 2_000_000_000

  init(_ memory: any RecorderMemory) { self.memory = memory }

  /// - Throws: as `RecorderMemory.keep`; code `output` as well where that takes longer than two seconds.
  func keep(_ settings: RecorderSettings?) throws(CamrecError) {
    condition.lock()
    defer { condition.unlock() }
    newest += 1
    let own = newest, end = MonotonicTime.now().advanced(by: PatientMemory.patience)
    waiting = Change(settings: settings, number: own)
    if !isKeeping {
      isKeeping = true
      _ = WorkThread(name: "camrec-settings") { [self] in run() }
    }
    while kept < own, condition.wait(until: end) {}
    guard kept >= own else {
      throw CamrecError(
        .output, "the disk of the settings file does not answer; this setting is in force, and is kept for the next "
          + "start once the disk answers")
    }
    if let failure { throw failure }
  }

  private func run() {
    condition.lock()
    defer { condition.unlock() }
    while let change = waiting {
      waiting = nil
      condition.unlock()
      var problem: CamrecError?
      do throws(CamrecError) { try memory.keep(change.settings) } catch { problem = error }
      condition.lock()
      (kept, failure) = (change.number, problem)
      condition.broadcast()
    }
    isKeeping = false
  }
}

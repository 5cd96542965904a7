import Frames
import Platform

/// Saves settings on a separate thread, so that a disk that does not answer does not block the control of a recorder.
/// Changes that arrive meanwhile wait, and only the newest is saved.
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
  /// All changes up to this number were saved, or have failed.
  private var kept = 0
  /// How the last of these failed.
  private var failure: CamrecError?

  /// Nanoseconds that a change of a setting waits for the disk.
  private static let patience: Int64 = 2_000_000_000

  init(_ memory: any RecorderMemory) { self.memory = memory }

  var startExposure: ExposureOptions { memory.startExposure }

  /// - Throws: the errors of `RecorderMemory.keep`; also code `output` if that takes longer than two seconds.
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
        .output, "the disk of the settings file does not answer; the setting applies now, and is saved once the disk "
          + "answers")
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

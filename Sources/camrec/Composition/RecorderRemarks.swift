import Logging
import Recorder
import Synchronization

/// Brings what is said beside a recording to whoever is told of it: by the recorder while it runs, and by itself when it
/// has ended. Thread: any.
final class RecorderRemarks: Sendable {
  private let log: Logger?
  private let recorder = Mutex<RecorderService?>(nil)

  /// - Parameter log: `nil` where people are told.
  init(log: Logger?) { self.log = log }

  func begin(with recorder: RecorderService) { self.recorder.withLock { $0 = recorder } }
  func end() { recorder.withLock { $0 = nil } }

  var say: @Sendable (SessionRemark) -> Void {
    { [self] remark in
      if let recorder = recorder.withLock({ $0 }) { return recorder.remark(remark) }
      guard let log else { return HumanText.write((remark.isWarning ? "Warning: " : "") + remark.sentence + "\n") }
      let facts = Logger.Metadata(uniqueKeysWithValues: remark.facts.map { ($0.key, "\($0.value)") })
      log.log(level: remark.isWarning ? .warning : .notice, "\(remark.sentence)", metadata: facts)
    }
  }
}

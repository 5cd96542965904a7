import Frames
package import Logging
package import Recorder
package import Reporting
import Synchronization

/// Delivers remarks that do not come from the recording itself: through the recorder while it runs, and directly when
/// it has ended. Thread: any.
package final class RecorderRemarks: Sendable {
  private let log: Logger?
  private let json: Bool
  private let warnings: WarningCount?
  private let recorder = Mutex<RecorderService?>(nil)

  /// - Parameters:
  ///   - log: `nil` if remarks go to people, or to a program alone.
  ///   - json: whether remarks go to a program.
  ///   - warnings: counts the warnings that come after the recorder's end; the recorder's observer counts the others.
  package init(log: Logger?, json: Bool, counting warnings: WarningCount? = nil) {
    self.log = log
    self.json = json
    self.warnings = warnings
  }

  package func begin(with recorder: RecorderService) { self.recorder.withLock { $0 = recorder } }

  /// Call when the recorder has ended. Delivers the remarks that reached it too late.
  package func end() {
    let late = recorder.withLock { recorder in
      defer { recorder = nil }
      return recorder?.takeRemarks() ?? []
    }
    late.forEach(tellLate)
  }

  private func tellLate(_ remark: SessionRemark) {
    if remark.isWarning { warnings?.add() }
    tell(remark)
  }

  package var say: @Sendable (SessionRemark) -> Void {
    { [self] remark in
      let isRunning = recorder.withLock { recorder in
        recorder?.remark(remark)
        return recorder != nil
      }
      if !isRunning { tellLate(remark) }
    }
  }

  /// Delivers a sentence about camrec's sudden end. Errors reach people beside a program's events, too.
  ///
  /// - Parameter film: the unfinished film that the sentence names.
  package func endsAtOnce(_ sentence: String, film: String? = nil) {
    if log == nil { HumanText.write(sentence) }
    guard log != nil || json else { return }
    var facts = ["code": CamrecError.Code.interrupted.rawValue]
    facts["film"] = film
    tell(SessionRemark(sentence, facts: facts, isError: true))
  }

  /// Delivers a remark at once, past a recorder that may hang.
  package func tell(_ remark: SessionRemark) {
    if json { EventLine.write(RemarkEvent(remark)) }
    guard let log else {
      if json { return }
      if remark.isError { return HumanText.error(remark.message) }
      return remark.isWarning ? HumanText.warning(remark.message) : HumanText.write(remark.message + "\n")
    }
    let facts = Logger.Metadata(uniqueKeysWithValues: remark.facts.map { ($0.key, "\($0.value)") })
    let level: Logger.Level = remark.isError ? .error : remark.isWarning ? .warning : .notice
    log.log(level: level, "\(remark.message)", metadata: facts)
  }
}

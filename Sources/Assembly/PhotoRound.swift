import Foundation
import Frames
import Platform
package import Reporting
import Synchronization

/// Applies a look to photographs, some at the same time.
///
/// Thread: `run` is called once, on any.
package final class PhotoRound: Sendable {
  /// A photograph, and where the result goes.
  package struct Item: Hashable, Sendable {
    package let input: String
    package let output: String

    package init(input: String, output: String) {
      self.input = input
      self.output = output
    }
  }

  private let look: PhotoLook
  private let items: [Item]
  private let progress: WorkProgress
  private let signals: StopSignals
  /// Notes that were said. One about several photographs is said once.
  private let said = Mutex<Set<String>>([])

  package init(_ look: PhotoLook, _ items: [Item], signals: StopSignals) {
    self.look = look
    self.items = items
    self.signals = signals
    progress = WorkProgress("applying", "photographs", total: items.count)
  }

  /// - Returns: the worst status. A photograph that fails does not stop the others.
  package func run(jobs: Int) -> ExitStatus {
    let pool = WorkPool<ExitStatus, Never>(count: items.count, threads: jobs) { _ in "camrec-photo" }
    let outcomes = pool.run({ [self] (index) -> ExitStatus in
      let status = apply(items[index])
      if status == .interrupted { pool.stop() }
      return status
    })
    let statuses = outcomes.compactMap(\.self)
    progress.close()
    let status = ExitStatus.worst(of: statuses)
    if status == .interrupted {
      let written = statuses.count(where: { $0 == .success }), verb = written == 1 ? "is" : "are"
      HumanText.error(
        "stopped before the end: "
          + (items.count == 1
            ? "'\(items[0].output)' is not written" : "\(written) of \(items.count) photographs \(verb) written"))
    }
    return status
  }

  private func apply(_ item: Item) -> ExitStatus {
    if signals.haveCome { return .interrupted }
    do throws(CamrecError) {
      let notes = try look.apply(to: item.input, output: item.output) { signals.haveCome }
      for note in notes where said.withLock({ $0.insert(note).inserted }) { HumanText.say("Note: \(note)") }
    } catch {
      // It is said once for all.
      if error.code == .interrupted { return .interrupted }
      HumanText.error(error)
      progress.advance()
      return ExitStatus(error)
    }
    progress.advance()
    return .success
  }
}

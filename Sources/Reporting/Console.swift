package import Foundation
package import Frames
package import Platform
import Synchronization
import Terminal

/// camrec's output: standard error for people and the log, standard output for results.
///
/// Most commands wait for a slow reader; a recorder and a rig wait for nobody (`waitForNobody`). Thread: any.
package enum Console {
  package static let error = LineWriter(descriptor: 2, notice: notice)
  package static let output = LineWriter(descriptor: 1, notice: { EventLine.line(DroppedEvent(count: $0)) })

  /// Stands for lines that were dropped, for people.
  package static let notice: @Sendable (Int) -> String = { count in
    "\(count) line\(count == 1 ? " was" : "s were") left out here: nobody read \(count == 1 ? "it" : "them") in time"
  }

  /// Writes a result to standard output, for people. Makes control characters visible.
  package static func print(_ text: String) { output.write(VisibleText.lines(text)) }

  /// Writes a result to standard output, for programs: a JSON text on lines of its own.
  package static func print(json: Data) { output.write(VisibleText.json(String(decoding: json, as: UTF8.self))) }

  /// Whether the reader of standard output is gone for good.
  package static var isReaderGone: Bool { output.isReaderGone }

  /// Whether the reader of standard output has closed the pipe.
  package static var isPipeClosed: Bool { output.isPipeClosed }

  private static let isBeside = Atomic<Bool>(false)

  /// Checks that results could be written. Never throws after `waitForNobody`: a recording continues, whatever happens
  /// to its events.
  ///
  /// - Throws: code `output` if standard output could not be written, as on a full disk or to a closed pipe.
  package static func check() throws(CamrecError) {
    guard !isBeside.load(ordering: .relaxed), let number = output.failure else { return }
    throw CamrecError(.output, "cannot write to standard output", cause: SystemError.words(for: number))
  }

  package static func waitForNobody() {
    isBeside.store(true, ordering: .relaxed)
    error.waitForNobody()
    output.waitForNobody()
  }

  /// Seconds that the last lines of both streams together may take at the end of the process.
  private static let farewell = 2.0

  /// Call at the end of the process. Writes what is left, as far as somebody reads it.
  package static func finish() {
    error.finish(within: farewell / 2)
    output.finish(within: farewell / 2)
  }
}

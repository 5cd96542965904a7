import Foundation
import Frames
import Synchronization
import Terminal

/// Where camrec says something: standard error for people and the log, standard output for what was asked for.
///
/// Most commands wait for whoever reads; a recorder and a rig wait for nobody (`waitForNobody`). Thread: any.
enum Console {
  static let error = LineWriter(descriptor: 2, notice: notice)
  static let output = LineWriter(descriptor: 1, notice: { EventLine.line(DroppedEvent(count: $0)) })

  /// For people, in place of lines that did not fit.
  static let notice: @Sendable (Int) -> String = { count in
    "\(count) line\(count == 1 ? " was" : "s were") left out here: nobody read \(count == 1 ? "it" : "them") in time"
  }

  /// What was asked for, on standard output, for people: what a terminal would obey is shown.
  static func print(_ text: String) { output.write(VisibleText.lines(text)) }

  /// What was asked for, for programs: a JSON text on lines of its own.
  static func print(json: Data) { output.write(VisibleText.json(String(decoding: json, as: UTF8.self))) }

  /// Nobody will ever read standard output again.
  static var isReaderGone: Bool { output.isReaderGone }

  private static let isBeside = Atomic<Bool>(false)

  /// What was asked for could not be told. A recording is no such matter: it goes on, whatever becomes of its events.
  ///
  /// - Throws: code `output` where standard output could not be written, as on a full disk.
  static func check() throws(CamrecError) {
    guard !isBeside.load(ordering: .relaxed), let number = output.failure else { return }
    throw CamrecError(.output, "standard output cannot be written", cause: SystemError.words(for: number))
  }

  static func waitForNobody() {
    isBeside.store(true, ordering: .relaxed)
    error.waitForNobody()
    output.waitForNobody()
  }

  /// Seconds that the last lines may take at the end of the process: both streams together.
  private static let farewell = 2.0

  /// The process ends: says what has not been said, as far as somebody reads it.
  static func finish() {
    error.finish(within: farewell / 2)
    output.finish(within: farewell / 2)
  }
}

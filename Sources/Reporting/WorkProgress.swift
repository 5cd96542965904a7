import Foundation
package import Frames
import Platform
import Synchronization
package import Terminal

/// Shows the progress of long work: in a line that a terminal redraws, elsewhere in a line every ten seconds.
///
/// With `CAMREC_PROGRESS=none` it shows nothing. Thread: any; it writes on a thread of its own.
package final class WorkProgress: Sendable {
  private let work: String
  private let unit: String
  private let realTime: Double?
  /// What people count, if the pace is measured in something else.
  private let pieces: Mutex<(done: Int, total: Int)?>
  /// Held while something is written.
  private let pace: Mutex<WorkPace>
  private let closing = MonotonicSemaphore()
  private let thread = Mutex<WorkThread?>(nil)

  /// Between two lines on a terminal, and elsewhere.
  private static let beat = (terminal: 0.2, pipe: 10.0)
  private static var isWanted: Bool { ProcessInfo.processInfo.environment["CAMREC_PROGRESS"] != "none" }

  /// Its thread runs until `close`.
  ///
  /// - Parameters:
  ///   - work: what is done: `baking`.
  ///   - unit: what is counted: `frames`.
  ///   - total: how many there are; `nil` if unknown.
  ///   - realTime: how many a second play in real time; `nil` for what does not play.
  package convenience init(_ work: String, _ unit: String, total: Int?, realTime: Double? = nil) {
    self.init(work, unit, total: total, realTime: realTime, pieces: nil)
  }

  /// For pieces of different sizes; `measure(_:of:)` gives their size in all.
  package convenience init(_ work: String, _ unit: String, pieces: Int) {
    self.init(work, unit, total: nil, realTime: nil, pieces: (0, pieces))
  }

  private init(_ work: String, _ unit: String, total: Int?, realTime: Double?, pieces: (Int, Int)?) {
    self.work = work
    self.unit = unit
    self.realTime = realTime
    self.pieces = Mutex(pieces)
    pace = Mutex(WorkPace(total: total, at: .now()))
    guard WorkProgress.isWanted else { return }
    thread.withLock { $0 = WorkThread(name: "camrec-progress") { [self] in tell() } }
  }

  package func reach(_ done: Int) { pace.withLock { $0.reach(done, at: .now()) } }

  /// Sets the progress and the total.
  package func measure(_ done: Int, of total: Int) {
    pace.withLock {
      $0.expect(total)
      $0.reach(done, at: .now())
    }
  }

  /// Sets how many pieces are done.
  package func complete(pieces done: Int) { pieces.withLock { $0?.done = done } }

  /// Counts one more as done.
  package func advance() { pace.withLock { $0.reach($0.done + 1, at: .now()) } }

  /// Runs `body`, which writes to standard output, with the progress line cleared meanwhile.
  package func say(_ body: () -> Void) {
    pace.withLock { _ in
      Console.error.clearStatus()
      body()
    }
  }

  /// Ends the progress, and removes its line. May be called several times.
  package func close() {
    closing.signal()
    guard let running = thread.withLock({ $0.take() }) else { return }
    running.join()
    Console.error.clearStatus()
  }

  private func tell() {
    let redraws = Console.error.redraws
    while !closing.wait(within: redraws ? WorkProgress.beat.terminal : WorkProgress.beat.pipe) {
      pace.withLock { pace in
        if redraws {
          Console.error.show(status: line(pace, columns: Console.error.columns))
        } else {
          HumanText.write(line(pace, columns: .max) + "\n")
        }
      }
    }
  }

  /// As many parts as fit, in this order: `baking: 480 of 2400 frames (20 %)  20 s left  96.0 fps`.
  private func line(_ pace: WorkPace, columns: Int) -> String {
    let now = MonotonicTime.now(), reading = WorkReading(pace, realTime: realTime, at: now)
    let counted = pieces.withLock { $0 }
    let done = counted?.done ?? pace.done, total = counted.map(\.total) ?? pace.total
    var parts = [
      reading.isFinishing
        ? "\(work): \(done) \(unit), finishing"
        : "\(work): \(done)" + (total.map { " of \($0)" } ?? "") + " \(unit)"
          + (reading.percent.map { " (\(Int($0)) %)" } ?? "")
    ]
    if !reading.isFinishing {
      if let seconds = reading.secondsLeft { parts.append("\(HumanText.span(seconds)) left") }
      if let rate = reading.perSecond, unit == "frames" { parts.append("\(HumanText.fixed(rate, 1)) fps") }
      if let speed = reading.speed { parts.append("\(HumanText.fixed(speed, speed < 10 ? 2 : 0)) × real time") }
    }
    while parts.count > 1, parts.joined(separator: "  ").count >= columns { parts.removeLast() }
    return parts.joined(separator: "  ")
  }
}

/// The progress of long work at a moment.
package struct WorkReading {
  /// 0 to 100.
  package let percent: Double?
  package let perSecond: Double?
  /// As a multiple of real time.
  package let speed: Double?
  package let secondsLeft: Double?
  /// Everything is read, and the result is being put together, as by writing an index.
  package let isFinishing: Bool

  package init(_ pace: WorkPace, realTime: Double?, at time: MonotonicTime) {
    percent = pace.percent
    perSecond = pace.perSecond(at: time)
    speed = perSecond.flatMap { rate in realTime.flatMap { $0 > 0 ? rate / $0 : nil } }
    isFinishing = pace.isFinishing
    secondsLeft = isFinishing ? nil : pace.secondsLeft(at: time)
  }
}

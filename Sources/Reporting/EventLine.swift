import Foundation
import Frames
package import Platform
import Terminal

/// A line on standard output, for a program: one JSON object.
package enum EventLine {
  /// When an event was written.
  private struct Time: Encodable {
    /// Seconds on the kernel's `CLOCK_MONOTONIC`, which counts from the boot and is never set.
    let monotonic: Double
    /// The wall clock in UTC, ISO 8601.
    let wall: String

    init() {
      monotonic = Double(MonotonicTime.now().nanoseconds / 1000) / 1e6
      wall = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
  }

  /// An event with its time beside its own members.
  private struct Timed<Event: Encodable>: Encodable {
    let event: Event
    let time: Time

    private enum CodingKeys: CodingKey { case time }

    func encode(to encoder: any Encoder) throws {
      try event.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(time, forKey: .time)
    }
  }

  /// The event with the time of this moment.
  package static func timed(_ event: some Encodable) -> some Encodable { Timed(event: event, time: Time()) }

  /// Writes an event. Thread: any. One call writes the line, so that no other line gets into it.
  ///
  /// - Parameter weight: routine events, which soon come again, are dropped first if nobody reads.
  package static func write(_ event: some Encodable, _ weight: LineWriter.Weight = .news) {
    let text = line(event)
    if !text.isEmpty { write(line: text, weight) }
  }

  /// Writes an event's line as another process wrote it.
  package static func write(line: String, _ weight: LineWriter.Weight = .news) { Console.output.write(line, weight) }

  /// The event's line without a line feed; empty if JSON cannot express it.
  package static func line(_ event: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(timed(event)) else { return "" }
    return VisibleText.json(String(decoding: line, as: UTF8.self))
  }
}

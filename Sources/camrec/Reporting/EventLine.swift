import Foundation

/// A line on standard output, for a program: one JSON object.
enum EventLine {
  /// Thread: any. The line is written by one call, so that others do not come between.
  static func write(_ event: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let line = try? encoder.encode(event) { write(line) }
  }

  /// A reader that has gone away is no reason to stop recording.
  static func write(_ line: Data) { try? FileHandle.standardOutput.write(contentsOf: line + [UInt8(ascii: "\n")]) }
}

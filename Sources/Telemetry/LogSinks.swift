import Foundation

/// Standard error, a line for each entry. A reader that has gone away is no reason to stop recording.
public struct StandardErrorLog: LogSink {
  private let line: @Sendable (LogEntry) -> String

  public init(_ style: LogStyle) { line = { style.line($0) } }

  /// Lines that the journal takes the priority from.
  public static let prefixed = StandardErrorLog(line: { LogStyle.prefixed($0) })

  private init(line: @escaping @Sendable (LogEntry) -> String) { self.line = line }

  public func write(_ entry: LogEntry) {
    // One call, so that lines of several processes do not run into each other.
    try? FileHandle.standardError.write(contentsOf: Data(line(entry).utf8))
  }
}

/// The journal, with every field of its own: `journalctl CAMREC_CAMERA=front`.
public struct JournalLog: LogSink {
  private let send: @Sendable ([UInt8]) -> Bool
  private let fallback: any LogSink

  /// - Parameters:
  ///   - send: sends a datagram to the journal; false where it does not take it.
  ///   - fallback: is given what the journal did not take.
  public init(fallback: any LogSink = StandardErrorLog.prefixed, send: @escaping @Sendable ([UInt8]) -> Bool) {
    self.send = send
    self.fallback = fallback
  }

  public func write(_ entry: LogEntry) {
    if !send(JournalEntry.datagram(entry)) { fallback.write(entry) }
  }
}

/// A line for each entry: standard error.
public struct LineLog: LogSink {
  private let line: @Sendable (LogEntry) -> String
  private let send: @Sendable (String) -> Void

  /// - Parameter send: is given each line with its line feed, and does not wait for who reads it.
  public init(_ style: LogStyle, send: @escaping @Sendable (String) -> Void) {
    line = { style.line($0) }
    self.send = send
  }

  /// Lines that the journal takes the priority from.
  public static func prefixed(send: @escaping @Sendable (String) -> Void) -> LineLog {
    LineLog(line: { LogStyle.prefixed($0) }, send: send)
  }

  private init(line: @escaping @Sendable (LogEntry) -> String, send: @escaping @Sendable (String) -> Void) {
    self.line = line
    self.send = send
  }

  public func write(_ entry: LogEntry) { send(line(entry)) }
}

/// The journal, with every field of its own: `journalctl CAMREC_CAMERA=front`.
public struct JournalLog: LogSink {
  private let send: @Sendable ([UInt8]) -> Bool
  private let fallback: any LogSink

  /// - Parameters:
  ///   - send: sends a datagram to the journal; false where it does not take it.
  ///   - fallback: is given what the journal did not take.
  public init(fallback: any LogSink, send: @escaping @Sendable ([UInt8]) -> Bool) {
    self.send = send
    self.fallback = fallback
  }

  public func write(_ entry: LogEntry) {
    if !send(JournalEntry.datagram(entry)) { fallback.write(entry) }
  }
}

/// Writes each entry as a line, to standard error.
public struct LineLog: LogSink {
  private let line: @Sendable (LogEntry) -> String
  private let send: @Sendable (String) -> Void

  /// - Parameter send: gets each line with its line feed; must not wait for the reader.
  public init(_ style: LogStyle, send: @escaping @Sendable (String) -> Void) {
    line = { style.line($0) }
    self.send = send
  }

  /// Lines that start with the priority, for the journal.
  public static func prefixed(send: @escaping @Sendable (String) -> Void) -> LineLog {
    LineLog(line: { LogStyle.prefixed($0) }, send: send)
  }

  private init(line: @escaping @Sendable (LogEntry) -> String, send: @escaping @Sendable (String) -> Void) {
    self.line = line
    self.send = send
  }

  public func write(_ entry: LogEntry) { send(line(entry)) }
}

/// Writes to the journal, with separate fields: `journalctl CAMREC_CAMERA=front`.
public struct JournalLog: LogSink {
  private let send: @Sendable ([UInt8]) -> Bool
  private let fallback: any LogSink

  /// - Parameters:
  ///   - send: sends a datagram to the journal; false when the journal does not accept it.
  ///   - fallback: gets what the journal did not accept.
  public init(fallback: any LogSink, send: @escaping @Sendable ([UInt8]) -> Bool) {
    self.send = send
    self.fallback = fallback
  }

  public func write(_ entry: LogEntry) {
    if !send(JournalEntry.datagram(entry)) { fallback.write(entry) }
  }
}

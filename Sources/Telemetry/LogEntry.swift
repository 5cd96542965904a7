public import Foundation
public import Logging

/// One event in the log of an unattended recorder.
public struct LogEntry: Hashable, Sendable {
  public var time: Date
  public var level: Logger.Level
  /// A sentence for people.
  public var message: String
  /// For programs: `camera`, `film`, `frame`, `reason`, …
  public var fields: [String: String]

  public init(time: Date = Date(), level: Logger.Level, message: String, fields: [String: String] = [:]) {
    self.time = time
    self.level = level
    self.message = message
    self.fields = fields
  }

  /// The severity of syslog(3), RFC 5424, 6.2.1, by which the journal filters.
  public var priority: Int {
    switch level {
    case .critical: 2
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug, .trace: 7
    }
  }
}

/// Where a log goes. Thread: any.
public protocol LogSink: Sendable {
  /// Fails silently: a log that cannot be written never stops a recording.
  func write(_ entry: LogEntry)
}

public import Logging

/// Turns the messages of a `Logger` into entries and passes them to a sink.
///
///     let log = RecorderLogHandler.logger(to: LineLog(.json, send: send), level: .info)
public struct RecorderLogHandler: LogHandler {
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  public var logLevel: Logger.Level
  private let sink: any LogSink

  public init(to sink: any LogSink, level: Logger.Level = .info) {
    self.sink = sink
    logLevel = level
  }

  /// An independent logger: it changes nothing else in the process, and others may write elsewhere.
  ///
  /// - Parameter fields: added to every entry: `camera`.
  public static func logger(
    to sink: any LogSink, level: Logger.Level = .info, fields: [String: String] = [:]
  ) -> Logger {
    var logger = Logger(label: "camrec") { _ in RecorderLogHandler(to: sink, level: level) }
    for (name, value) in fields { logger[metadataKey: name] = .string(value) }
    return logger
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let own = event.metadata { all.merge(own) { $1 } }
    if let error = event.error { all["error"] = "\(error)" }
    sink.write(
      LogEntry(level: event.level, message: event.message.description, fields: all.mapValues { $0.description }))
  }
}

public import ArgumentParser
import Frames
public import Logging
import Platform
import Reporting
import Telemetry
import Terminal

/// How a recorder reports what happens when nobody watches it.
struct LogOptions: ParsableArguments {
  enum Place: String, ExpressibleByArgument, CaseIterable {
    case auto, people, text, json, journal
  }

  @Option(
    help: ArgumentHelp(
      "How to write to standard error.",
      discussion: """
        people: sentences; text and json: log lines with level and fields; journal: to the journal; auto: journal \
        if systemd has connected standard error to it, otherwise people.
        """,
      valueName: "STYLE"))
  var log = Place.auto

  @Option(help: ArgumentHelp("The lowest level to log.", valueName: "LEVEL"))
  var logLevel = Logger.Level.info

  /// - Parameter fields: added to every entry.
  /// - Returns: `nil` if the output is sentences for people.
  func logger(_ fields: [String: String]) -> Logger? {
    sink.map { RecorderLogHandler.logger(to: $0, level: logLevel, fields: fields) }
  }

  /// Reports to the recorder's user: to people, or to programs that read `--json`, and to the log.
  ///
  /// - Parameter isControlled: the recorder is to have a control socket.
  func reporter(_ log: Logger?, json: Bool, isControlled: Bool) -> any Reporter {
    guard let log else { return json ? JSONReporter() : HumanReporter(isControlled: isControlled) }
    let logged = LogReporter(log)
    return json ? BothReporters(JSONReporter(saysErrors: false), logged) : logged
  }

  /// Arguments for recordings that this process starts and whose standard error it reads.
  var ofRecordings: [String] { ["--log=\(place.rawValue)", "--log-level=\(logLevel.rawValue)"] }

  /// Whether the lines on standard error are log lines.
  var isLines: Bool { place == .text || place == .json }

  private var place: Place { log == .auto ? (JournalSocket.isStream() ? .journal : .people) : log }

  private static let send: @Sendable (String) -> Void = { Console.error.write($0) }

  /// From now on, no recording waits for a reader of standard error or standard output. A line in the log's own format
  /// reports how many lines did not fit.
  func waitForNobody() {
    Console.waitForNobody()
    let style: LogStyle? = place == .text ? .text : place == .json ? .json : nil
    let isJournal = place == .journal
    guard style != nil || isJournal else { return }
    Console.error.say { count in
      let entry = LogEntry(level: .warning, message: Console.notice(count), fields: ["lines": "\(count)"])
      return String((style.map { $0.line(entry) } ?? LogStyle.prefixed(entry)).dropLast())
    }
  }

  private var sink: (any LogSink)? {
    switch place {
    case .auto, .people: nil
    case .text: LineLog(.text, send: LogOptions.send)
    case .json: LineLog(.json, send: LogOptions.send)
    case .journal: LogOptions.journal
    }
  }

  /// If the journal's socket is not available, writes to standard error, which systemd passes on.
  private static var journal: any LogSink {
    let lines = LineLog.prefixed(send: LogOptions.send)
    guard let socket = JournalSocket() else { return lines }
    return JournalLog(fallback: lines) { socket.send($0) }
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

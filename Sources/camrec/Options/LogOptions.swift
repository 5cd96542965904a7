public import ArgumentParser
import Frames
public import Logging
import ServiceSockets
import Telemetry

/// How a recorder that nobody watches says what happens.
struct LogOptions: ParsableArguments {
  enum Place: String, ExpressibleByArgument, CaseIterable {
    case auto, people, text, json, journal
  }

  @Option(
    help: ArgumentHelp(
      "How standard error is written: in sentences, as a log of lines with level and fields, or to the journal.",
      discussion: "auto: journal where systemd has connected standard error to it, people otherwise."))
  var log = Place.auto

  @Option(help: "The least that the log has.")
  var logLevel = Logger.Level.info

  /// - Parameter fields: said with every entry.
  /// - Returns: `nil` where people are told.
  func logger(_ fields: [String: String]) -> Logger? {
    sink.map { RecorderLogHandler.logger(to: $0, level: logLevel, fields: fields) }
  }

  /// Says it to the recorder's user: people, or programs that read `--json` beside the log.
  func reporter(_ log: Logger?, json: Bool) -> any Reporter {
    guard let log else { return json ? JSONReporter() : HumanReporter() }
    let logged = LogReporter(log)
    return json ? BothReporters(JSONReporter(saysErrors: false), logged) : logged
  }

  /// For recordings that this process starts, and whose standard error it reads.
  var ofRecordings: [String] { ["--log=\(place.rawValue)", "--log-level=\(logLevel.rawValue)"] }

  /// Lines on standard error are the log's own.
  var isLines: Bool { place == .text || place == .json }

  private var place: Place { log == .auto ? (JournalSocket.isStream() ? .journal : .people) : log }

  private var sink: (any LogSink)? {
    switch place {
    case .auto, .people: nil
    case .text: StandardErrorLog(.text)
    case .json: StandardErrorLog(.json)
    case .journal: LogOptions.journal
    }
  }

  /// Where the journal's socket is not to be had, standard error is what systemd passes on.
  private static var journal: any LogSink {
    guard let socket = JournalSocket() else { return StandardErrorLog.prefixed }
    return JournalLog { socket.send($0) }
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

import ArgumentParser
import Assembly
import Cameras
import Frames
import Logging
import Reporting
import Rig

/// Reports an error that ends camrec before its command can report errors itself: wrong arguments, for example. Goes
/// by the command line's `--log` and `--json`, as the command would.
struct EarlyRefusal {
  private let command: String
  private let words: [String]

  /// - Parameter words: the command line without the program's name.
  init(_ words: [String]) {
    let first = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    command = first ?? "record"
    self.words = Array(words.prefix { $0 != "--" })
  }

  /// - Parameter tellPeople: writes the error for people; is not called if it goes to a log.
  func tell(_ error: CamrecError, tellPeople: () -> Void) {
    let json = words.contains("--json")
    switch command {
    case "record": tell(error, log: log?.logger(["camera": name]), json: json, tellPeople)
    case "bake": tell(error, log: nil, json: json, tellPeople)
    // Its check prints a report.
    case "rig" where words.dropFirst().first != "check":
      RigNarrator(json: json, log: log?.logger([:]), passesLines: false).fail(error, tellPeople: tellPeople)
    // A mistyped command may be meant to record.
    case _ where !MistypedCommand.isCommand(command): tell(error, log: log?.logger([:]), json: json, tellPeople)
    // It has no log, and is asked for one.
    default: tell(error, log: value(of: "--log") == nil ? nil : log?.logger([:]), json: false, tellPeople)
    }
  }

  private func tell(_ error: CamrecError, log: Logger?, json: Bool, _ tellPeople: () -> Void) {
    if let log { LogReporter(log).refused(error) } else { tellPeople() }
    if json { JSONReporter(saysErrors: false).refused(error) }
  }

  /// `nil` if they are wrong themselves.
  private var log: LogOptions? {
    let given = ["--log", "--log-level"].compactMap { option in value(of: option).map { "\(option)=\($0)" } }
    return try? LogOptions.parse(given)
  }

  private var name: String {
    let camera = value(of: "--camera").flatMap { try? CameraAddress(parsing: $0) }
    return value(of: "--name") ?? RecorderName.standard(camera)
  }

  /// The last one that is given for an option.
  private func value(of option: String) -> String? {
    guard let place = words.lastIndex(where: { $0 == option || $0.hasPrefix("\(option)=") }) else { return nil }
    guard words[place] == option else { return String(words[place].dropFirst(option.count + 1)) }
    return place + 1 < words.count ? words[place + 1] : nil
  }
}

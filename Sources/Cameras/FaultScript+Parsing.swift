import Foundation
public import Frames
import Platform

extension FaultScript {
  private static let usages = [
    "drop": "drop FRAME [COUNT]", "damage": "damage FRAME [COUNT]", "stall": "stall FRAME DURATION",
    "light": "light FRAME FACTOR", "hang": "hang FRAME [deaf]", "change": "change FRAME",
    "vanish": "vanish FRAME [DURATION]", "fail": "fail FRAME", "end": "end FRAME", "xrun": "xrun TIME DURATION",
    "unplug": "unplug TIME [DURATION]",
  ]
  private static let largestFile = 1 << 20

  /// Reads the file at `path`, at most 1 MiB of UTF-8.
  ///
  /// - Throws: code `input`, for a file that cannot be read and for a line that is not a fault.
  public init(path: String) throws(CamrecError) {
    let bytes: [UInt8]
    do {
      bytes = try InputFile.read(path: path, limit: FaultScript.largestFile)
    } catch {
      throw CamrecError(
        .input, "cannot read the fault script \(path)", cause: InputFile.words(for: error) ?? "\(error)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CamrecError(.input, "\(path) is not a fault script: it must be text of at most 1 MiB")
    }
    try self.init(parsing: text, name: path)
  }

  /// Reads a script's text; `name` is its name for messages.
  ///
  /// - Throws: code `input`, with the line and what is allowed there.
  public init(parsing text: String, name: String) throws(CamrecError) {
    self.init()
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let words = line.prefix { $0 != "#" }.split { $0.isWhitespace }.map(String.init)
      guard let keyword = words.first else { continue }
      let place = "\(name) line \(index + 1)"
      guard let usage = FaultScript.usages[keyword] else {
        let known = FaultScript.usages.keys.sorted().joined(separator: ", ")
        throw CamrecError(.input, "\(place): there is no fault '\(keyword)'; there are \(known)")
      }
      if Ending(rawValue: keyword) != nil, let end {
        throw CamrecError(
          .input, "\(place): the camera ends twice, by '\(end.ending.rawValue)' and by '\(keyword)'; keep one")
      }
      if (keyword == "hang" && hang != nil) || (keyword == "unplug" && unplugging != nil) {
        throw CamrecError(.input, "\(place): there is a second '\(keyword)'; keep one")
      }
      guard add(keyword, Array(words.dropFirst())) else {
        throw CamrecError(
          .input,
          "\(place): '\(words.joined(separator: " "))' is not '\(usage)'; frames count from 0, a count is at least 1,"
            + " times and durations are written as 2.5s or 20ms, and a factor is 0 to 1000")
      }
    }
  }

  /// False if the arguments are not those that the keyword needs.
  private mutating func add(_ keyword: String, _ arguments: [String]) -> Bool {
    guard (1...2).contains(arguments.count) else { return false }
    let first = arguments[0]
    let second = arguments.count == 2 ? arguments[1] : nil
    switch keyword {
    case "drop", "damage":
      guard let frame = FaultScript.frame(first), let count = second.map(FaultScript.frame) ?? 1, count >= 1 else {
        return false
      }
      let span = FrameSpan(first: frame, count: count)
      if keyword == "drop" { drops.append(span) } else { damages.append(span) }
    case "stall":
      guard let frame = FaultScript.frame(first), let seconds = second.flatMap(SimulatedValue.seconds), seconds > 0
      else { return false }
      stalls.append(Stall(frame: frame, seconds: seconds))
    case "light":
      guard let frame = FaultScript.frame(first), let factor = second.flatMap(SimulatedValue.number), factor <= 1000
      else { return false }
      lights.append(LightChange(frame: frame, factor: factor))
    case "xrun":
      guard let start = SimulatedValue.seconds(first), let seconds = second.flatMap(SimulatedValue.seconds), seconds > 0
      else { return false }
      overruns.append(Overrun(start: start, seconds: seconds))
      overruns.sort { $0.start < $1.start }
    case "unplug":
      guard let time = SimulatedValue.seconds(first) else { return false }
      let seconds = second.flatMap(SimulatedValue.seconds)
      guard second == nil || seconds ?? 0 > 0 else { return false }
      unplugging = Unplugging(start: time, seconds: seconds)
    case "hang":
      guard let frame = FaultScript.frame(first), second == nil || second == "deaf" else { return false }
      hang = Hang(frame: frame, isDeaf: second != nil)
    case "vanish":
      guard let frame = FaultScript.frame(first) else { return false }
      let seconds = second.flatMap(SimulatedValue.seconds)
      guard second == nil || seconds ?? 0 > 0 else { return false }
      end = End(frame: frame, ending: .vanish, seconds: seconds)
    default:
      guard second == nil, let frame = FaultScript.frame(first), let ending = Ending(rawValue: keyword) else {
        return false
      }
      end = End(frame: frame, ending: ending)
    }
    return true
  }

  /// A frame number or count of at most 32 bits.
  private static func frame(_ text: String) -> UInt64? { UInt32(text).map(UInt64.init) }
}

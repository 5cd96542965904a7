public import Frames

/// Replays a trace line by line, and compares its decisions with today's.
///
/// Memory is bounded by a line's length. Thread: one at a time.
public struct ExposureReplay: Sendable {
  /// A decision that differs today.
  public struct Difference: Hashable, Sendable {
    /// From 1 on.
    public let line: Int
    public let recorded: String
    public let replayed: String
  }

  /// The first difference. The rest of the trace is still read, but no longer compared.
  public private(set) var difference: Difference?
  /// The number of equal decisions.
  public private(set) var decisions = 0
  /// The number of lines taken.
  public private(set) var lines = 0

  let name: String
  private var controller: ExposureController?
  /// The decision that the next line must contain.
  private var expected: String?

  /// - Parameter name: the trace's name for messages.
  public init(name: String) { self.name = name }

  /// Takes the next line, without its line end.
  ///
  /// - Throws: code `input`, with the trace, the line, what was found and what was expected.
  public mutating func take(_ line: String) throws(CamrecError) {
    lines += 1
    do throws(TraceLine.Fault) {
      if lines == 1 {
        guard line == ExposureTrace.heading else { throw TraceLine.Fault(Self.noTrace(line)) }
      } else if let replayed = expected {
        expected = nil
        try compare(line, replayed)
      } else {
        expected = ExposureTrace.line(try decide(ExposureTrace.event(line)))
      }
    } catch {
      throw CamrecError(.input, "\(name), line \(lines): \(error.words)")
    }
  }

  /// Ends the trace.
  ///
  /// - Parameter isCut: the last line had no line end, and was not taken.
  public func finish(isCut: Bool) throws(CamrecError) {
    let words =
      if isCut {
        "the line has no line end; the trace was cut off while it was written"
      } else if lines == 0 {
        "the trace is empty; its first line is \(TraceLine.quoted(ExposureTrace.heading))"
      } else if expected != nil {
        "the trace ends before the decision of line \(lines)"
      } else if controller == nil {
        "the trace ends without an event"
      } else { "" }
    guard words.isEmpty else { throw CamrecError(.input, "\(name), line \(lines + 1): \(words)") }
  }

  private mutating func decide(_ event: ExposureEvent) throws(TraceLine.Fault) -> ExposureDecision {
    guard controller == nil else { return controller!.receive(event) }
    guard case .configure(let configuration, let current) = event else {
      throw TraceLine.Fault("an event before the first configure line")
    }
    let new = ExposureController(configuration, current: current)
    controller = new
    return new.decision
  }

  private mutating func compare(_ line: String, _ replayed: String) throws(TraceLine.Fault) {
    guard line.hasPrefix("= ") else {
      throw TraceLine.Fault("expected the decision of line \(lines - 1), found \(TraceLine.quoted(line))")
    }
    guard difference == nil else { return }
    if line == replayed {
      decisions += 1
    } else {
      difference = Difference(line: lines, recorded: line, replayed: replayed)
    }
  }

  private static func noTrace(_ line: String) -> String {
    let prefix = "camrec exposure trace "
    guard line.hasPrefix(prefix) else {
      let heading = TraceLine.quoted(ExposureTrace.heading)
      return "an exposure trace begins with \(heading), not \(TraceLine.quoted(line))"
    }
    return "this is version \(TraceLine.quoted(line.dropFirst(prefix.count))) of the format; camrec reads version 1"
  }
}

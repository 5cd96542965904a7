public import Frames

/// Decides a trace once more, line by line, and compares.
///
/// Memory is bounded by a line's length. Thread: one at a time.
public struct ExposureReplay: Sendable {
  /// A decision that is another one today.
  public struct Difference: Hashable, Sendable {
    /// From 1 on.
    public let line: Int
    public let recorded: String
    public let replayed: String
  }

  /// The first one. What follows is still read, and compared no more.
  public private(set) var difference: Difference?
  /// Decisions that were the same.
  public private(set) var decisions = 0
  /// Lines taken.
  public private(set) var lines = 0

  let name: String
  private var controller: ExposureController?
  /// The decision that the next line has to hold.
  private var expected: String?

  /// - Parameter name: what messages call the trace.
  public init(name: String) { self.name = name }

  /// Takes the next line, without its line end.
  ///
  /// - Throws: code `input`: the trace, the line, what was found and what belongs there.
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

  /// At the end of the trace.
  ///
  /// - Parameter isCut: the last line had no end: nothing of it was taken.
  public func finish(isCut: Bool) throws(CamrecError) {
    let words =
      if isCut {
        "the line has no end; the trace was cut off while it was written"
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
      throw TraceLine.Fault("\(TraceLine.quoted(line)) where the decision of line \(lines - 1) belongs")
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
      return "\(TraceLine.quoted(line)) is not how an exposure trace begins (\(heading))"
    }
    return "this is version \(TraceLine.quoted(line.dropFirst(prefix.count))) of the format; version 1 can be read"
  }
}

public import Frames

/// How far apart the frames of a bracketed set are.
public enum BracketSpacing: Int, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  // By half stops.
  case one = 2
  case oneAndAHalf = 3
  case two = 4

  public var ev: Rational { Rational(Int64(rawValue), 2) }

  /// From one frame to the next on the dial: 3, 5, 6 entries. One and a half stops are four and a half entries, and a
  /// dial that has none between takes the next slower one.
  public var step: ThirdStops { ThirdStops((3 * rawValue + 1) / 2) }

  /// `1`, `1.5`, `2`.
  public var description: String { ExposureText.trimmed(ev.doubleValue) }

  /// - Throws: code `usage` for anything but 1, 1.5 and 2.
  public init(parsing text: String) throws(CamrecError) {
    let ev = Rational(decimal: text)
    guard let spacing = BracketSpacing.allCases.first(where: { $0.ev == ev }) else {
      throw CamrecError(.usage, "the frames of a bracketed set are 1, 1.5 or 2 EV apart; this is '\(text)'")
    }
    self = spacing
  }
}

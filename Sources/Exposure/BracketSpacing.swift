public import Frames

/// The spacing between the frames of a bracketed set.
public enum BracketSpacing: Int, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  // In half EV.
  case one = 2
  case oneAndAHalf = 3
  case two = 4

  /// What a user asks for; plans have `step`.
  public var ev: Rational { Rational(Int64(rawValue), 2) }

  /// The planned step from one frame to the next: 3, 5, 6 entries of the table. 1.5 EV are four and a half entries,
  /// which the plan rounds up to five: 1⅔ EV.
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

public import Frames

extension ShutterSpeed {
  /// Reads a speed from the table as people write it: `1/250`, `0.3"`, `0.3″`, `2s`, `2 s`. Equal times are the same
  /// speed (`0.25s` is 1/4).
  ///
  /// - Throws: code `usage` if it is not a time, has no unit (cameras show 4 for 1/4, people mean 4 s), or is not in
  ///   the table, with the nearest entries.
  public init(parsing text: String) throws(CamrecError) {
    guard let reading = Reading(text), let seconds = reading.seconds else {
      throw CamrecError(.usage, "'\(text)' is not an exposure time; write it as in 1/250, 0.3s or 2s")
    }
    guard reading.isTime else {
      let fraction = seconds < Rational(1) ? "" : ", or 1/\(reading.number) for a fraction of one"
      throw CamrecError(.usage, "'\(text)' has no unit; write \(reading.number)s for seconds\(fraction)")
    }
    // Its place in the rising table.
    let place = ShutterSpeed.nominal.firstIndex { $0 >= seconds } ?? ShutterSpeed.nominal.count
    guard place < ShutterSpeed.nominal.count else {
      throw CamrecError(.usage, "'\(text)' is longer than the longest standard exposure time, \(ShutterSpeed.last)")
    }
    guard ShutterSpeed.nominal[place] != seconds else {
      self.init(index: place)
      return
    }
    guard place > 0 else {
      throw CamrecError(.usage, "'\(text)' is shorter than the shortest standard exposure time, \(ShutterSpeed.first)")
    }
    let (faster, slower) = (ShutterSpeed(index: place - 1), ShutterSpeed(index: place))
    throw CamrecError(.usage, "there is no standard exposure time '\(text)'; the nearest are \(faster) and \(slower)")
  }

  /// A written time, before it is looked up in the table.
  struct Reading {
    /// Without its unit.
    let number: Substring
    /// Whether it is marked as a time: by a unit, or as a fraction.
    let isTime: Bool
    /// Greater than zero; `nil` if there is no number.
    let seconds: Rational?

    /// The signs for seconds of typewriters, typesetters and the table.
    private static let units = ["s", "\"", "″", "”", "''", "′′"]

    /// - Returns: `nil` for an empty text.
    init?(_ text: String) {
      var rest = text.trimmingBlanks
      guard !rest.isEmpty else { return nil }
      let unit = Reading.units.first { rest.hasSuffix($0) }
      if let unit { rest = rest.dropLast(unit.count).trimmingBlanks }
      let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
      number = rest
      isTime = unit != nil || parts.count == 2
      switch parts.count {
      case 1: seconds = Rational(decimal: parts[0]).flatMap { $0 > Rational(0) ? $0 : nil }
      case 2: seconds = Reading.quotient(parts[0], parts[1])
      default: seconds = nil
      }
    }

    private static func quotient(_ above: Substring, _ below: Substring) -> Rational? {
      guard let above = Rational(decimal: above), let below = Rational(decimal: below),
        above > Rational(0), below > Rational(0)
      else { return nil }
      return above.product(with: below.inverse)
    }
  }
}

extension StringProtocol {
  fileprivate var trimmingBlanks: Substring {
    let start = drop { $0 == " " }
    return Substring(start).dropLast(start.reversed().prefix { $0 == " " }.count)
  }
}

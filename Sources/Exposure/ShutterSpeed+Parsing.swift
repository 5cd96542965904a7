public import Frames

extension ShutterSpeed {
  /// Reads a speed of the table as people write it: `1/250`, `0.3"`, `0.3″`, `2s`, `2 s`. What comes to the same time
  /// is the same speed (`0.25s` is 1/4).
  ///
  /// - Throws: code `usage`, for what is no time, for a number without a unit (cameras print 4 for 1/4, people write it
  ///   for 4 s), and for a time that is not in the table, naming the entries beside it.
  public init(parsing text: String) throws(CamrecError) {
    guard let reading = Reading(text), let seconds = reading.seconds else {
      throw CamrecError(.usage, "'\(text)' is not a shutter speed; write it as in 1/250, 0.3s or 2s")
    }
    guard reading.isTime else {
      let fraction = seconds < Rational(1) ? "" : ", or 1/\(reading.number) for a fraction of one"
      throw CamrecError(.usage, "'\(text)' has no unit; write \(reading.number)s for seconds\(fraction)")
    }
    // Where it would stand in the rising table.
    let place = ShutterSpeed.nominal.firstIndex { $0 >= seconds } ?? ShutterSpeed.nominal.count
    guard place < ShutterSpeed.nominal.count else {
      throw CamrecError(.usage, "'\(text)' is longer than the slowest shutter speed, \(ShutterSpeed.last)")
    }
    guard ShutterSpeed.nominal[place] != seconds else {
      self.init(index: place)
      return
    }
    guard place > 0 else {
      throw CamrecError(.usage, "'\(text)' is shorter than the fastest shutter speed, \(ShutterSpeed.first)")
    }
    let (faster, slower) = (ShutterSpeed(index: place - 1), ShutterSpeed(index: place))
    throw CamrecError(.usage, "there is no shutter speed '\(text)'; the nearest are \(faster) and \(slower)")
  }

  /// A time as it is written, before anybody asks whether the table has it.
  struct Reading {
    /// Without its unit.
    let number: Substring
    /// Whether it says that it is a time: by a unit, or as a fraction.
    let isTime: Bool
    /// Greater than zero; `nil` where no number is there.
    let seconds: Rational?

    /// Seconds as typewriters, typesetters and the table write them.
    private static let units = ["s", "\"", "″", "”", "''", "′′"]

    /// - Returns: `nil` for nothing at all.
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

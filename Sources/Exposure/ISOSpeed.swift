public import Frames

/// One of the 22 sensitivities that cameras show, from ISO 100 to ISO 12800 in thirds of an EV.
///
/// The anchor is ISO 100, so that ISO 125 is exactly 100 · 2^(1/3), 125.99, and ISO 12800 exactly 7 EV above 100. A
/// sensor's own sensitivity need not be in the table; see `nearest(to:)`.
public struct ISOSpeed: ThirdStopScale {
  /// 0 is ISO 100, 21 is ISO 12800.
  public let index: Int

  public init(index: Int) {
    precondition(ISOSpeed.names.indices.contains(index), "an ISO speed's index is 0 to 21")
    self.index = index
  }

  static let nominalValues = [
    100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000, 1250, 1600, 2000, 2500, 3200, 4000, 5000, 6400, 8000, 10000,
    12800,
  ]

  public static let names = nominalValues.map(String.init)

  public static let anchor = (index: 0, value: 100.0)

  /// As cameras show it: 100, 125, 160.
  public var nominal: Int { ISOSpeed.nominalValues[index] }

  /// Reads a sensitivity of the table: `400`, `ISO 400`, `iso400`.
  ///
  /// - Throws: code `usage` if it is not a whole number or not in the table, with the nearest entries.
  public init(parsing text: String) throws(CamrecError) {
    let digits = text.lowercased().hasPrefix("iso") ? text.dropFirst(3).drop { $0 == " " } : text[...]
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int(digits) else {
      throw CamrecError(.usage, "'\(text)' is not an ISO speed; write it as in 100 or 1250")
    }
    if let index = ISOSpeed.nominalValues.firstIndex(of: value) {
      self.init(index: index)
      return
    }
    guard let place = ISOSpeed.nominalValues.firstIndex(where: { $0 > value }), place > 0 else {
      throw CamrecError(.usage, "ISO \(value) is beyond the table, which has ISO \(ISOSpeed.first) to \(ISOSpeed.last)")
    }
    let (lower, higher) = (ISOSpeed(index: place - 1), ISOSpeed(index: place))
    throw CamrecError(.usage, "there is no ISO \(value) in the table; the nearest are \(lower) and \(higher)")
  }
}

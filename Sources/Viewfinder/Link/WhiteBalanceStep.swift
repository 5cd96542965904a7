import RecorderAPI

/// The choice of the white balance that follows the present one.
enum WhiteBalanceStep {
  /// - Parameter last: the one that was set last: a camera tells kelvin, which may be of several presets.
  /// - Returns: `nil` if there are none to choose from.
  static func next(of balance: ControlDescription, after last: String?) -> String? {
    guard let choices = balance.choices, !choices.isEmpty else { return nil }
    var now = last
    if case .text(let value)? = balance.value { now = value }
    guard let now, let place = choices.firstIndex(of: now) else { return choices.first }
    return choices[(place + 1) % choices.count]
  }
}

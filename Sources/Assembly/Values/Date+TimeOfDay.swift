import Foundation
import Platform

extension Date {
  /// Seconds since midnight, 0 ≤ seconds < 86400, in the local time that the names of films have, or in UTC.
  func timeOfDay(isUTC: Bool = false) -> Double {
    // Seconds since 2001 are the more exact ones.
    let whole = timeIntervalSinceReferenceDate.rounded(.down)
    let second = Int64(whole + Date.timeIntervalBetween1970AndReferenceDate)
    let local = second + (isUTC ? 0 : LocalTime.offset(at: second))
    let ofDay = local % 86_400
    return Double(ofDay < 0 ? ofDay + 86_400 : ofDay) + (timeIntervalSinceReferenceDate - whole)
  }
}

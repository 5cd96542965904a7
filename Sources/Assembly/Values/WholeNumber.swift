package import Frames

/// Reads whole numbers, and reports each option's own limits.
package enum WholeNumber {
  package static func parse<Number: FixedWidthInteger & Sendable>(
    _ text: String, _ what: String, in limits: ClosedRange<Number>
  ) throws(CamrecError) -> Number {
    guard let number = Number(text), limits.contains(number) else {
      let above =
        limits.upperBound == .max ? "at least \(limits.lowerBound)" : "\(limits.lowerBound) to \(limits.upperBound)"
      throw CamrecError(.usage, "\(what) \(above)")
    }
    return number
  }
}

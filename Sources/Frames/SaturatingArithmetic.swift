extension FixedWidthInteger {
  /// The sum, or the nearest number that there is. For sizes and counts from outside, which may be anything.
  public func addingSaturated(_ other: Self) -> Self {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest number that there is.
  public func subtractingSaturated(_ other: Self) -> Self {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (other < 0 ? .max : .min) : difference
  }

  /// The product, or the nearest number that there is.
  public func multipliedSaturated(by other: Self) -> Self {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  /// Towards zero; the nearest number that there is for what is too large, and 0 for what is not a number.
  public init(saturating value: Double) {
    if value.isNaN {
      self = 0
    } else if let exact = Self(exactly: value.rounded(.towardZero)) {
      self = exact
    } else {
      self = value < 0 ? .min : .max
    }
  }
}

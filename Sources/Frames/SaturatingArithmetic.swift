extension FixedWidthInteger {
  /// The sum, clamped to the type's range. For sizes and counts from outside, which may have any value.
  public func addingSaturated(_ other: Self) -> Self {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, clamped to the type's range.
  public func subtractingSaturated(_ other: Self) -> Self {
    let (difference, isOver) = subtractingReportingOverflow(other)
    return isOver ? (other < 0 ? .max : .min) : difference
  }

  /// The product, clamped to the type's range.
  public func multipliedSaturated(by other: Self) -> Self {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  /// Rounds towards zero and clamps to the type's range; 0 for what is not a number.
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

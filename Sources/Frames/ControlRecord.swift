/// A camera's settings when it took a frame, apart from the exposure; `nil` where it does not report them.
public struct ControlRecord: Hashable, Sendable {
  /// Kelvin.
  public var whiteBalance: Double?
  /// −1 (green) … 1 (magenta), relative to the colour temperature.
  public var tint: Double?
  /// The camera's own number; greater is nearer.
  public var focusDistance: Double?

  public init(whiteBalance: Double? = nil, tint: Double? = nil, focusDistance: Double? = nil) {
    self.whiteBalance = whiteBalance
    self.tint = tint
    self.focusDistance = focusDistance
  }
}

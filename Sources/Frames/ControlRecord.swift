/// What a camera was set to when it took a frame, beside the exposure; `nil` where it does not tell.
public struct ControlRecord: Hashable, Sendable {
  /// Kelvin.
  public var whiteBalance: Double?
  /// −1 (green) … 1 (magenta) around what the colour temperature means.
  public var tint: Double?
  /// The camera's own number, a greater one is nearer.
  public var focusDistance: Double?

  public init(whiteBalance: Double? = nil, tint: Double? = nil, focusDistance: Double? = nil) {
    self.whiteBalance = whiteBalance
    self.tint = tint
    self.focusDistance = focusDistance
  }
}

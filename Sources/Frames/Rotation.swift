/// How far clockwise a player turns the frames for display; samples are never turned.
public enum Rotation: Int, Hashable, Sendable, CaseIterable {
  case none = 0
  case quarter = 90
  case half = 180
  case threeQuarters = 270

  /// Width and height change places.
  public var isTurnedByQuarter: Bool { self == .quarter || self == .threeQuarters }
}

/// The frames that a camera shoots in one burst.
public struct BracketSet: Hashable, Sendable {
  /// 3, 5, 7 or 9 of them, from fast to slow. At the end of the table a speed repeats.
  public let speeds: [ShutterSpeed]

  /// The camera's setting: as many frames are darker as are lighter, unless the table ends first.
  public var center: ShutterSpeed { speeds[speeds.count / 2] }
}

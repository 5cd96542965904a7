/// The frames that a camera shoots in one go.
public struct BracketSet: Hashable, Sendable {
  /// 3, 5, 7 or 9 of them, from fast to slow. At the end of the table a speed repeats.
  public let speeds: [ShutterSpeed]

  /// What the camera is set to: as many frames are darker as are lighter, unless the table ends before.
  public var center: ShutterSpeed { speeds[speeds.count / 2] }
}

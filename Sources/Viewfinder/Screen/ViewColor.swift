/// A colour of the window, in sRGB.
public struct ViewColor: Hashable, Sendable {
  public var red, green, blue: UInt8
  /// 255 covers what is below.
  public var alpha: UInt8

  public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  public static let black = ViewColor(0, 0, 0)
  public static let white = ViewColor(255, 255, 255)
  static let text = ViewColor(232, 232, 232)
  static let dimText = ViewColor(160, 160, 160)
  /// Of the frame while a film is being recorded.
  public static let red = ViewColor(226, 32, 32)
  /// Bright enough to be read on black.
  static let redText = ViewColor(255, 96, 88)
  /// Of the frame while pre-roll is kept.
  public static let amber = ViewColor(255, 176, 0)
  static let green = ViewColor(80, 200, 96)
  static let blue = ViewColor(90, 140, 255)
  /// Behind text that stands on a picture.
  static let shade = ViewColor(0, 0, 0, alpha: 176)
  /// Over a picture that is old.
  public static let veil = ViewColor(96, 96, 96, alpha: 168)
}

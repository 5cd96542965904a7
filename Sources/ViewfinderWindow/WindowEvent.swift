public import Viewfinder

/// What a user does with a window. Places are in pixels of it.
public enum WindowEvent: Hashable, Sendable {
  case key(ViewKey)
  /// 1 to 9.
  case digit(Int)
  case buttonPressed(ViewPoint)
  case buttonReleased
  case moved(ViewPoint)
  /// Clicks of the wheel, above 0 away from the user.
  case wheel(Double, ViewPoint)
  /// What it showed may be lost.
  case exposed
  case closed
}

public import Frames

/// What a window shows of a model.
public enum ViewScreen {
  /// - Parameters:
  ///   - width, height: of the window in pixels.
  public static func commands(_ model: ViewModel, width: Int, height: Int, at now: MonotonicTime) -> [DrawCommand] {
    SingleScreen(model, width: width, height: height)?.commands(at: now)
      ?? WallScreen(model, width: width, height: height).commands(at: now)
  }
}

package import Exposure
package import Frames

/// The exposure at one end of a bracketed series, as `--shadow` and `--highlight` give it.
package enum BracketEnd: Hashable, Sendable {
  case speed(ShutterSpeed)
  /// What the camera meters at a point of the frame.
  case metered(PicturePoint)

  package init(parsing text: String) throws(CamrecError) {
    if text.hasPrefix("meter:") {
      self = .metered(try PicturePoint(parsing: String(text.dropFirst("meter:".count))))
    } else {
      self = .speed(try ShutterSpeed(parsing: text))
    }
  }

  /// Whether it needs a camera.
  package var isMetered: Bool {
    if case .metered = self { true } else { false }
  }

  /// The values that shells complete.
  package static let completions = ShutterSpeed.all.map(\.typedName)
}

import Exposure
import Frames

/// Where the exposure of one end of a bracketed series comes from, as `--shadow` and `--highlight` say it.
enum BracketEnd: Hashable, Sendable {
  case speed(ShutterSpeed)
  /// What the camera meters at a point of the picture.
  case metered(PicturePoint)

  init(parsing text: String) throws(CamrecError) {
    if text.hasPrefix("meter:") {
      self = .metered(try PicturePoint(parsing: String(text.dropFirst("meter:".count))))
    } else {
      self = .speed(try ShutterSpeed(parsing: text))
    }
  }

  /// It takes a camera.
  var isMetered: Bool {
    if case .metered = self { true } else { false }
  }

  /// What shells complete.
  static let completions = ShutterSpeed.all.map(\.typedName)
}

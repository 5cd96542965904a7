import Exposure
import Frames

/// Where the exposure of one end of a bracketed series comes from, as `--shadow` and `--highlight` say it.
enum BracketEnd: Hashable, Sendable {
  case speed(ShutterSpeed)

  init(parsing text: String) throws(CamrecError) { self = .speed(try ShutterSpeed(parsing: text)) }

  /// What shells complete.
  static let completions = ShutterSpeed.all.map(\.typedName)
}

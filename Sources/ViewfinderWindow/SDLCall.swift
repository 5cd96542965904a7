import CSDL2
import Frames

/// The door to SDL: its calls, and what it says when one fails. Thread: main.
enum SDLCall {
  /// SDL's own words for what failed last.
  static var failure: String { String(cString: SDL_GetError()) }

  /// - Returns: what the call has made.
  /// - Throws: code `device`, with SDL's words as the cause.
  static func make<Made>(_ what: String, _ call: () -> Made?) throws(CamrecError) -> Made {
    guard let made = call() else { throw CamrecError(.device, "cannot make \(what)", cause: failure) }
    return made
  }
}

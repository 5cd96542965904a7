/// The keys of the window. Those that a terminal has, too, do the same there.
public enum ViewKey: Hashable, Sendable, CaseIterable {
  case record, marker, brighter, darker, mode, lock, whiteBalance, focus, releaseFocus
  case histogram, graded, fullSize, fullScreen, information, previous, next, back, help, quit

  /// As they are written in the list of keys.
  public var names: String {
    switch self {
    case .record: "space"
    case .marker: "M"
    case .brighter: "↑ +"
    case .darker: "↓ -"
    case .mode: "m"
    case .lock: "l"
    case .whiteBalance: "w"
    case .focus: "a"
    case .releaseFocus: "A"
    case .histogram: "h"
    case .graded: "g"
    case .fullSize: "1"
    case .fullScreen: "f"
    case .information: "i"
    case .previous: "←"
    case .next: "→"
    case .back: "Esc"
    case .help: "?"
    case .quit: "q"
    }
  }

  public var meaning: String {
    switch self {
    case .record: "start or stop a film"
    case .marker: "set a marker with a number"
    case .brighter: "1/3 EV brighter"
    case .darker: "1/3 EV darker"
    case .mode: "exposure: shutter-priority or auto"
    case .lock: "lock or unlock the exposure"
    case .whiteBalance: "the next white balance"
    case .focus: "focus and hold"
    case .releaseFocus: "release the focus"
    case .histogram: "histogram: luma, red, green, blue"
    case .graded: "the picture as in the film, or as the camera sends it"
    case .fullSize: "one pixel of the frame on one of the screen, or all of it"
    case .fullScreen: "full screen"
    case .information: "only the picture and what is wrong, or everything"
    case .previous: "the camera before"
    case .next: "the next camera"
    case .back: "all of the picture, then all cameras"
    case .help: "this list"
    case .quit: "close the window; recording goes on"
    }
  }

  /// The key for a typed character; `nil` if it has no meaning.
  public init?(_ character: Character) {
    switch character {
    case " ": self = .record
    case "M": self = .marker
    // On most keyboards + is a shifted =.
    case "+", "=": self = .brighter
    case "-": self = .darker
    case "m": self = .mode
    case "l": self = .lock
    case "w": self = .whiteBalance
    case "a": self = .focus
    case "A": self = .releaseFocus
    case "h": self = .histogram
    case "g": self = .graded
    case "1": self = .fullSize
    case "f": self = .fullScreen
    case "i": self = .information
    case "?": self = .help
    case "q": self = .quit
    default: return nil
    }
  }
}

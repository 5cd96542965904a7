public import Frames

/// What a window is started with: the words that 'camrec view' hands on.
public struct ViewArguments: Hashable, Sendable {
  /// The name of the only recorder to show; `nil` for all.
  public var name: String?
  /// The path of the only monitor to show.
  public var monitor: String?
  /// Of the window, in pixels; `nil`: as large as fits.
  public var size: FrameExtent?
  public var isFullScreen = false
  public var isGraded = true
  /// Begin without a recorder, and wait for one.
  public var waits = false
  /// How long to measure, in seconds; `nil`: show until the user quits.
  public var measures: Double?
  public var wantsHelp = false

  public init() {}

  private static let valued = ["name", "monitor", "size", "measure"]
  private static let flags = ["full-screen", "ungraded", "wait", "help"]
  /// What a window's size may be, in pixels.
  public static let widths = 320...16384, heights = 180...16384
  /// The longest measurement, in seconds.
  public static let longestMeasure = 86_400.0

  /// - Throws: code `usage`, with a sentence that names the mistake.
  public init(words: [String]) throws(CamrecError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "-h" {
        setFlag("help")
        continue
      }
      guard word.hasPrefix("--") else {
        throw CamrecError(.usage, "a viewfinder takes options only, not '\(word)'")
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = parts.first.map(String.init) ?? ""
      if ViewArguments.flags.contains(option), parts.count == 1 {
        setFlag(option)
      } else if ViewArguments.valued.contains(option) {
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
          throw CamrecError(.usage, "the option '\(option)' needs a value")
        }
        try set(option, value)
      } else {
        throw CamrecError(.usage, "a viewfinder has no option '\(word)'; 'camrec view -h' lists them")
      }
    }
    if name != nil, monitor != nil {
      throw CamrecError(
        .usage, about: nil, "\(setting: .name) and \(setting: .monitor) exclude each other: give one of them")
    }
  }

  private mutating func setFlag(_ option: String) {
    switch option {
    case "full-screen": isFullScreen = true
    case "ungraded": isGraded = false
    case "wait": waits = true
    default: wantsHelp = true
    }
  }

  private mutating func set(_ option: String, _ value: String) throws(CamrecError) {
    switch option {
    case "name": name = value
    case "monitor": monitor = value
    case "size": size = try ViewArguments.size(value)
    default:
      guard let seconds = Double(value), seconds > 0, seconds <= ViewArguments.longestMeasure else {
        throw CamrecError(
          .usage, "a measurement takes above 0 and at most \(Int(ViewArguments.longestMeasure)) seconds; this is "
            + "'\(value)'")
      }
      measures = seconds
    }
  }

  /// Reads `1280x720`.
  ///
  /// - Throws: code `usage`.
  public static func size(_ text: String) throws(CamrecError) -> FrameExtent {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], widths.contains(width),
      heights.contains(height)
    else {
      throw CamrecError(
        .usage, about: .size,
        "a window's size is \(widths.lowerBound)x\(heights.lowerBound) to \(widths.upperBound)x\(heights.upperBound) "
          + "pixels, as in 1280x720; this is '\(text)'")
    }
    return FrameExtent(width: width, height: height)
  }
}

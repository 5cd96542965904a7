public import Frames

/// The number of frames in a bracketed set: odd, so that one of them is the centre.
public enum BracketFrames: Int, Hashable, Sendable, CaseIterable {
  case three = 3
  case five = 5
  case seven = 7
  case nine = 9

  /// - Throws: code `usage` for anything but 3, 5, 7 and 9.
  public init(parsing text: String) throws(CamrecError) {
    guard let count = Int(text), let frames = BracketFrames(rawValue: count) else {
      throw CamrecError(.usage, "a bracketed set has 3, 5, 7 or 9 frames; this is '\(text)'")
    }
    self = frames
  }
}

/// Frames of a clip that cannot be decoded, for a sentence.
struct ClipDamage: Sendable {
  let path: String
  let frames: Int
  /// When the first of them shows, in seconds with two decimals.
  let first: String

  /// - Parameter most: as many of them lie before the film's end.
  /// - Returns: `nil` if none is missing.
  func sentence(atMost most: Int) -> String? {
    let missing = min(frames, most)
    guard missing > 0 else { return nil }
    let what = missing == 1 ? "1 frame cannot be decoded and is" : "\(missing) frames cannot be decoded and are"
    return "\(path): \(what) missing, the first at \(first) s"
  }
}

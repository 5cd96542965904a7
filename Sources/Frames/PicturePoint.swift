/// A point in the frame, as parts of its width and height from the upper left corner.
public struct PicturePoint: Hashable, Sendable {
  public let x: Double
  public let y: Double

  /// Reads `0.5,0.25`.
  ///
  /// - Throws: code `usage`.
  public init(parsing text: String) throws(CamrecError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]), (0...1).contains(x), (0...1).contains(y)
    else {
      throw CamrecError(
        .usage, "a point in the frame is X,Y, each from 0 (left, top) to 1 (right, bottom), as in 0.5,0.25; this is "
          + "'\(text)'")
    }
    self.x = x
    self.y = y
  }
}

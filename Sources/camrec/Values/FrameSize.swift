import Frames

/// A picture's size as `--size` says it: `1920x1080`.
struct FrameSize: Hashable, Sendable {
  static let limits = 16...16384

  let width: Int
  let height: Int

  init(parsing text: String) throws(CamrecError) {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1] else {
      throw CamrecError(.usage, "write width and height in pixels, as in 1920x1080")
    }
    guard FrameSize.limits.contains(width), FrameSize.limits.contains(height) else {
      throw CamrecError(
        .usage, "width and height are \(FrameSize.limits.lowerBound) to \(FrameSize.limits.upperBound) pixels")
    }
    self.width = width
    self.height = height
  }
}

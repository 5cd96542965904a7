import Frames

/// A picture's size as `--size` says it: `1920x1080`.
struct FrameSize: Hashable, Sendable {
  static let limits = 16...16384

  static let fullHD = FrameSize(width: 1920, height: 1080)

  /// What cameras mostly have, from small to large.
  static let usual = [FrameSize(width: 1280, height: 720), fullHD, FrameSize(width: 3840, height: 2160)]

  let width: Int
  let height: Int

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

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

/// A frame's size in pixels, each side 16 to 16384.
public struct FrameSize: Hashable, Sendable, CustomStringConvertible {
  public static let limits = 16...16384

  public static let fullHD = FrameSize(width: 1920, height: 1080)

  /// The sizes that most cameras have, from small to large.
  public static let usual = [FrameSize(width: 1280, height: 720), fullHD, FrameSize(width: 3840, height: 2160)]

  public let width: Int
  public let height: Int

  private init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads `1920x1080`.
  ///
  /// - Throws: code `usage`.
  public init(parsing text: String) throws(CamrecError) {
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

  public var description: String { "\(width)x\(height)" }
}

/// The size of a frame in pixels.
public struct PictureSize: Hashable, Sendable, CustomStringConvertible {
  public let width: Int
  public let height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var area: Int { width * height }
  public var description: String { "\(width)x\(height)" }

  /// The largest size that is chosen without a request.
  public static let defaultLimit = PictureSize(width: 1920, height: 1080)

  /// Whether neither side is longer than that of `limit`.
  public func fits(_ limit: PictureSize) -> Bool { width <= limit.width && height <= limit.height }

  func distance(to other: PictureSize) -> Int {
    let x = width - other.width, y = height - other.height
    return x * x + y * y
  }
}

extension CameraRequest {
  /// The requested size, if both sides are requested.
  public var size: PictureSize? {
    guard let width, let height else { return nil }
    return PictureSize(width: width, height: height)
  }
}

/// The sizes that a camera offers in one pixel format.
public enum SizeOffer: Hashable, Sendable {
  case list([PictureSize])
  /// Every size from `smallest` on in steps of at least 1 up to `largest`.
  case range(smallest: PictureSize, largest: PictureSize, step: PictureSize)

  /// The sizes to choose from: a whole list; of a range, the size nearest to `asked`, or without a request the largest
  /// up to 1920×1080.
  public func candidates(for asked: PictureSize?) -> [PictureSize] {
    switch self {
    case .list(let sizes):
      return sizes
    case .range(let smallest, let largest, let step):
      func snapped(_ value: Int, _ low: Int, _ high: Int, _ step: Int, halfUp: Bool) -> Int {
        let step = max(step, 1), clamped = min(max(value, low), high)
        let steps = (clamped - low + (halfUp ? step / 2 : 0)) / step
        return min(low + steps * step, low + (high - low) / step * step)
      }
      let aim = asked ?? .defaultLimit
      let width = snapped(aim.width, smallest.width, largest.width, step.width, halfUp: asked != nil)
      let height = snapped(aim.height, smallest.height, largest.height, step.height, halfUp: asked != nil)
      return [PictureSize(width: width, height: height)]
    }
  }
}

/// Finds flashes in consecutive frames.
///
/// Frames of the simulated camera have a mark that tells. In others a flash is a frame whose mean luma is a tenth of
/// its range above that of the frame before. Half of the rise must be gone within a tenth of a second, or with the next
/// frame.
public struct FlashSearch: Sendable {
  private static let rise = 0.1
  /// Seconds: a tenth, and a tolerance for times in floating point.
  private static let longest = 0.101

  /// A rise that may be a flash.
  private struct Rise {
    let seconds: Double
    /// The luma that it has to fall to.
    let half: Double
    var pictures = 1
  }

  private var before: Double?
  private var rising: Rise?
  /// Their times in seconds, rising.
  public private(set) var flashes: [Double] = []

  public init() {}

  /// - Parameters:
  ///   - luma: its mean, from 0 to 1.
  ///   - mark: the simulated camera's, if the frame has one.
  ///   - seconds: the frame's time.
  public mutating func take(luma: Double, mark: Bool?, at seconds: Double) {
    defer { before = luma }
    if let mark {
      if mark { flashes.append(seconds) }
      rising = nil
      return
    }
    if let rise = rising {
      if seconds - rise.seconds > FlashSearch.longest, rise.pictures > 1 {
        rising = nil
      } else if luma <= rise.half {
        flashes.append(rise.seconds)
        rising = nil
      } else {
        rising?.pictures += 1
      }
    }
    if rising == nil, let before, luma - before >= FlashSearch.rise {
      rising = Rise(seconds: seconds, half: (luma + before) / 2)
    }
  }
}

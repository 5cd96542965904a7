/// Finds flashes in pictures that come one after another.
///
/// A picture of the simulated camera says by itself whether it flashes. Of all others those are flashes whose mean luma rises by a
/// tenth of its range from one picture to the next, and has fallen by half of that again within a tenth of a second, or with the
/// picture behind.
public struct FlashSearch: Sendable {
  private static let rise = 0.1
  /// Seconds: a tenth, and what times in floating point may be off by.
  private static let longest = 0.101

  /// A rise that may be one.
  private struct Rise {
    let seconds: Double
    /// What it has to fall below.
    let half: Double
    var pictures = 1
  }

  private var before: Double?
  private var rising: Rise?
  /// When they show, in seconds, rising.
  public private(set) var flashes: [Double] = []

  public init() {}

  /// - Parameters:
  ///   - luma: its mean, from 0 to 1.
  ///   - mark: what the picture says of itself, where it does.
  ///   - seconds: when it shows.
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

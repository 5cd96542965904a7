import Foundation

/// The sync of audio and frames: how much later than each flash its tone begins.
///
/// A flash and a tone belong together if each is the nearest to the other, and at most a quarter of a second away. The
/// rest is left out, such as speech and lamps.
public struct SoundSync: Hashable, Sendable {
  /// The delay of each flash that has a tone, in hundredths of a millisecond, in order.
  public let delays: [Int]

  /// Seconds.
  private static let farthest = 0.25
  /// Least difference to report, in hundredths of a millisecond: the beginning of a tone is not more exact.
  private static let tolerance = 10

  /// - Parameters:
  ///   - flashes: their times in seconds, rising.
  ///   - tones: their beginnings, likewise.
  public init(flashes: [Double], tones: [Double]) {
    delays = flashes.enumerated().compactMap { (place, flash) -> Int? in
      guard let tone = SoundSync.nearest(to: flash, in: tones),
        SoundSync.nearest(to: tones[tone], in: flashes) == place, abs(tones[tone] - flash) <= SoundSync.farthest
      else { return nil }
      return Int(((tones[tone] - flash) * 100_000).rounded())
    }
  }

  private static func nearest(to time: Double, in times: [Double]) -> Int? {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return times.isEmpty ? nil : 0 }
    return low == times.count || time - times[low - 1] <= times[low] - time ? low - 1 : low
  }

  /// Reads `text`; `nil` if it is anything else.
  init?(text: String) {
    guard text != "none" else {
      delays = []
      return
    }
    guard text.hasSuffix(" ms") else { return nil }
    let words = text.dropLast(3).split(separator: " ", omittingEmptySubsequences: false)
    delays = words.compactMap { word in
      word.wholeMatch(of: /-?\d{1,3}\.\d\d/) == nil ? nil : Int(word.replacing(".", with: ""))
    }
    guard delays.count == words.count else { return nil }
  }

  /// For the golden: the delays in milliseconds.
  var text: String { delays.isEmpty ? "none" : delays.map(SoundSync.milliseconds).joined(separator: " ") + " ms" }

  /// For people.
  public var words: String {
    guard let least = delays.min(), let most = delays.max() else { return "no flash with a tone" }
    let range = SoundSync.milliseconds(least) + (least == most ? "" : " to \(SoundSync.milliseconds(most))")
    return "\(delays.count) flash\(delays.count == 1 ? "" : "es"), tone delay \(range) ms"
  }

  /// The differences from a golden, for people.
  ///
  /// - Parameter golden: `nil` if it was made without sync; nothing is compared then.
  public static func differences(_ film: SoundSync?, from golden: SoundSync?) -> [String] {
    guard let golden, let film else { return [] }
    guard film.delays.count == golden.delays.count else {
      return ["the audio sync differs: \(film.words), not \(golden.words)"]
    }
    let others = film.delays.indices.filter { abs(film.delays[$0] - golden.delays[$0]) >= tolerance }
    guard let worst = others.max(by: { film.distance(golden, $0) < film.distance(golden, $1) }) else { return [] }
    return [
      "the audio sync differs: the tone of flash \(worst + 1) of \(film.delays.count) comes"
        + " \(milliseconds(film.delays[worst])) ms after it, not \(milliseconds(golden.delays[worst])) ms"
        + (others.count == 1 ? "" : "; this is the worst of \(others.count)")
    ]
  }

  private func distance(_ golden: SoundSync, _ place: Int) -> Int { abs(delays[place] - golden.delays[place]) }

  private static func milliseconds(_ hundredths: Int) -> String {
    String(format: "%@%d.%02d", hundredths < 0 ? "-" : "", abs(hundredths) / 100, abs(hundredths) % 100)
  }
}

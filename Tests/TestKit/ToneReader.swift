import Foundation

/// Finds the instants at which the simulated microphone's tone bursts begin.
///
/// A burst is a sine that starts at phase zero after at least 100 ms of quiet. The first sample above a third of its
/// amplitude is traced back along the sine to its zero, which is exact to a fraction of a sample.
public struct ToneReader: Sendable {
  public let sampleRate: Double
  /// Hz; the simulated microphone's tone unless said otherwise.
  public let frequency: Double

  public init(sampleRate: Double, frequency: Double = 1000) {
    self.sampleRate = sampleRate
    self.frequency = frequency
  }

  /// Positions of the onsets in samples from the first one.
  public func onsets(in samples: [Int16]) -> [Double] {
    let period = Int((sampleRate / frequency).rounded(.up))
    let quiet = Int(sampleRate / 10)
    let peak = samples.lazy.map { Int($0.magnitude) }.max() ?? 0
    guard peak > 500 else { return [] }
    var onsets: [Double] = []
    var lastLoud = -quiet
    for (index, sample) in samples.enumerated() where Int(sample.magnitude) > peak / 3 {
      if index - lastLoud >= quiet {
        let amplitude = samples[index..<min(index + 2 * period, samples.count)].map { Double($0.magnitude) }.max() ?? 0
        let phase = asin(min(1, Double(sample.magnitude) / max(amplitude, 1)))
        onsets.append(Double(index) - phase / (2 * .pi * frequency) * sampleRate)
      }
      lastLoud = index
    }
    return onsets
  }
}

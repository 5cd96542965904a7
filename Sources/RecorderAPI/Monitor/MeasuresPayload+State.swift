import Foundation

extension MeasuresPayload.Level {
  /// All channels of the audio together, as the recorder's state has them.
  public init(_ level: RecorderState.Level) {
    func decibels(_ fraction: Double) -> Float { fraction > 0 ? Float(20 * log10(fraction)) : -.infinity }
    self.init(peak: decibels(level.peak), held: decibels(level.held))
  }
}

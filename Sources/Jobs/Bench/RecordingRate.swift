import Frames

/// The highest frame rate that a machine records at one size with the default codec's fastest preset, without a LUT or
/// look and with it.
package struct RecordingRate: Encodable {
  package let width: Int
  package let height: Int
  /// At full speed, without a LUT or look.
  package let framesPerSecond: Double
  /// The same with the LUT or look.
  package let framesPerSecondWithLUT: Double

  package init(plain: EncoderMeasurement, withLUT: EncoderMeasurement) {
    (width, height) = (plain.width, plain.height)
    framesPerSecond = plain.framesPerSecond
    framesPerSecondWithLUT = withLUT.framesPerSecond
  }
}

import Frames

/// The highest frame rate that a machine records at one size with the default codec's fastest preset, without a LUT or
/// look and with it.
struct RecordingRate: Encodable {
  let width: Int
  let height: Int
  /// At full speed, without a LUT or look.
  let framesPerSecond: Double
  /// The same with the LUT or look.
  let framesPerSecondWithLUT: Double

  init(plain: EncoderMeasurement, withLUT: EncoderMeasurement) {
    (width, height) = (plain.width, plain.height)
    framesPerSecond = plain.framesPerSecond
    framesPerSecondWithLUT = withLUT.framesPerSecond
  }
}

import Frames

/// What a machine records of one size at most, with the fastest preset of the default codec: without a LUT and with one.
struct RecordingRate: Encodable {
  let width: Int
  let height: Int
  /// As fast as it goes, without a LUT.
  let framesPerSecond: Double
  /// The same with one.
  let framesPerSecondWithLUT: Double

  init(plain: EncoderMeasurement, withLUT: EncoderMeasurement) {
    (width, height) = (plain.width, plain.height)
    framesPerSecond = plain.framesPerSecond
    framesPerSecondWithLUT = withLUT.framesPerSecond
  }
}

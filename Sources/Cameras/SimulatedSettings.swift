import Color
import Foundation
import Frames

/// What a frame of the simulated camera is taken with.
struct SimulatedSettings: Hashable, Sendable {
  /// Seconds.
  var exposureTime: Double
  var iso: Double
  var isBalanced = true
  /// Kelvin and tint, for a camera that does not balance itself.
  var kelvin = 5600.0
  var tint = 0.0
  var torchIsOn = false

  /// Light that the torch adds, times the standard light.
  static let torchLight = 0.5

  /// What a camera that knows its ISO says of a frame.
  var exposureRecord: ExposureRecord {
    ExposureRecord(
      exposureTime: exposureTime, iso: iso,
      gainEV: ExposureRecord.hundredths(log2(iso / SimulatedControls.isoRange.lowerBound)))
  }

  /// - Parameter light: kelvin, which a camera that balances itself is balanced for.
  func controlRecord(light: Double, focusDistance: Double) -> ControlRecord {
    ControlRecord(
      whiteBalance: isBalanced ? light : kelvin, tint: isBalanced ? 0 : tint, focusDistance: focusDistance)
  }

  /// The sensor in a light of `light` kelvin, for a camera whose primaries are those of `space`.
  ///
  /// A camera that is set to another temperature than the light's divides by the wrong white; green stays as it is.
  func sensor(lightKelvin: Double, space: RGBSpace) -> SimulatedSensor {
    var sensor = SimulatedSensor(exposureTime: exposureTime, iso: iso)
    guard !isBalanced else { return sensor }
    let inverse = space.toXYZ.inverse
    let light = inverse * ColorTemperature.chromaticity(kelvin: lightKelvin).xyz
    let white = inverse * ColorTemperature.chromaticity(kelvin: kelvin).xyz
    let ratio = light / white
    // Half a stop more magenta at a tint of 1.
    let magenta = Float(tint / 2)
    sensor.balance = SIMD3(
      Float(ratio.x / ratio.y), exp2(-magenta), Float(ratio.z / ratio.y))
    return sensor
  }
}

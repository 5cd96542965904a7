import Color
import Foundation
import Frames

/// The settings with which the simulated camera takes a frame.
struct SimulatedSettings: Hashable, Sendable {
  /// Seconds.
  var exposureTime: Double
  var iso: Double
  var isBalanced = true
  /// Kelvin and tint, for a camera that does not balance itself.
  var kelvin = 5600.0
  var tint = 0.0
  var torchIsOn = false

  /// The light that the torch adds, relative to the standard light.
  static let torchLight = 0.5

  /// The record of a frame from a camera that knows its ISO.
  var exposureRecord: ExposureRecord {
    ExposureRecord(
      exposureTime: exposureTime, iso: iso,
      gainEV: ExposureRecord.hundredths(log2(iso / SimulatedControls.isoRange.lowerBound)))
  }

  /// - Parameter light: in kelvin; automatic white balance is balanced for it.
  func controlRecord(light: Double, focusDistance: Double) -> ControlRecord {
    ControlRecord(
      whiteBalance: isBalanced ? light : kelvin, tint: isBalanced ? 0 : tint, focusDistance: focusDistance)
  }

  /// The sensor in light of `lightKelvin`, for a camera with the primaries of `space`.
  ///
  /// A camera set to another temperature than the light's divides by the wrong white; green is unchanged.
  func sensor(lightKelvin: Double, space: RGBSpace) -> SimulatedSensor {
    var sensor = SimulatedSensor(exposureTime: exposureTime, iso: iso)
    guard !isBalanced else { return sensor }
    let inverse = space.toXYZ.inverse
    let light = inverse * ColorTemperature.chromaticity(kelvin: lightKelvin).xyz
    let white = inverse * ColorTemperature.chromaticity(kelvin: kelvin).xyz
    let ratio = light / white
    // Half an EV more magenta at a tint of 1.
    let magenta = Float(tint / 2)
    sensor.balance = SIMD3(
      Float(ratio.x / ratio.y), exp2(-magenta), Float(ratio.z / ratio.y))
    return sensor
  }
}

/// Turns light into a linear sensor value: exposure, noise, clipping.
///
/// - Exposure: H ∝ luminance · time · gain. With aperture N, exposure time t and ISO speed S, a luminance of
///   K·N²/(t·S) gives 0.18 (ISO 2720:1974, reflected-light calibration K = 12.5 cd/m²). The scene is lit by 1676 lux,
///   and the lens is at f/4, so that 18 % grey gives 0.18 at 1/48 s and ISO 100.
/// - Noise: a value x collects x · `electronsPerUnit` electrons, whose count varies by its square root (shot noise in
///   its normal approximation); reading adds `readNoise` electrons. Gain amplifies both.
/// - Clipping: at x = 12, 6 EV above 18 % grey, or at the top of the transfer function, whichever is lower.
struct SimulatedSensor: Hashable, Sendable {
  static let lux = 12.5 * 16 * 48 / 100 * Double.pi / 0.18
  static let aperture = 4.0
  static let calibration = 12.5
  static let electronsPerUnitAtBase = 12_000.0
  static let readNoise = 4.0
  static let saturation = 12.0

  /// Seconds.
  var exposureTime: Double
  var iso: Double
  /// Factors for red, green and blue: 1 for a camera that is balanced for the light of the scene.
  var balance = SIMD3<Float>(1, 1, 1)

  /// The sensor value of a reflectance of 1 under `light` times the standard light.
  func gain(light: Double) -> Float {
    let luminance = SimulatedSensor.lux * light / .pi
    let aperture = SimulatedSensor.aperture
    return Float(0.18 * luminance * exposureTime * iso / (SimulatedSensor.calibration * aperture * aperture))
  }

  /// Electrons that a value of 1 stands for.
  var electronsPerUnit: Double { SimulatedSensor.electronsPerUnitAtBase * 100 / iso }

  /// The variance of a value x is max(x, 0) · shot + read.
  var variance: (shot: Float, read: Float) {
    let relativeRead = SimulatedSensor.readNoise / electronsPerUnit
    return (Float(1 / electronsPerUnit), Float(relativeRead * relativeRead))
  }

  /// The ISO speed that exposes the scene correctly.
  static func correctISO(exposureTime: Double) -> Double { 100 / 48 / exposureTime }
}

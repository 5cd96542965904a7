import Color
import Frames

/// Turns linear light into a layer of code values: exposure, clipping, transfer function, Y'CbCr, chroma subsampling.
///
/// Chroma is the mean over the pixels that share it (a 2×2 or 2×1 block).
@safe struct PictureDevelopment {
  /// How noise is added.
  enum Noise {
    /// Stored as deviations, from which the renderer draws it.
    case asDeviation
    /// Drawn here, in linear light, with this key.
    case drawn(key: UInt64)
  }

  private(set) var sensor: SimulatedSensor
  let table: SignalTable
  /// The unit of deviations is 2^deviationShift / 32 code values.
  private(set) var deviationShift: Int16
  private let luma: SIMD4<Float>
  private let blueDifference: SIMD4<Float>
  private let redDifference: SIMD4<Float>
  private let lumaBlack: Float
  private let lumaSpan: Float
  private let chromaZero: Float
  /// Of the range, in code values of 8 bits.
  private let span: Double
  /// From the layer's units to units of deviation.
  private var deviationScale: Float
  private var shot: Float
  private var read: Float
  private let gaussian: PixelPlane<Float>

  init(sensor: SimulatedSensor, transfer: TransferFunction, format: FrameFormat) {
    self.sensor = sensor
    (shot, read) = sensor.variance
    table = SignalTable(transfer, saturation: SimulatedSensor.saturation)
    let codes = CodeScale(range: format.color.range, bitDepth: format.layout.bitDepth)
    let matrix = format.color.matrix
    let unit = codes.bitDepth == 8 ? 64.0 : 16
    lumaBlack = Float(Double(codes.lumaOffset) * unit)
    lumaSpan = Float(Double(codes.lumaSpan) * unit)
    chromaZero = Float(Double(codes.chromaOffset) * unit)
    // The columns of R'G'B' to Y'CbCr: the result for each channel alone.
    let columns = [SIMD3(1.0, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].map { matrix.yCbCr($0) }
    func row(_ component: Int, _ span: Int) -> SIMD4<Float> {
      let values = columns.map { Float($0[component] * Double(span) * unit) }
      return SIMD4(values[0], values[1], values[2], 0)
    }
    luma = row(0, codes.lumaSpan)
    blueDifference = row(1, codes.chromaSpan)
    redDifference = row(2, codes.chromaSpan)
    span = Double(codes.lumaSpan) * unit / 64
    deviationShift = PictureDevelopment.deviationShift(table, sensor, lumaSpan: span)
    deviationScale = Float(sign: .plus, exponent: -1 - Int(deviationShift), significand: 1)
    gaussian = PixelPlane(width: SeededNoise.gaussian.count, height: 1, repeating: 0)
    for (index, value) in SeededNoise.gaussian.enumerated() { gaussian[index, 0] = value }
  }

  /// Uses `sensor` to expose everything developed from now on. Layers developed earlier have another scale of
  /// deviations.
  mutating func expose(with sensor: SimulatedSensor) {
    let isAsLoud = self.sensor.iso == sensor.iso
    self.sensor = sensor
    if isAsLoud { return }
    (shot, read) = sensor.variance
    deviationShift = PictureDevelopment.deviationShift(table, sensor, lumaSpan: span)
    deviationScale = Float(sign: .plus, exponent: -1 - Int(deviationShift), significand: 1)
  }

  /// The smallest shift with which the noise of every grey fits into 8 bits; greys are noisier than any colour.
  ///
  /// - Parameter lumaSpan: of the range, in code values of 8 bits.
  private static func deviationShift(_ table: SignalTable, _ sensor: SimulatedSensor, lumaSpan: Double) -> Int16 {
    var largest: Float = 0
    for step in 0...1000 {
      let light = table.clip * Float(step * step) / 1_000_000
      let deviation = (light * sensor.variance.shot + sensor.variance.read).squareRoot()
      largest = max(largest, table.signalAndSlope(light).slope * deviation * Float(lumaSpan))
    }
    return (-2...1).first { largest <= 8 * Float(sign: .plus, exponent: Int($0), significand: 1) } ?? 2
  }

  /// A level of the nominal range, 0…1, in the layer's units.
  func lumaCode(_ level: Double) -> Int16 { Int16((lumaBlack + lumaSpan * Float(level)).rounded()) }

  /// The chroma of a grey, in the layer's units.
  var neutralCode: Int16 { Int16(chromaZero) }

  /// Develops the pixels of `box` (even edges) of `scene` into `layer`.
  ///
  /// - Parameter light: relative to the standard light.
  func develop(_ box: PixelBox, of scene: PixelPlane<SIMD4<Float>>, light: Double, noise: Noise, into layer: CodeLayer)
  {
    guard !box.isEmpty else { return }
    let gain = SIMD4(sensor.balance, 1) * sensor.gain(light: light)
    let rows = layer.chromaRows
    for top in stride(from: box.rows.lowerBound, to: box.rows.upperBound, by: rows) {
      let blue = unsafe layer.row(layer.blueDifference, top / rows)
      let red = unsafe layer.row(layer.redDifference, top / rows)
      let lower = min(top + rows, box.rows.upperBound) - 1
      // An odd picture's last row is a block of its own height.
      let upperLuma = unsafe layer.row(layer.luma, top)
      let lowerLuma = unsafe layer.row(layer.luma, lower)
      let upperPixels = unsafe scene.row(top)
      let lowerPixels = unsafe scene.row(lower)
      for left in stride(from: box.columns.lowerBound, to: box.columns.upperBound, by: 2) {
        var sum = SIMD4<Float>.zero
        var variances = SIMD4<Float>.zero
        var count: Float = 0
        for x in left..<min(left + 2, box.columns.upperBound) {
          let (signal, variance) = unsafe develop(upperPixels[x] * gain, noise, top * scene.width + x)
          unsafe put(signal, variance, luma, lumaBlack, upperLuma, x)
          sum += signal
          variances += variance
          count += 1
          guard lower > top else { continue }
          let (below, belowVariance) = unsafe develop(lowerPixels[x] * gain, noise, lower * scene.width + x)
          unsafe put(below, belowVariance, luma, lumaBlack, lowerLuma, x)
          sum += below
          variances += belowVariance
          count += 1
        }
        let mean = sum / count
        let spread = variances / (count * count)
        unsafe put(mean, spread, blueDifference, chromaZero, blue, left / 2)
        unsafe put(mean, spread, redDifference, chromaZero, red, left / 2)
      }
      if box.columns.upperBound & 1 == 1, layer.planes.count == 1 {
        // The second luma of the last pair of an odd packed row repeats the first.
        let last = unsafe upperLuma.step * (box.columns.upperBound - 1)
        unsafe upperLuma.codes[last + upperLuma.step] = upperLuma.codes[last]
        unsafe upperLuma.deviations[last + upperLuma.step] = upperLuma.deviations[last]
      }
    }
  }

  @inline(__always) private func put(
    _ signal: SIMD4<Float>, _ variance: SIMD4<Float>, _ weights: SIMD4<Float>, _ zero: Float, _ row: CodeLayer.Row,
    _ x: Int
  ) {
    let code = zero + (signal * weights).sum()
    let deviation = (variance * weights * weights).sum().squareRoot()
    let place = unsafe x * row.step
    unsafe row.codes[place] = Int16(max(0, min(Float(CodeLayer.highest), code)) + 0.5)
    unsafe row.deviations[place] = UInt8(min(255, deviation * deviationScale + 0.5))
  }

  /// The signal of one pixel and the variance of its noise.
  @inline(__always) private func develop(
    _ light: SIMD4<Float>, _ noise: Noise, _ index: Int
  ) -> (signal: SIMD4<Float>, variance: SIMD4<Float>) {
    let variance = pointwiseMax(light, .zero) * shot + read
    switch noise {
    case .asDeviation:
      let (red, green, blue) = (
        table.signalAndSlope(light.x), table.signalAndSlope(light.y), table.signalAndSlope(light.z)
      )
      let slope = SIMD4(red.slope, green.slope, blue.slope, 0)
      return (SIMD4(red.signal, green.signal, blue.signal, 0), slope * slope * variance)
    case .drawn(let key):
      let bits = SeededNoise.hash(key, UInt64(index))
      let normal = unsafe gaussian.row(0)
      let noisy = unsafe SIMD3(
        light.x + variance.x.squareRoot() * normal[Int(bits & 0xFFF)],
        light.y + variance.y.squareRoot() * normal[Int(bits >> 12 & 0xFFF)],
        light.z + variance.z.squareRoot() * normal[Int(bits >> 24 & 0xFFF)])
      return (SIMD4(table.signal(noisy.x), table.signal(noisy.y), table.signal(noisy.z), 0), .zero)
    }
  }
}

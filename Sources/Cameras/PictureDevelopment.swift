import Color
import Frames

/// From linear light to a layer of code values: exposure, clipping, transfer function, Y'CbCr, chroma subsampling.
///
/// Chroma is the mean over the pixels that share it (a 2×2 or 2×1 block). Luma coefficients: BT.601-7, BT.709-6,
/// BT.2020-2 (non-constant luminance); code ranges: BT.709-6 item 3 and BT.2100-2 table 9.
struct PictureDevelopment {
  /// How noise comes in.
  enum Noise {
    /// As deviations for the renderer to draw with.
    case asDeviation
    /// Drawn here, in linear light, by this key.
    case drawn(key: UInt64)
  }

  let sensor: SimulatedSensor
  let table: SignalTable
  /// 2^deviationShift / 32 code values is the unit of deviations.
  let deviationShift: Int16
  private let luma: SIMD4<Float>
  private let blueDifference: SIMD4<Float>
  private let redDifference: SIMD4<Float>
  private let lumaBlack: Float
  private let chromaZero: Float
  private let lumaScale: Float
  /// From the layer's units to units of deviation.
  private let deviationScale: Float
  private let gaussian = SeededNoise.gaussian

  init(sensor: SimulatedSensor, transfer: TransferFunction, format: FrameFormat) {
    self.sensor = sensor
    table = SignalTable(transfer, saturation: SimulatedSensor.saturation)
    let (red, blue): (Double, Double) =
      switch format.color.matrix {
      case .rec601: (0.299, 0.114)
      case .rec709: (0.2126, 0.0722)
      case .rec2020: (0.2627, 0.0593)
      }
    let unit: Double = format.layout.bitDepth == 8 ? 64 : 16
    let top = Double(1 << format.layout.bitDepth - 1) * unit
    let (black, lumaRange, chromaRange): (Double, Double, Double) =
      format.color.range == .limited ? (16 * 64, 219 * 64, 224 * 64) : (0, top, top)
    let green = 1 - red - blue
    func coefficients(_ r: Double, _ g: Double, _ b: Double) -> SIMD4<Float> { SIMD4(Float(r), Float(g), Float(b), 0) }
    luma = coefficients(red * lumaRange, green * lumaRange, blue * lumaRange)
    let toBlue = chromaRange / (2 * (1 - blue)), toRed = chromaRange / (2 * (1 - red))
    blueDifference = coefficients(-red * toBlue, -green * toBlue, (1 - blue) * toBlue)
    redDifference = coefficients((1 - red) * toRed, -green * toRed, -blue * toRed)
    lumaBlack = Float(black)
    chromaZero = 128 * 64
    lumaScale = Float(lumaRange)
    // The luma of greys has the largest deviation but for single channels; half of it as a margin.
    var largest: Float = 0
    for step in 0...1000 {
      let light = table.clip * Float(step * step) / 1_000_000
      let deviation = table.signalAndSlope(light).slope * (light * sensor.variance.shot + sensor.variance.read).squareRoot()
      largest = max(largest, deviation * Float(lumaRange) / 64)
    }
    let shift: Int16 = largest <= 8 ? 0 : largest <= 16 ? 1 : 2
    deviationShift = shift
    deviationScale = 0.5 / Float(1 << shift)
  }

  /// A level of the nominal range, 0…1, in the layer's units.
  func lumaCode(_ level: Double) -> Int16 { Int16((lumaBlack + lumaScale * Float(level)).rounded()) }

  /// The chroma of a grey, in the layer's units.
  var neutralCode: Int16 { Int16(chromaZero) }

  /// Develops the pixels of `box` (even edges) of `scene` into `layer`.
  ///
  /// - Parameter light: times the standard light.
  func develop(_ box: PixelBox, of scene: PixelPlane<SIMD4<Float>>, light: Double, noise: Noise, into layer: CodeLayer) {
    guard !box.isEmpty else { return }
    let gain = sensor.gain(light: light), rows = layer.chromaRows
    for top in stride(from: box.rows.lowerBound, to: box.rows.upperBound, by: rows) {
      let bottom = min(top + rows, box.rows.upperBound)
      for left in stride(from: box.columns.lowerBound, to: box.columns.upperBound, by: 2) {
        let right = min(left + 2, box.columns.upperBound)
        var sum = SIMD4<Float>.zero, variances = SIMD4<Float>.zero
        for y in top..<bottom {
          let pixels = unsafe scene.row(y)
          for x in left..<right {
            let light = unsafe pixels[x] * gain
            let (signal, variance) = develop(light, noise, UInt64(y * scene.width + x))
            sum += signal
            variances += variance
            put(lumaBlack + (signal * luma).sum(), (variance * luma * luma).sum(), layer, layer.luma, x, y)
          }
        }
        let count = Float((bottom - top) * (right - left))
        let mean = sum / count, spread = variances / (count * count)
        putChroma(mean, spread, left / 2, top / rows, layer)
        if right & 1 == 1, layer.planes.count == 1 { padPackedRow(layer, top, right) }
      }
    }
  }

  @inline(__always) private func putChroma(
    _ signal: SIMD4<Float>, _ variance: SIMD4<Float>, _ x: Int, _ y: Int, _ layer: CodeLayer
  ) {
    put(
      chromaZero + (signal * blueDifference).sum(), (variance * blueDifference * blueDifference).sum(),
      layer, layer.blueDifference, x, y)
    put(
      chromaZero + (signal * redDifference).sum(), (variance * redDifference * redDifference).sum(),
      layer, layer.redDifference, x, y)
  }

  /// The second luma of the last pair of an odd row repeats the first.
  private func padPackedRow(_ layer: CodeLayer, _ y: Int, _ width: Int) {
    let (codes, deviations) = (layer.planes[0].codes, layer.planes[0].deviations)
    let last = layer.luma.first + layer.luma.step * (width - 1)
    codes[last + layer.luma.step, y] = codes[last, y]
    deviations[last + layer.luma.step, y] = deviations[last, y]
  }

  @inline(__always) private func put(
    _ code: Float, _ variance: Float, _ layer: CodeLayer, _ component: CodeLayer.Component, _ x: Int, _ y: Int
  ) {
    let plane = layer.planes[component.plane], place = component.first + component.step * x
    unsafe plane.codes.row(y)[place] = Int16(max(0, min(Float(CodeLayer.highest), code.rounded())))
    unsafe plane.deviations.row(y)[place] = UInt8(min(255, (variance.squareRoot() * deviationScale).rounded()))
  }

  /// The signal of one pixel and the variance of its noise.
  @inline(__always) private func develop(
    _ light: SIMD4<Float>, _ noise: Noise, _ index: UInt64
  ) -> (signal: SIMD4<Float>, variance: SIMD4<Float>) {
    let (shot, read) = sensor.variance
    let variance = light.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: .greatestFiniteMagnitude)) * shot + read
    switch noise {
    case .asDeviation:
      let (red, green, blue) = (table.signalAndSlope(light.x), table.signalAndSlope(light.y), table.signalAndSlope(light.z))
      let slope = SIMD4(red.slope, green.slope, blue.slope, 0)
      return (SIMD4(red.signal, green.signal, blue.signal, 0), slope * slope * variance)
    case .drawn(let key):
      let bits = SeededNoise.hash(key, index)
      let deviation = variance.squareRoot()
      let noisy = SIMD4(
        light.x + deviation.x * gaussian[Int(bits & 0xFFF)], light.y + deviation.y * gaussian[Int(bits >> 12 & 0xFFF)],
        light.z + deviation.z * gaussian[Int(bits >> 24 & 0xFFF)], 0)
      return (SIMD4(table.signal(noisy.x), table.signal(noisy.y), table.signal(noisy.z), 0), .zero)
    }
  }
}

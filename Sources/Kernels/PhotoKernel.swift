import CKernels
public import Frames

/// A look on photographs: RGB of 8 or 16 bits through a table, and grain, row by row.
///
/// The grain is that of `GrainKernel`: the noise of a seed, a frame and a place is the very same. Its amplitude follows
/// the photograph's luma, and all three channels get the same, so that it has no colour.
///
/// Thread: any number at once. Only the initializer allocates.
///
/// `@unchecked Sendable`: only the initializer writes `photo`, `grain` and the amplitudes that they point to.
public final class PhotoKernel: @unchecked Sendable {
  /// A photograph's shape. Rows have no gaps; codes of 16 bits are in the machine's byte order.
  public struct Format: Hashable, Sendable {
    public var width: Int
    public var height: Int
    /// 1: grey; 3: red, green and blue. The result has 3.
    public var channels: Int
    /// 8 or 16.
    public var bits: Int
    /// 8 or 16.
    public var resultBits: Int

    public init(width: Int, height: Int, channels: Int, bits: Int, resultBits: Int) {
      self.width = width
      self.height = height
      self.channels = channels
      self.bits = bits
      self.resultBits = resultBits
    }

    /// Bytes.
    public var rowBytes: Int { width * channels * bits / 8 }
    /// Bytes.
    public var resultRowBytes: Int { width * 3 * resultBits / 8 }
  }

  /// What is done to each colour, in this order.
  public struct Steps: Sendable {
    public var before: RGBConversion?
    public var table: RGBTable
    public var after: RGBConversion?

    public init(before: RGBConversion?, table: RGBTable, after: RGBConversion?) {
      self.before = before
      self.table = table
      self.after = after
    }
  }

  public let format: Format
  private let steps: Steps
  private let seed: UInt64
  private let photo: UnsafeMutablePointer<ck_photo>
  private let grain: UnsafeMutablePointer<ck_grain>?
  private let amplitude: UnsafeMutableBufferPointer<UInt16>

  /// - Parameters:
  ///   - grain: `nil` for none.
  ///   - luma: the weights of red, green and blue in the result's luma; they add up to 1.
  ///   - level: a supported instruction set; `nil` for `KernelLevel.chosen()`.
  /// - Throws: code `usage` for a level that `KernelLevel.chosen` refuses.
  public init(
    _ steps: Steps, grain settings: GrainKernel.Settings?, luma: SIMD3<Double>, format: Format,
    level: KernelLevel? = nil
  ) throws(CamrecError) {
    let level: KernelLevel = if let level { level } else { try .chosen() }
    self.steps = steps
    self.format = format
    seed = settings?.seed ?? 0
    var prepared = ck_photo()
    prepared.kernels = level.kernels
    prepared.width = Int32(format.width)
    prepared.before = steps.before.map { UnsafePointer($0.conversion) }
    prepared.table = UnsafePointer(steps.table.table)
    prepared.after = steps.after.map { UnsafePointer($0.conversion) }
    let unit = UInt32(1) << CK_RGB_LUMA_BITS
    let red = UInt32((luma.x * Double(unit)).rounded()), blue = UInt32((luma.z * Double(unit)).rounded())
    prepared.luma = (red, unit - red - blue, blue)
    prepared.source_channels = UInt8(format.channels)
    prepared.source_bytes = UInt8(format.bits / 8)
    prepared.target_bytes = UInt8(format.resultBits / 8)
    if let settings {
      let blur = GrainBlur(sigma: settings.sigma(width: format.width, height: format.height))
      var own = ck_grain()
      own.kernels = level.kernels
      own.width = prepared.width
      own.height = Int32(format.height)
      blur.fill(&own)
      // Of the codes that share an amplitude, the middle one; black and white have none.
      let count = CK_RGB_AMPLITUDES
      let lumas = (0..<count).map { $0 == 0 ? 0 : $0 == count - 1 ? 1 : (Double($0) + 0.5) / Double(count) }
      let amplitudes = GrainAmplitudes(
        settings, blur: blur, lumas: lumas, span: 65535, step: format.resultBits == 8 ? 257 : 1)
      amplitude = .allocate(capacity: count)
      _ = amplitude.initialize(from: amplitudes.values)
      own.amplitude = UnsafePointer(amplitude.baseAddress)
      own.shift = Int32(amplitudes.shift)
      let place = UnsafeMutablePointer<ck_grain>.allocate(capacity: 1)
      place.initialize(to: own)
      grain = place
      prepared.grain = UnsafePointer(place)
    } else {
      amplitude = .allocate(capacity: 0)
      grain = nil
    }
    photo = .allocate(capacity: 1)
    photo.initialize(to: prepared)
  }

  deinit {
    photo.deallocate()
    grain?.deallocate()
    amplitude.deallocate()
  }

  /// Applies the look to some rows; any division of a photograph gives the same bits.
  ///
  /// - Parameters:
  ///   - rows: their place in the photograph, which decides on the grain.
  ///   - source: these rows alone.
  ///   - result: room for these rows alone, or more.
  ///   - number: the frame's, for the grain.
  public func apply(rows: Range<Int>, of source: [UInt8], to result: inout [UInt8], number: Int64) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= format.height, "rows outside the photograph")
    precondition(
      source.count >= rows.count * format.rowBytes && result.count >= rows.count * format.resultRowBytes,
      "too little room for the rows")
    source.withUnsafeBytes { source in
      result.withUnsafeMutableBytes { result in
        var strip = ck_photo_rows(
          first: Int32(rows.lowerBound), end: Int32(rows.upperBound), source: source.baseAddress,
          source_stride: format.rowBytes, target: result.baseAddress, target_stride: format.resultRowBytes)
        ck_photo_apply(photo, seed, number, &strip)
      }
    }
  }

  /// The blur's weights from the middle on, in 2^−15, and what the blurred noise is multiplied by, by luma, in
  /// 2^−shift; without grain, nothing.
  package var constants: (weights: [Int16], amplitudes: [UInt16], shift: Int) {
    guard let grain else { return ([], [], 0) }
    let weights = withUnsafeBytes(of: grain.pointee.weights) { bytes in
      Array(bytes.bindMemory(to: Int16.self).prefix(Int(grain.pointee.radius) + 1))
    }
    return (weights, Array(amplitude), Int(grain.pointee.shift))
  }
}

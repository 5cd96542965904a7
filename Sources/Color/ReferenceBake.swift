public import Frames

/// The definition of the bake, in double precision: slow and plain. The kernels are checked against it.
///
/// A 2×2 (4:2:0), 2×1 (4:2:2) or 1×1 (4:4:4) block shares its chroma sample on the way in, and averages its pixels'
/// results on the way out before it rounds. Blocks at an odd edge average the pixels that exist. An identity table
/// therefore returns every in-gamut pixel, and no frame moves by half a pixel. R'G'B' is clamped to the table's domain
/// on the way in and nowhere else; the output is clamped to 0…2ⁿ − 1.
public struct ReferenceBake: Sendable {
  /// The meaning of the code values on one side.
  public struct Coding: Hashable, Sendable {
    public let matrix: ColorMatrix
    public let range: ColorRange
    public let bitDepth: Int
    public let chroma: ChromaSubsampling

    public init(layout: PixelLayout, color: ColorDescription) {
      matrix = color.matrix
      range = color.range
      bitDepth = layout.bitDepth
      chroma = layout.chroma
    }

    public var scale: CodeScale { CodeScale(range: range, bitDepth: bitDepth) }
  }

  /// The result before rounding and clamping, in output codes; the arrays are those of `PictureSamples`.
  public struct Values: Sendable {
    public fileprivate(set) var luma: [Double]
    public fileprivate(set) var cb: [Double]
    public fileprivate(set) var cr: [Double]
  }

  public let input: Coding
  public let output: Coding
  public let lut: LookupTable?
  public let interpolation: Interpolation

  public init(input: Coding, output: Coding, lut: LookupTable?, interpolation: Interpolation = .tetrahedral) {
    self.input = input
    self.output = output
    self.lut = lut
    self.interpolation = interpolation
  }

  /// - Precondition: `source` has the input's chroma subsampling.
  public func bake(_ source: PictureSamples) -> PictureSamples {
    let values = values(source)
    let maximum = Double(output.scale.maximum)
    // Half a code rounds up. An exact half may be 1e-12 less here, hence the billionth.
    func code(_ value: Double) -> Int { Int(min(max((value + 0.5 + 1e-9).rounded(.down), 0), maximum)) }
    return PictureSamples(
      width: source.width, height: source.height, chroma: output.chroma,
      luma: values.luma.map(code), cb: values.cb.map(code), cr: values.cr.map(code))
  }

  /// - Precondition: `source` has the input's chroma subsampling.
  public func values(_ source: PictureSamples) -> Values {
    precondition(source.chroma == input.chroma, "the picture has the input's chroma")
    let chromaWidth = output.chroma.samples(width: source.width)
    let blocks = chromaWidth * output.chroma.rows(height: source.height)
    var result = Values(
      luma: [], cb: Array(repeating: 0, count: blocks), cr: Array(repeating: 0, count: blocks))
    var pixels = Array(repeating: 0.0, count: blocks)
    for y in 0..<source.height {
      for x in 0..<source.width {
        let from = source.block(x: x, y: y)
        let codes = convert(luma: source.luma[x + y * source.width], cb: source.cb[from], cr: source.cr[from])
        let to = x / output.chroma.across + chromaWidth * (y / output.chroma.down)
        result.luma.append(codes.x)
        result.cb[to] += codes.y
        result.cr[to] += codes.z
        pixels[to] += 1
      }
    }
    for block in 0..<blocks {
      result.cb[block] /= pixels[block]
      result.cr[block] /= pixels[block]
    }
    return result
  }

  /// One pixel: codes in, codes out.
  private func convert(luma: Int, cb: Int, cr: Int) -> SIMD3<Double> {
    let from = input.scale, to = output.scale
    var yCbCr = SIMD3(
      Double(luma - from.lumaOffset) / Double(from.lumaSpan),
      Double(cb - from.chromaOffset) / Double(from.chromaSpan),
      Double(cr - from.chromaOffset) / Double(from.chromaSpan))
    if lut != nil || input.matrix != output.matrix {
      var rgb = input.matrix.rgb(luma: yCbCr.x, cb: yCbCr.y, cr: yCbCr.z)
      if let lut { rgb = lut.evaluate(rgb, interpolation: interpolation) }
      yCbCr = output.matrix.yCbCr(rgb)
    }
    return SIMD3(
      Double(to.lumaOffset) + Double(to.lumaSpan) * yCbCr.x,
      Double(to.chromaOffset) + Double(to.chromaSpan) * yCbCr.y,
      Double(to.chromaOffset) + Double(to.chromaSpan) * yCbCr.z)
  }
}

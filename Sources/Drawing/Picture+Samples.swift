public import Color
public import Frames

extension Picture {
  /// The picture on a display that shows its codes unchanged, reduced to at most `width` pixels a row by averaging
  /// squares of pixels.
  public init(_ samples: PictureSamples, layout: PixelLayout, color: ColorDescription, width most: Int) {
    let scale = CodeScale(range: color.range, bitDepth: layout.bitDepth)
    let step = max(1, (samples.width + most - 1) / most)
    let width = (samples.width + step - 1) / step
    let height = (samples.height + step - 1) / step
    self.init(width: width, height: height, [0, 0, 0])
    for y in 0..<height {
      for x in 0..<width {
        var sum = SIMD3<Double>()
        var count = 0.0
        for row in (y * step)..<min((y + 1) * step, samples.height) {
          for column in (x * step)..<min((x + 1) * step, samples.width) {
            sum += samples.signal(column, row, scale, color.matrix)
            count += 1
          }
        }
        set(x, y, sum / count)
      }
    }
  }

  /// The difference of two pictures of one size: grey where they are equal, plus or minus `gain` times the difference.
  public static func difference(_ first: Picture, _ second: Picture, gain: Double) -> Picture {
    precondition(first.width == second.width && first.height == second.height, "pictures of one size are compared")
    var picture = Picture(width: first.width, height: first.height, [0.5, 0.5, 0.5])
    for y in 0..<first.height {
      for x in 0..<first.width {
        let place = 3 * (y * first.width + x)
        var color = SIMD3<Double>()
        for channel in 0..<3 {
          let difference = Double(second.bytes[place + channel]) - Double(first.bytes[place + channel])
          color[channel] = 0.5 + gain * difference / 255
        }
        picture.set(x, y, color)
      }
    }
    return picture
  }
}

extension PictureSamples {
  /// R'G'B', 0…1 inside the nominal range.
  func signal(_ x: Int, _ y: Int, _ scale: CodeScale, _ matrix: ColorMatrix) -> SIMD3<Double> {
    let chroma = block(x: x, y: y)
    return matrix.rgb(
      luma: (Double(luma[y * width + x]) - Double(scale.lumaOffset)) / Double(scale.lumaSpan),
      cb: (Double(cb[chroma]) - Double(scale.chromaOffset)) / Double(scale.chromaSpan),
      cr: (Double(cr[chroma]) - Double(scale.chromaOffset)) / Double(scale.chromaSpan))
  }
}

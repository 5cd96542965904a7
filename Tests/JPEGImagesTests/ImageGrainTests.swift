import Frames
import JPEGDecoding
import JPEGImages
import Kernels
import Testing

/// What an image of quality 85 keeps of a look's grain, by camrec's own encoder and decoder.
@Suite struct ImageGrainTests {
  /// Parts of what went in: sigma, and the grain itself.
  private func kept(quality: Int) throws -> (sigma: Double, itself: Double) {
    let format = FrameFormat(width: 256, height: 256, layout: .yuv420p, color: PaintedFrame.color), grey = 102.0
    let pool = FramePool(format: format, capacity: 1)
    guard var frame = pool.take() else { throw CamrecError(.defect, "there is no frame") }
    for plane in 0..<3 {
      frame.withMutablePlane(plane) { bytes in
        for at in bytes.indices { bytes[at] = plane == 0 ? UInt8(grey) : 128 }
      }
    }
    let settings = GrainKernel.Settings(intensity: 0.04, size: Rational(1, 3000), seed: 1)
    try GrainKernel(settings, format: format).add(to: &frame, number: 0)
    let stride = format.stride(plane: 0)
    let grain = frame.withPlane(0) { bytes in
      (0..<format.height * format.width).map { at -> Double in
        Double(bytes[at / format.width * stride + at % format.width]) - grey
      }
    }
    let image = try JPEGEncoder(format: format, quality: quality).image(of: frame)
    var pixels: [UInt8] = []
    let size = try JPEGDecoder().decode(image, into: &pixels)
    try #require(size.width * size.height == grain.count)
    // Blue, green, red and an unused byte.
    let left = (0..<grain.count).map { at -> Double in
      let blue = Double(pixels[4 * at]), green = Double(pixels[4 * at + 1]), red = Double(pixels[4 * at + 2])
      return 0.299 * red + 0.587 * green + 0.114 * blue - grey
    }
    let power = grain.reduce(0) { $0 + $1 * $1 }, leftPower = left.reduce(0) { $0 + $1 * $1 }
    let common = zip(grain, left).reduce(0) { $0 + $1.0 * $1.1 }
    return ((leftPower / power).squareRoot(), common / power)
  }

  @Test func quality85KeepsIt_andALowOneDoesNot() throws {
    let good = try kept(quality: 85), bad = try kept(quality: 40)
    #expect(good.sigma > 0.88 && good.sigma < 1.12 && good.itself > 0.88, "\(good)")
    #expect(bad.itself < 0.88, "\(bad)")
  }
}

import CFFmpeg
import Frames

extension AVFrame {
  /// The first byte of `plane` (0…2), and the bytes from one row to the next.
  func plane(_ plane: Int) -> (start: UnsafeMutablePointer<UInt8>?, stride: Int) {
    switch plane {
    case 0: (data.0, Int(linesize.0))
    case 1: (data.1, Int(linesize.1))
    default: (data.2, Int(linesize.2))
    }
  }

  /// Copies the planes of `frame`, which has this picture's format and size. This picture has memory of its own.
  func fill(with frame: borrowing Frame) {
    let format = frame.format
    for index in 0..<format.planeCount {
      let (start, stride) = plane(index), row = format.layout.rowBytes(plane: index, width: format.width)
      frame.withPlane(index) { bytes in
        guard let start, let source = bytes.baseAddress else { return }
        for y in 0..<format.layout.rows(plane: index, height: format.height) {
          UnsafeMutableRawPointer(start + y * stride)
            .copyMemory(from: source + y * format.stride(plane: index), byteCount: row)
        }
      }
    }
  }

  /// Fills this picture of planar 4:2:2, which has memory of its own, with `source` of planar 4:2:0, both of 8 bits:
  /// each row of chroma stands for two, as in the bake.
  func fillDoublingChromaRows(of source: AVFrame) {
    for index in 0..<3 {
      let (target, targetStride) = plane(index), (origin, originStride) = source.plane(index)
      guard let target, let origin else { continue }
      let row = index == 0 ? Int(width) : (Int(width) + 1) / 2
      for y in 0..<Int(height) {
        (target + y * targetStride).update(from: origin + (index == 0 ? y : y / 2) * originStride, count: row)
      }
    }
  }

  /// Fills this picture of planar 4:2:2, which has memory of its own, with a plane of luma and one of Cb and Cr in turn
  /// (Cr and Cb where `swapped`), both of 8 bits.
  func fillSplittingChroma(of bytes: UnsafeRawBufferPointer, stride: Int, chromaStride: Int, swapped: Bool) {
    guard let luma = data.0, let cb = data.1, let cr = data.2, let origin = bytes.baseAddress else { return }
    let (first, second) = swapped ? (cr, cb) : (cb, cr)
    let (firstStride, secondStride) = (Int(linesize.1), Int(linesize.2))
    for row in 0..<Int(height) {
      UnsafeMutableRawPointer(luma + row * Int(linesize.0)).copyMemory(
        from: origin + row * stride, byteCount: Int(width))
      let from = (origin + Int(height) * stride + row * chromaStride).assumingMemoryBound(to: UInt8.self)
      let toFirst = first + row * firstStride, toSecond = second + row * secondStride
      for x in 0..<((Int(width) + 1) / 2) {
        toFirst[x] = from[2 * x]
        toSecond[x] = from[2 * x + 1]
      }
    }
  }

  /// Fills this picture of planar 4:2:2, which has memory of its own, with packed 4:4:4 samples of 8 bits: two
  /// neighbours' chroma becomes its mean, half rounded up; the last of an odd row stands alone.
  ///
  /// - Parameters:
  ///   - bytes: rows of `stride` bytes, `pixel` bytes for each pixel; the last row may lack its padding.
  ///   - y, cb, cr: the places of the components in a pixel.
  func fillHalvingChroma(of bytes: UnsafeRawBufferPointer, stride: Int, pixel: Int, y: Int, cb: Int, cr: Int) {
    guard let luma = data.0, let blue = data.1, let red = data.2, let origin = bytes.baseAddress else { return }
    let width = Int(width)
    for row in 0..<Int(height) {
      let from = (origin + row * stride).assumingMemoryBound(to: UInt8.self)
      let toLuma = luma + row * Int(linesize.0), toBlue = blue + row * Int(linesize.1),
        toRed = red + row * Int(linesize.2)
      for x in 0..<width { toLuma[x] = from[x * pixel + y] }
      for x in 0..<((width + 1) / 2) {
        let left = from + 2 * x * pixel, right = from + min(2 * x + 1, width - 1) * pixel
        toBlue[x] = UInt8((Int(left[cb]) + Int(right[cb]) + 1) / 2)
        toRed[x] = UInt8((Int(left[cr]) + Int(right[cr]) + 1) / 2)
      }
    }
  }
}

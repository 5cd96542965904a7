import Frames

/// A long run of standard normal noise, ±4 deviations of 32; each row of a frame starts at some place in it.
///
/// `@unchecked Sendable`: written once, before it is shared.
@safe final class NoiseTile: @unchecked Sendable {
  static let count = 1 << 17
  let samples: PixelPlane<Int8>

  init(seed: UInt64) {
    samples = PixelPlane(width: NoiseTile.count, height: 1, repeating: 0)
    let gaussian = SeededNoise.gaussian
    for index in 0..<NoiseTile.count {
      let bits = SeededNoise.hash(seed, UInt64(index))
      samples[index, 0] = Int8(clamping: Int((gaussian[Int(bits >> 52)] * 32).rounded()))
    }
  }

  /// A place from which `count` samples can be read.
  func place(_ count: Int, key: UInt64, row: UInt64) -> UnsafePointer<Int8> {
    precondition(count < NoiseTile.count, "a row is shorter than the noise")
    return unsafe UnsafePointer(samples.row(0)) + Int(SeededNoise.hash(key, row) % UInt64(NoiseTile.count - count))
  }
}

extension CodeLayer {
  /// Writes the picture with its noise into `frame`, which has the layer's format.
  ///
  /// - Parameters:
  ///   - deviationShift: the scale of the deviations, −2…2.
  ///   - key: selects the noise; the same key gives the same samples.
  func render(into frame: inout Frame, noise: NoiseTile, deviationShift: Int16, key: UInt64) {
    precondition(frame.format == format, "a frame has the layer's format")
    let tenBits = format.layout.bitDepth == 10
    let raised = UInt16(format.layout.codeShift)
    for (index, plane) in planes.enumerated() {
      let (count, stride) = (plane.codes.width, format.stride(plane: index))
      unsafe frame.withMutablePlane(index) { bytes in
        let start = unsafe bytes.baseAddress.unsafelyUnwrapped
        for row in 0..<plane.codes.height {
          let tile = unsafe noise.place(count, key: key, row: UInt64(index << 32 | row))
          let codes = unsafe UnsafePointer(plane.codes.row(row))
          let deviations = unsafe UnsafePointer(plane.deviations.row(row))
          let target = unsafe start + row * stride
          if tenBits {
            unsafe CodeLayer.write(
              codes, deviations, tile, count, 4 - deviationShift, raised,
              to: target.assumingMemoryBound(to: UInt16.self))
          } else {
            unsafe CodeLayer.write(
              codes, deviations, tile, count, 4 - deviationShift, to: target.assumingMemoryBound(to: UInt8.self))
          }
        }
      }
    }
  }

  /// A row of 8 bits: (code + (noise · deviation >> shift)) / 64, rounded and clamped to the code range.
  @inline(never) private static func write(
    _ codes: UnsafePointer<Int16>, _ deviations: UnsafePointer<UInt8>, _ tile: UnsafePointer<Int8>, _ count: Int,
    _ shift: Int16, to target: UnsafeMutablePointer<UInt8>
  ) {
    for index in 0..<count {
      let noise = unsafe (Int16(tile[index]) &* Int16(deviations[index])) &>> shift
      let code = unsafe (codes[index] &+ noise &+ 32) &>> 6
      unsafe target[index] = UInt8(truncatingIfNeeded: max(0, min(255, code)))
    }
  }

  /// A row of 10 bits: (code + (noise · deviation >> shift)) / 16, rounded, clamped and shifted into place.
  @inline(never) private static func write(
    _ codes: UnsafePointer<Int16>, _ deviations: UnsafePointer<UInt8>, _ tile: UnsafePointer<Int8>, _ count: Int,
    _ shift: Int16, _ raised: UInt16, to target: UnsafeMutablePointer<UInt16>
  ) {
    for index in 0..<count {
      let noise = unsafe (Int16(tile[index]) &* Int16(deviations[index])) &>> shift
      let code = unsafe (codes[index] &+ noise &+ 8) &>> 4
      unsafe target[index] = UInt16(truncatingIfNeeded: max(0, min(1023, code))) &<< raised
    }
  }
}

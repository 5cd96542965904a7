import Color
import Kernels

/// The grain written down once more, sample by sample and without any of the kernels' arrangements.
struct PlainGrain {
  let seed: UInt64
  /// From the middle on, in 2^−15.
  let weights: [Int]
  /// By code.
  let amplitude: [Int]
  let shift: Int

  init(_ kernel: GrainKernel) {
    let constants = kernel.constants
    seed = kernel.settings.seed
    weights = constants.weights.map(Int.init)
    amplitude = constants.amplitudes.map(Int.init)
    shift = constants.shift
  }

  init(_ kernel: PhotoKernel) {
    let constants = kernel.constants
    seed = 99
    weights = constants.weights.map(Int.init)
    amplitude = constants.amplitudes.map(Int.init)
    shift = constants.shift
  }

  func added(to samples: PictureSamples, frame: Int64) -> [Int] {
    let noise = noise(width: samples.width, height: samples.height, frame: frame)
    return samples.luma.indices.map { index in
      let code = samples.luma[index], grain = noise[index] * amplitude[code] + (1 << (shift - 1))
      return min(max(code + grain >> shift, 0), amplitude.count - 1)
    }
  }

  /// To RGB of 16 bits.
  ///
  /// - Parameter luma: the weights, in 2^−16.
  func added(
    to pixels: [SIMD3<Int>], width: Int, height: Int, luma: SIMD3<Int>, frame: Int64
  ) -> [SIMD3<Int>] {
    let noise = noise(width: width, height: height, frame: frame)
    return pixels.indices.map { index in
      let pixel = pixels[index], grey = (pixel &* luma).wrappedSum() >> 16
      let grain = (noise[index] * amplitude[grey / 16] + (1 << (shift - 1))) >> shift
      return SIMD3(
        min(max(pixel.x + grain, 0), 65535), min(max(pixel.y + grain, 0), 65535), min(max(pixel.z + grain, 0), 65535))
    }
  }

  /// The blurred noise.
  private func noise(width: Int, height: Int, frame: Int64) -> [Int] {
    let radius = weights.count - 1
    let key = Self.mixed(seed ^ Self.mixed(UInt64(bitPattern: frame) &+ 1))
    var columns: [Int: [Int]] = [:]
    for y in -radius..<height + radius {
      let noise = (-radius..<width + radius).map { Self.noise(x: $0, y: y, key) }
      columns[y] = (0..<width).map { x in blurred { noise[x + radius + $0] } }
    }
    return (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      return blurred { columns[y + $0]![x] }
    }
  }

  private func blurred(_ sample: (Int) -> Int) -> Int {
    (1..<weights.count).reduce(rounded(sample(0) * weights[0])) {
      $0 + rounded((sample(-$1) + sample($1)) * weights[$1])
    }
  }

  private func rounded(_ product: Int) -> Int { (product + 1 << 14) >> 15 }

  private static func mixed(_ number: UInt64) -> UInt64 {
    var x = number
    x = (x ^ x >> 30) &* 0xbf58_476d_1ce4_e5b9
    x = (x ^ x >> 27) &* 0x94d0_49bb_1331_11eb
    return x ^ x >> 31
  }

  private static func noise(x: Int, y: Int, _ key: UInt64) -> Int {
    let row = mixed(key &+ 0x9e37_79b9_7f4a_7c15 &* UInt64(bitPattern: Int64(y + 127)))
    let (low, high) = (UInt32(truncatingIfNeeded: row), UInt32(row >> 32)), place = x + 64
    var hash = UInt32(place / 4) &* 0x9e37_79b9 &+ low
    hash = (hash ^ hash >> 17) &* 0xed5a_d4bb ^ high
    hash = (hash ^ hash >> 11) &* 0xac4c_1b51
    hash ^= hash >> 15
    return Int(Int8(truncatingIfNeeded: hash >> UInt32(8 * (place % 4)))) * 128 + 64
  }
}

import CKernels
public import Color
import Foundation

/// From the codes of one RGB space to those of another, through linear light, in integers. Light is held within 0 and 1
/// before it is encoded.
///
/// Thread: any number at once.
///
/// `@unchecked Sendable`: only the initializer writes `conversion`.
public final class RGBConversion: @unchecked Sendable {
  private let light: [TableMemory<Int32>]
  private let codes: TableMemory<UInt16>
  private let gain: TableMemory<Int32>?
  let conversion: UnsafeMutablePointer<ck_rgb_conversion>

  /// Samples of each curve from codes to light.
  public static let curveCount = 65536

  /// What light is multiplied by before the matrix, by its luminance.
  public struct Gain {
    /// Of red, green and blue in luminance; they add up to 1.
    public var weights: SIMD3<Double>
    /// The factor for a luminance of 0 to 1, 0…1.
    public var factor: (Double) -> Double

    public init(weights: SIMD3<Double>, factor: @escaping (Double) -> Double) {
      self.weights = weights
      self.factor = factor
    }
  }

  /// - Parameters:
  ///   - curves: light by code for red, green and blue, −1…1, `curveCount` samples each from code 0 to the highest.
  ///   - matrix: linear light of the first space to that of the second, with any gain.
  ///   - encode: the signal for light from 0 to 1, both ends included, 0…1.
  public init(curves: [[Double]], gain: Gain? = nil, matrix: Matrix3, encode: (Double) -> Double) {
    precondition(curves.count == 3 && curves.allSatisfy { $0.count == Self.curveCount }, "three whole curves")
    let unit = exp2(Double(CK_LIGHT_BITS))
    var light: [TableMemory<Int32>] = []
    for (channel, curve) in curves.enumerated() {
      // Channels of one curve share its table, so that it stays in the caches next to a core.
      if let same = curves[..<channel].firstIndex(of: curve) {
        light.append(light[same])
        continue
      }
      light.append(
        TableMemory(count: curve.count) { elements in
          for (code, value) in curve.enumerated() { elements[code] = Int32((min(max(value, -1), 1) * unit).rounded()) }
        })
    }
    self.light = light
    let last = 1 << CK_ENCODED_LIGHT_BITS
    codes = TableMemory(count: last + 1) { elements in
      for index in 0...last {
        elements[index] = UInt16((min(max(encode(Double(index) / Double(last)), 0), 1) * 65535).rounded())
      }
    }
    self.gain = gain.map { gain in
      TableMemory(count: last + 1) { elements in
        for index in 0...last {
          elements[index] = Int32((min(max(gain.factor(Double(index) / Double(last)), 0), 1) * unit).rounded())
        }
      }
    }
    let rows = [matrix.rows.0, matrix.rows.1, matrix.rows.2]
    let greatest = rows.map { max($0.max(), -$0.min()) }.max() ?? 1
    // As many fraction bits as the greatest coefficient leaves of 31; the sums, with 24 bits of light, have 64.
    let bits = min(max(29 - Int(log2(max(greatest, 1e-9)).rounded(.up)), 0), 30)
    conversion = .allocate(capacity: 1)
    var prepared = ck_rgb_conversion()
    prepared.decode = (
      UnsafePointer(light[0].address), UnsafePointer(light[1].address), UnsafePointer(light[2].address)
    )
    if let gain, let table = self.gain {
      prepared.gain = UnsafePointer(table.address)
      let red = Int32((gain.weights.x * unit).rounded()), blue = Int32((gain.weights.z * unit).rounded())
      prepared.luminance = (red, Int32(unit) - red - blue, blue)
    }
    withUnsafeMutableBytes(of: &prepared.matrix) { bytes in
      let room = bytes.bindMemory(to: Int32.self)
      for (index, row) in rows.enumerated() {
        for channel in 0..<3 { room[3 * index + channel] = Int32((row[channel] * exp2(Double(bits))).rounded()) }
      }
    }
    prepared.matrix_bits = Int32(bits)
    prepared.encode = UnsafePointer(codes.address)
    conversion.initialize(to: prepared)
  }

  deinit { conversion.deallocate() }
}

extension RGBConversion {
  /// The codes that show on an sRGB display what codes of other colours mean.
  public convenience init(_ transform: DisplayTransform) {
    let last = Double(Self.curveCount - 1)
    let curve = (0..<Self.curveCount).map { transform.light(Double($0) / last) / transform.peak }
    self.init(
      curves: [curve, curve, curve],
      gain: transform.gain.map { gain in Gain(weights: transform.luminance) { gain.factor($0) } },
      matrix: Matrix3(diagonal: SIMD3(repeating: transform.peak)) * transform.toRec709, encode: DisplayTransform.encode)
  }
}

import Color

/// A transfer function as a table: from linear light up to the clipping point to signal and slope, accurate to 10⁻⁵ of
/// the signal.
///
/// The entries are spaced like floating-point numbers, 128 to an octave of (x + 1/16), which is fine where curves bend.
/// Light below −1/16 counts as −1/16.
@safe struct SignalTable {
  /// The value above which light is clipped.
  let clip: Float
  /// Signal at the entry, its increase to the next entry, its increase per unit of light, unused.
  private let entries: PixelPlane<SIMD4<Float>>

  private static let bias: Float = 0x1p-4
  private static let smallest: Float = 0x1p-12
  private static let fractionBits: UInt32 = 16

  init(_ transfer: TransferFunction, saturation: Double) {
    let full = transfer.decode(1.0)
    clip = Float(min(full, saturation))
    func light(_ entry: Int) -> Double {
      Double(Float(bitPattern: SignalTable.smallest.bitPattern + UInt32(entry) << SignalTable.fractionBits))
        - Double(SignalTable.bias)
    }
    let last = SignalTable.position(clip).entry
    entries = PixelPlane(width: last + 1, height: 1, repeating: .zero)
    for entry in 0...last {
      let (low, high) = (light(entry), light(entry + 1))
      let (from, to) = (transfer.encode(low), transfer.encode(high))
      entries[entry, 0] = SIMD4(Float(from), Float(to - from), Float((to - from) / (high - low)), 0)
    }
  }

  @inline(__always) private static func position(_ light: Float) -> (entry: Int, fraction: Float) {
    let bits = max(light + bias, smallest).bitPattern &- smallest.bitPattern
    return (Int(bits >> fractionBits), Float(bits & 0xFFFF) * 0x1p-16)
  }

  // Light is clipped below the last entry, so that `entry` is always inside.

  /// The signal of `light`, which is clipped here.
  @inline(__always) func signal(_ light: Float) -> Float {
    let (entry, fraction) = SignalTable.position(min(light, clip))
    let found = unsafe entries.row(0)[entry]
    return found.x + found.y * fraction
  }

  /// The signal of `light`, and its increase per unit of light: 0 where it is clipped.
  @inline(__always) func signalAndSlope(_ light: Float) -> (signal: Float, slope: Float) {
    let (entry, fraction) = SignalTable.position(min(light, clip))
    let found = unsafe entries.row(0)[entry]
    return (found.x + found.y * fraction, light < clip ? found.z : 0)
  }
}

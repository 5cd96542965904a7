import Foundation
public import Frames

/// How signals of any colours look on an sRGB display, pixel by pixel and without a tone curve: the light that they
/// mean, in sRGB's primaries, from black to the display's white. Darker and brighter channels are clipped.
///
/// | transfer | light 1, the display's white |
/// | --- | --- |
/// | Rec. 709, sRGB | signal 1; both are decoded with sRGB's curve, as other displays' colours are (`VideoLook`) |
/// | linear, log curves | scene light 1: a perfect diffuser (`TransferFunction`) |
/// | PQ (SMPTE ST 2084) | 203 cd/m², the reference white of ITU-R BT.2408-7, table 1 |
/// | HLG (ITU-R BT.2100-2, table 5) | 203 cd/m² on a display of 1000 cd/m², which is signal 0.75 |
///
/// What is not known counts as Rec. 709's. All these spaces have D65 as their white.
public struct DisplayTransform: Hashable, Sendable {
  /// HLG's system gamma: light is multiplied by a power of its luminance (BT.2100-2, table 5).
  public struct Gain: Hashable, Sendable {
    /// For a luminance of 0 to 1, as parts of the display's peak.
    public func factor(_ luminance: Double) -> Double { pow(luminance, 0.2) }
  }

  private let transfer: TransferCharacteristic
  private let curve: TransferFunction?
  /// Linear light of the source's primaries to that of Rec. 709's.
  public let toRec709: Matrix3
  /// The weights of the source's red, green and blue in luminance.
  public let luminance: SIMD3<Double>

  private static let referenceWhite = 203.0
  private static let hlgPeak = 1000.0

  public init(_ color: ColorDescription) {
    transfer = color.transfer
    curve = TransferFunction(color.transfer)
    let space = RGBSpace(color.primaries) ?? .rec709
    toRec709 = space.matrix(to: .rec709)
    luminance = space.toXYZ.rows.1
  }

  /// The greatest light of a channel, for signal 1, in the display's white.
  public var peak: Double {
    switch transfer {
    case .pq: 10_000 / Self.referenceWhite
    case .hlg: Self.hlgPeak / Self.referenceWhite
    case .linear, .appleLog, .slog3, .vlog, .logC3, .logC4, .fLog2, .cLog3: curve?.decode(1) ?? 1
    case .rec709, .srgb, .unspecified: 1
    }
  }

  /// `nil` where each channel's light depends on its own signal alone.
  public var gain: Gain? { transfer == .hlg ? Gain() : nil }

  /// A channel's light for its signal of 0…1, before `gain`, in the display's white. Below black, some log curves have
  /// light below 0.
  public func light(_ signal: Double) -> Double {
    switch transfer {
    case .pq: Self.pq(signal) * peak
    case .hlg: Self.hlg(signal) * peak
    case .linear, .appleLog, .slog3, .vlog, .logC3, .logC4, .fLog2, .cLog3: curve?.decode(signal) ?? signal
    case .rec709, .srgb, .unspecified: SRGB.decode(signal)
    }
  }

  /// The sRGB signal, 0…1, for a signal that is held within 0 and 1.
  public func sRGB(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    let held = signal.clamped(lowerBound: .zero, upperBound: .one)
    var light = SIMD3(light(held.x), light(held.y), light(held.z))
    if let gain { light *= gain.factor((luminance * light).sum() / peak) }
    let shown = (toRec709 * light).clamped(lowerBound: .zero, upperBound: .one)
    return SIMD3(SRGB.encode(shown.x), SRGB.encode(shown.y), SRGB.encode(shown.z))
  }

  /// sRGB's signal for light of 0…1.
  public static func encode(_ light: Double) -> Double { SRGB.encode(light) }

  /// Signal to parts of 10,000 cd/m² (SMPTE ST 2084:2014, 5.2).
  private static func pq(_ signal: Double) -> Double {
    let m1 = 2610.0 / 16384, m2 = 2523.0 / 32, c1 = 3424.0 / 4096, c2 = 2413.0 / 128, c3 = 2392.0 / 128
    let root = pow(signal, 1 / m2)
    return pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
  }

  /// Signal to scene light of 0…1 (ITU-R BT.2100-2, table 5).
  private static func hlg(_ signal: Double) -> Double {
    let a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a)
    return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
  }
}

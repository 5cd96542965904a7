public import Frames

/// Converts scene-linear light to a signal, and back.
///
/// Scene-linear: 0 is black, 0.18 an 18 % grey card, 1 a perfect diffuser, at the exposure that the curve was designed
/// for. The signal is 0…1 as the curve's own paper counts it. Nothing is clamped: values below 0 and above 1 follow the
/// continued curve, so that `decode(encode(x)) == x` up to rounding (only Apple Log ends, at −0.056).
///
/// | curve | 18 % grey | source |
/// | --- | --- | --- |
/// | `rec709` | 0.4090 | ITU-R BT.709-6, item 1.2; constants to full precision as in BT.2020-2, table 4 |
/// | `srgb` | 0.4614 | IEC 61966-2-1:1999 |
/// | `linear` | 0.18 | |
/// | `appleLog` | 0.4882725 | Apple, "Apple Log Profile White Paper", September 2023 |
/// | `slog3` | 420/1023 | Sony, "Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3", appendix |
/// | `vlog` | 0.4233 | Panasonic, "V-Log/V-Gamut Reference Manual", November 2014 |
/// | `logC3` | 0.3910 | ARRI, "ALEXA Log C Curve: Usage in VFX", LogC v3, EI 800, scene-linear constants |
/// | `logC4` | 0.2784 | ARRI, "LogC4 Logarithmic Color Space Specification", 2022 |
/// | `fLog2` | 0.3910 | Fujifilm, "F-Log2 Data Sheet", version 1.0 |
/// | `cLog3` | 0.3434 | Canon, "Canon Log Gamma Curves", 2018, and Canon's input transforms for ACES |
///
/// The camera makers' papers count in 10-bit code values over 1023, even for recordings in limited range.
/// PQ and HLG are left out: both need a viewing condition before a scene value means anything.
public struct TransferFunction: Hashable, Sendable {
  public let characteristic: TransferCharacteristic

  /// `nil` for `pq`, `hlg` and `unspecified`.
  public init?(_ characteristic: TransferCharacteristic) {
    switch characteristic {
    case .rec709, .srgb, .linear, .appleLog, .slog3, .vlog, .logC3, .logC4, .fLog2, .cLog3:
      self.characteristic = characteristic
    case .pq, .hlg, .unspecified: return nil
    }
  }

  /// Scene-linear light to signal.
  public func encode(_ linear: Double) -> Double {
    switch characteristic {
    case .rec709: Self.odd(linear, Rec709.encode)
    case .srgb: Self.odd(linear, SRGB.encode)
    case .appleLog: AppleLog.encode(linear)
    case .slog3: SLog3.encode(linear)
    case .vlog: VLog.encode(linear)
    case .logC3: LogC3.encode(linear)
    case .logC4: LogC4.encode(linear)
    case .fLog2: FLog2.encode(linear)
    case .cLog3: CLog3.encode(linear)
    case .linear, .pq, .hlg, .unspecified: linear
    }
  }

  /// Signal to scene-linear light.
  public func decode(_ signal: Double) -> Double {
    switch characteristic {
    case .rec709: Self.odd(signal, Rec709.decode)
    case .srgb: Self.odd(signal, SRGB.decode)
    case .appleLog: AppleLog.decode(signal)
    case .slog3: SLog3.decode(signal)
    case .vlog: VLog.decode(signal)
    case .logC3: LogC3.decode(signal)
    case .logC4: LogC4.decode(signal)
    case .fLog2: FLog2.decode(signal)
    case .cLog3: CLog3.decode(signal)
    case .linear, .pq, .hlg, .unspecified: signal
    }
  }

  /// Each channel by itself.
  public func encode(_ linear: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(encode(linear.x), encode(linear.y), encode(linear.z))
  }

  /// Each channel by itself.
  public func decode(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(decode(signal.x), decode(signal.y), decode(signal.z))
  }

  /// A power curve continued below zero by point symmetry (as IEC 61966-2-4 does for xvYCC).
  private static func odd(_ value: Double, _ curve: (Double) -> Double) -> Double {
    value < 0 ? -curve(-value) : curve(value)
  }
}

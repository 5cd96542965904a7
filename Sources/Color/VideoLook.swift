import Foundation
public import Frames

/// Turns log footage into a picture for a Rec.709, sRGB or Display P3 display: with a shoulder in the tone curve,
/// colours that keep their hue while they brighten and fade to white, and a soft limit at the edge of the gamut.
///
/// Let E be the scene-linear light as Rec.2020 RGB, and w the light that signal 1 stands for (12 for Apple Log):
///
/// 1. Tone. V(x) = x · (1 + m/w) / (x + m), with m such that V(0.18) = 0.42; V(w) = 1. Around 18 % grey, one EV is 0.17
///    of the signal (0.16 in a Rec.709 camera). A diffuse white of 0.9 lands at 0.79; the shoulder above it puts +3 EV
///    over grey at 0.87, +4 at 0.94, +5 at 0.98, +6 at 1.00 (Apple Log). V is applied to the norm n = Σ cᵢ³ / Σ cᵢ²,
///    which equals a neutral's value and is smooth there: E is converted to Rec.709 and multiplied by D(V(n)) / n, with
///    D the display's curve. One factor for all three channels keeps the chromaticity.
/// 2. Saturation. In Oklab, which scales with light, a and b are multiplied by 1.12 · (1 − f), and the lightness moves
///    by the fraction f towards that of the neutral of the same tone. f = ((V(max cᵢ) − 0.5) / 0.5)^2.5 above V = 0.5,
///    for the camera's own channels. So bright colours fade, and colours with a clipped channel, whose hue is lost,
///    become neutral.
/// 3. Gamut. a and b beyond 80 % of the display's limit at this lightness and hue are compressed into the last 20 %:
///    x becomes 0.8 + 0.2 · (1 − exp(−(x − 0.8) / 0.2)).
///
/// D is sRGB's curve (IEC 61966-2-1). It lies between BT.709's camera curve and BT.1886's display curve, so that hues
/// hold under either of them. Rec.709 and sRGB therefore give the same picture; for Display P3 the result is converted
/// to its primaries, and its wider cube is the gamut of step 3. Negative components of E bypass these steps, limited to
/// the camera's noise below black (signal 0): they are added to the signal with the slope of V at black, and fade with
/// the colours.
///
/// `softLight(for:)` is the same picture as a look takes it: with `SoftGamut` in place of step 3 and of E's limits.
/// Step 3 keeps hue and lightness best, but turns abruptly where the limit passes from one face of the cube to the
/// next, and close to black.
public struct VideoLook: Sendable {
  private let curve: TransferFunction
  private let toRec2020: Matrix3
  /// Linear Rec.709 to the display's RGB.
  private let toDisplay: Matrix3
  /// The light that signal 1 stands for.
  private let white: Double
  /// The light that signal 0 stands for, below zero.
  private let black: Double
  private let middle: Double
  /// What the scene's light is multiplied by.
  private let gain: Double

  private static let toRec709 = RGBSpace.rec2020.matrix(to: .rec709)
  private static let greyLight = 0.18
  private static let greySignal = 0.42
  private static let saturation = 1.12
  private static let fadeStart = 0.5
  private static let fadePower = 2.5
  private static let gamutThreshold = 0.8
  /// For the camera's light as Rec.2020, and for the display's.
  private static let soft = SoftGamut(threshold: 0.2)

  /// The log curves that it accepts as input.
  static let logs: [TransferCharacteristic] = [.appleLog, .slog3, .vlog, .logC3, .logC4, .fLog2, .cLog3]

  /// `nil` for inputs other than the log curves with known primaries, and for outputs other than a `DisplayColor`.
  ///
  /// - Parameter exposure: EV, applied to the scene's light.
  public init?(from input: ColorDescription, to output: ColorDescription, exposure: Double = 0) {
    guard Self.logs.contains(input.transfer), let curve = TransferFunction(input.transfer),
      let space = RGBSpace(input.primaries), let display = DisplayColor(output)
    else { return nil }
    self.curve = curve
    gain = exp2(exposure)
    toRec2020 = space.matrix(to: .rec2020)
    toDisplay = display.space == .rec709 ? .identity : RGBSpace.rec709.matrix(to: display.space)
    white = curve.decode(1)
    black = curve.decode(0)
    middle = Self.greyLight * white * (1 - Self.greySignal) / (Self.greySignal * white - Self.greyLight)
  }

  /// The display signal for a log signal; both 0…1, R'G'B'.
  public func signal(for log: SIMD3<Double>) -> SIMD3<Double> {
    let camera = curve.decode(log) * gain
    let light = toRec2020 * camera
    let positive = light.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: .infinity))
    let negative = light.clamped(lowerBound: SIMD3(repeating: black), upperBound: .zero)
    let fade = fade(camera)
    return rendered(positive, fade: fade) + (1 - fade) * slopeAtBlack * negative
  }

  /// The display's linear light for a log signal, as a look needs it: both 0…1, without the noise below black. It is
  /// what `signal(for:)` encodes, unless step 3 moves the colour, or a channel has less than 20 % of the strongest, as
  /// Rec.2020 or on the display.
  ///
  /// It changes so smoothly that a LUT of 65 points for Display P3 holds it to about one code value of 8 bits, where it
  /// misses `signal(for:)` by up to 15.
  public func softLight(for log: SIMD3<Double>) -> SIMD3<Double> {
    let camera = curve.decode(log) * gain
    guard let color = colored(Self.soft.lifted(toRec2020 * camera), fade: fade(camera)) else { return .zero }
    return Self.soft.held(toDisplay * color.linearRec709)
  }

  /// How far a colour is on its way to a neutral, for the camera's own channels.
  private func fade(_ camera: SIMD3<Double>) -> Double {
    pow(max(0, (tone(max(camera.max(), 0)) - Self.fadeStart) / (1 - Self.fadeStart)), Self.fadePower)
  }

  /// Steps 1 to 3 on light without negative components.
  private func rendered(_ light: SIMD3<Double>, fade: Double) -> SIMD3<Double> {
    guard let color = colored(light, fade: fade) else { return .zero }
    return DisplayColor.encode(toDisplay * compressed(color).linearRec709)
  }

  /// Steps 1 and 2 on light without negative components; `nil` for black.
  private func colored(_ light: SIMD3<Double>, fade: Double) -> Oklab? {
    let squares = (light * light).sum()
    guard squares > 0 else { return nil }
    let norm = (light * light * light).sum() / squares
    let shown = SRGB.decode(tone(norm))
    let color = Oklab(linearRec709: Self.toRec709 * light * (shown / norm))
    let chroma = Self.saturation * (1 - fade)
    return Oklab(
      lightness: color.lightness + fade * (cbrt(shown) - color.lightness), a: color.a * chroma, b: color.b * chroma)
  }

  /// V: scene light to signal.
  private func tone(_ light: Double) -> Double { light * (1 + middle / white) / (light + middle) }

  /// The slope of V there.
  private var slopeAtBlack: Double { (1 + middle / white) / middle }

  /// The colour with its chroma compressed softly into the display's gamut.
  private func compressed(_ color: Oklab) -> Oklab {
    let threshold = Self.gamutThreshold
    guard let limit = color.chromaLimit(in: toDisplay, upTo: 1 / threshold) else { return color }
    let excess = (1 / limit - threshold) / (1 - threshold)
    let factor = limit * (threshold + (1 - threshold) * (1 - exp(-excess)))
    return Oklab(lightness: color.lightness, a: color.a * factor, b: color.b * factor)
  }
}

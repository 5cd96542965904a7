import Color
import Foundation
public import Frames

/// What a look does to a colour, but for its grain, in double precision. This is the definition that tables and kernels
/// are checked against; `Looks/derivation/chain.py` computes steps 1 to 5 in Python.
///
/// 1. The picture becomes linear Display P3, 1 at diffuse white, and is multiplied by 2 to the power of the exposure.
///    Of log footage, the scene's light is multiplied, and becomes a picture for a Display P3 display (`VideoLook`).
/// 2. The sRGB transfer function (IEC 61966-2-1) encodes each channel, which is then held within 0…1.
/// 3. The tone curve maps each channel.
/// 4. The table maps the colour, by tetrahedral interpolation.
/// 5. Each channel moves towards luma by amount · t² · (3 − 2t), with t = (luma − from) / (to − from) within 0…1.
/// 6. The result becomes the output's colours. Colours outside its gamut come out below 0 or above 1. Those from log
///    footage come inside it softly (`SoftGamut`), in Rec.709 from a channel of 35 % of the strongest on. Of those from
///    Display P3, no channel comes out below 0 there; it fades from 5 % on.
public struct LookChain: Sendable {
  private let look: Look
  private let input: LookInput
  private let curve: TransferFunction
  /// Linear Display P3 to the output's linear RGB; `nil` if they are the same.
  private let toOutput: Matrix3?
  /// What becomes of the output's linear RGB at the edge of its gamut; `nil` for nothing.
  private let limit: (@Sendable (SIMD3<Double>) -> SIMD3<Double>)?

  private static let (softLog, softDisplay) = (SoftGamut(threshold: 0.35), SoftGamut(threshold: 0.05))

  /// The luma of Display P3: the middle row of its matrix to XYZ (SMPTE RP 177-1993).
  private static let luma = RGBSpace.displayP3.toXYZ.rows.1

  /// - Throws: code `usage` if a look cannot be applied to such colours, or cannot give them.
  public init(_ look: Look, from input: ColorDescription, to output: ColorDescription) throws(CamrecError) {
    guard let picture = LookInput(input, exposure: look.exposure), let curve = TransferFunction(.srgb) else {
      throw CamrecError(
        .usage, about: .colorIn,
        "a look takes rec709, rec601, srgb, display-p3 and the cameras' logs, not \(Self.words(input)); if the colours "
          + "are others, set \(setting: .colorIn)")
    }
    guard let space = LookInput.displaySpace(output) else {
      throw CamrecError(
        .usage, about: .colorOut,
        "a look gives rec709, srgb or display-p3, not \(Self.words(output)); choose one of these with "
          + "\(setting: .colorOut)")
    }
    self.look = look
    self.input = picture
    self.curve = curve
    toOutput = space == .displayP3 ? nil : RGBSpace.displayP3.matrix(to: space)
    limit =
      if picture.isLog { Self.softLog.held } else { input.primaries == .displayP3 ? Self.softDisplay.lifted : nil }
  }

  private static func words(_ color: ColorDescription) -> String {
    "\(color.transfer.rawValue) with the primaries \(color.primaries.rawValue)"
  }

  /// The output's signal for one of the input, both R'G'B' with 1 at white.
  public func signal(for signal: SIMD3<Double>) -> SIMD3<Double> {
    let shown = displayP3(linear: input.linearDisplayP3(for: signal, curve: curve))
    guard let toOutput else { return shown }
    let light = toOutput * curve.decode(shown)
    return curve.encode(limit?(light) ?? light)
  }

  /// Steps 2 to 5: linear Display P3, 1 at diffuse white and exposed, to encoded Display P3.
  public func displayP3(linear: SIMD3<Double>) -> SIMD3<Double> {
    let encoded = curve.encode(linear).clamped(lowerBound: .zero, upperBound: .one)
    return desaturated(look.table.evaluate(look.curve.value(at: encoded), interpolation: .tetrahedral))
  }

  private func desaturated(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let luma = (color * Self.luma).sum()
    return color + look.desaturation.share(luma: luma) * (SIMD3(repeating: luma) - color)
  }
}

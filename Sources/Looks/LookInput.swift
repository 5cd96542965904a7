import Color
import Foundation
import Frames

/// Pictures that a look can be applied to, as linear Display P3.
///
/// Pictures for a display (rec709, rec601, srgb, display-p3) are decoded with the curve of all camrec's displays,
/// sRGB's. Log footage is first turned into a picture for a Display P3 display by `VideoLook`: a look holds whatever is
/// above its white, and highlights need a shoulder before that. `camrec lut make` makes the same picture, except at the
/// edge of the gamut, where the limit is softer here (`VideoLook.softLight(for:)`).
enum LookInput: Sendable {
  /// Linear RGB of the display to linear Display P3, and what it is multiplied by.
  case display(Matrix3, gain: Double)
  case log(VideoLook)

  private static let displayP3 = ColorDescription(
    matrix: .rec709, range: .limited, transfer: .srgb, primaries: .displayP3)

  /// `nil` for colours that are neither a display's nor a camera's log.
  ///
  /// - Parameter exposure: EV, applied to the light of the picture, or of the scene where it is log footage.
  init?(_ color: ColorDescription, exposure: Double) {
    if let space = Self.displaySpace(color) ?? Self.televisionSpace(color) {
      self = .display(space.matrix(to: .displayP3), gain: exp2(exposure))
    } else if let look = VideoLook(from: color, to: Self.displayP3, exposure: exposure) {
      self = .log(look)
    } else {
      return nil
    }
  }

  var isLog: Bool {
    switch self {
    case .display: false
    case .log: true
    }
  }

  /// The light of an R'G'B' signal; the signal is decoded with `curve`, sRGB's.
  func linearDisplayP3(for signal: SIMD3<Double>, curve: TransferFunction) -> SIMD3<Double> {
    switch self {
    case .display(let matrix, let gain): matrix * curve.decode(signal) * gain
    case .log(let look): look.softLight(for: signal)
    }
  }

  /// The primaries of standard-definition television, which clips and webcams have; `nil` for other colours.
  private static func televisionSpace(_ color: ColorDescription) -> RGBSpace? {
    switch (color.transfer, color.primaries) {
    case (.rec709, .smpte170m), (.rec709, .bt470bg), (.srgb, .smpte170m), (.srgb, .bt470bg): RGBSpace(color.primaries)
    default: nil
    }
  }

  /// The primaries of a display that camrec makes pictures for; `nil` for other colours.
  static func displaySpace(_ color: ColorDescription) -> RGBSpace? {
    switch (color.transfer, color.primaries) {
    case (.rec709, .rec709), (.srgb, .rec709): .rec709
    case (.srgb, .displayP3): .displayP3
    default: nil
    }
  }
}

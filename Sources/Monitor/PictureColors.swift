public import Color
public import Frames

/// How the codes of a frame become a picture that any viewer shows.
///
/// | colours of the frame | picture |
/// | --- | --- |
/// | Rec. 709 or sRGB, on 709 primaries | its R'G'B' codes, as sRGB: one signal for both, as in `DisplayTransform` |
/// | a log curve, ungraded | its R'G'B' codes; `shown` names the curve and its primaries |
/// | all others | sRGB for the light that they mean, by `transform` |
///
/// What is not known of a frame counts as Rec. 709's.
public struct PictureColors: Hashable, Sendable {
  /// What the codes of a JPEG's frame mean: JFIF's matrix and range, and the transfer function and primaries of the
  /// R'G'B' codes. A PNG has the same transfer function and primaries.
  public let shown: ColorDescription
  /// From the frame's R'G'B' to the picture's; `nil` if they are the same, and only matrix and range change.
  public let transform: DisplayTransform?

  /// - Parameter isGraded: the frame has been through a LUT or a look.
  public init(_ source: ColorDescription, isGraded: Bool) {
    let isLog =
      switch source.transfer {
      case .appleLog, .slog3, .vlog, .logC3, .logC4, .fLog2, .cLog3: true
      case .rec709, .srgb, .linear, .pq, .hlg, .unspecified: false
      }
    if isLog && !isGraded {
      shown = ColorDescription(matrix: .rec601, range: .full, transfer: source.transfer, primaries: source.primaries)
      transform = nil
      return
    }
    shown = ColorDescription(matrix: .rec601, range: .full, transfer: .srgb, primaries: .rec709)
    switch (source.transfer, source.primaries) {
    case (.rec709, .rec709), (.srgb, .rec709), (.unspecified, .rec709), (.rec709, .unspecified),
      (.srgb, .unspecified), (.unspecified, .unspecified):
      transform = nil
    default: transform = DisplayTransform(source)
    }
  }
}

public import Frames

/// How the codes of a frame become a picture that any viewer shows.
///
/// | colours of the frame | picture |
/// | --- | --- |
/// | Rec. 709 or sRGB, of 709 primaries | its R'G'B' codes, as sRGB (`DisplayTransform` says why) |
/// | a log curve, ungraded | its R'G'B' codes; `shown` says which curve |
/// | all others | the light that they mean, as sRGB by `DisplayTransform` |
///
/// What is not known of a frame counts as Rec. 709's.
public struct PictureColors: Hashable, Sendable {
  /// What the codes of a JPEG's frame mean: JFIF's matrix and range, and the transfer function and primaries of the
  /// R'G'B' codes. A PNG has the same transfer function and primaries.
  public let shown: ColorDescription
  /// Whether R'G'B' stays as it is, so that only matrix and range change.
  public let keepsCodes: Bool

  /// - Parameter isGraded: the frame has been through a LUT or a look.
  public init(_ source: ColorDescription, isGraded: Bool) { preconditionFailure("\(source) \(isGraded)") }
}

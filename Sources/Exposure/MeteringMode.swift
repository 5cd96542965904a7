/// How the parts of a frame are weighted when its brightness is metered.
public enum MeteringMode: Hashable, Sendable {
  /// Every part equally.
  case average
  /// The centre three times as much as a corner (weight 3 − 2r², r = 1 in the corners), with every part limited to
  /// 1.75 EV above and 4 EV below the result. This suits most scenes, and a passing lamp hardly affects it.
  case centreWeighted
  /// A square an eighth as high as the frame, as near to the point as fits.
  ///
  /// x to the right and y down, 0…1 from edge to edge.
  case spot(x: Double, y: Double)
  /// Every part by its own luminance: preserves highlights, at the cost of darker mid-tones.
  case highlightWeighted
}

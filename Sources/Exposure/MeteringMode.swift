/// Which part of a picture counts, and how much, when its brightness is read.
public enum MeteringMode: Hashable, Sendable {
  /// Every part the same.
  case average
  /// The centre three times as much as a corner (weight 3 − 2r², r = 1 in the corners), and no part more than 1.75 EV
  /// above or 4 EV below the result. What most pictures want, and what a passing lamp does not lead astray.
  case centreWeighted
  /// A square an eighth as high as the picture, as near to the point as it fits in.
  ///
  /// x to the right and y down, 0…1 from edge to edge.
  case spot(x: Double, y: Double)
  /// Every part by its own luminance: keeps highlights, at the price of darker mid-tones.
  case highlightWeighted
}

public import Frames

extension MeteringMode {
  /// Reads `average`, `centre`, `highlight`, `spot:0.5,0.25`.
  ///
  /// - Throws: code `usage`.
  public init(parsing text: String) throws(CamrecError) {
    switch text {
    case "average": self = .average
    case "centre", "center": self = .centreWeighted
    case "highlight": self = .highlightWeighted
    case _ where text.hasPrefix("spot:"):
      self = .spot(at: try PicturePoint(parsing: String(text.dropFirst("spot:".count))))
    default:
      throw CamrecError(.usage, "the metering is average, centre, highlight or spot:X,Y; this is '\(text)'")
    }
  }

  public static func spot(at point: PicturePoint) -> MeteringMode { .spot(x: point.x, y: point.y) }
}

import Exposure
import Frames

/// `--metering`.
enum MeteringChoice {
  static func parse(_ text: String) throws(CamrecError) -> MeteringMode {
    switch text {
    case "average": return .average
    case "centre", "center": return .centreWeighted
    case "highlight": return .highlightWeighted
    case _ where text.hasPrefix("spot:"):
      let point = try PicturePoint(parsing: String(text.dropFirst("spot:".count)))
      return .spot(x: point.x, y: point.y)
    default:
      throw CamrecError(.usage, "--metering is average, centre, highlight or spot:X,Y; this is '\(text)'")
    }
  }
}

package import Drawing
import Foundation
import Frames
import Recorder
package import Sidecar

/// A sidecar as a picture: exposure, gain, ISO, metered light, shutter angle and losses over time; white balance and
/// focus if the camera reports them.
package enum SidecarPlot {
  package static func picture(of summary: SidecarSummary) -> Picture {
    let head = summary.head
    var strips = [
      TimePlot.Strip(
        heading: "exposure in EV (0 is 1 s at ISO 100)", curve: curve(.exposure, summary), leastSpan: 2),
      gain(summary),
      TimePlot.Strip(heading: "ISO, in EV", curve: stops(.iso, summary), leastSpan: 2) { stop in
        stop == stop.rounded() ? String(format: "%.0f", 100 * exp2(stop)) : ""
      },
      TimePlot.Strip(
        heading: "metered light in EV around 18 % grey", curve: curve(.meteredEV, summary), leastSpan: 1),
      TimePlot.Strip(heading: "shutter angle in degrees", curve: curve(.shutterAngle, summary), leastSpan: 4),
    ]
    let others: [(SidecarSummary.Quantity, String, Double)] = [
      (.whiteBalance, "white balance in kelvin", 1000),
      (.focusDistance, "focus distance, the camera's own number", 20),
    ]
    for (quantity, heading, span) in others {
      guard let curve = curve(quantity, summary) else { continue }
      strips.append(TimePlot.Strip(heading: heading, curve: curve, leastSpan: span))
    }
    let losses = summary.losses
    var rows = LossReason.allCases.map { reason in
      TimePlot.Row(
        heading: reason.words.short, width: losses.width, bins: losses.bins.map { $0.reasons.contains(reason) })
    }
    rows.append(
      TimePlot.Row(heading: "audio", width: losses.width, bins: losses.bins.map(\.isSilent)))
    let plot = TimePlot(
      seconds: summary.seconds, strips: strips, rowsHeading: "losses: \(HumanText.count(summary.absent, "frame"))",
      rows: rows)
    let facts =
      "\(head.camera), \(head.width)x\(head.height) at \(head.frameRate) fps,"
      + " \(HumanText.count(summary.written, "frame")) written"
    return plot.picture(heading: [head.film, facts])
  }

  /// In EV, or in the camera's own units if nothing says what those are in EV.
  private static func gain(_ summary: SidecarSummary) -> TimePlot.Strip {
    guard summary.curves[.gainEV] == nil, let own = curve(.gain, summary) else {
      return TimePlot.Strip(
        heading: "gain in EV above the camera's lowest", curve: curve(.gainEV, summary), leastSpan: 2)
    }
    return TimePlot.Strip(heading: "gain, the camera's own number", curve: own, leastSpan: 16)
  }

  private static func curve(_ quantity: SidecarSummary.Quantity, _ summary: SidecarSummary) -> TimePlot.Curve? {
    summary.curves[quantity].map { bins in TimePlot.Curve(width: bins.width, bins: bins.bins.map(\.range)) }
  }

  /// In EV above 100.
  private static func stops(_ quantity: SidecarSummary.Quantity, _ summary: SidecarSummary) -> TimePlot.Curve? {
    guard let values = curve(quantity, summary) else { return nil }
    let bins = values.bins.map { (bin) -> ClosedRange<Double>? in
      guard let bin, bin.lowerBound > 0 else { return nil }
      // Not `log2(bound / 100)`: a hundredth of the smallest numbers is 0.
      let low = log2(bin.lowerBound) - log2(100), high = log2(bin.upperBound) - log2(100)
      return min(low, high)...max(low, high)
    }
    return TimePlot.Curve(width: values.width, bins: bins)
  }
}

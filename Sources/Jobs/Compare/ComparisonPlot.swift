package import Drawing
import Foundation
import Frames
package import Goldens
import Platform
import Reporting

/// Plots over time how alike two clips are.
package enum ComparisonPlot {
  /// The plotted PSNR of equal frames, in dB.
  private static let equal = 100.0
  private static let mostBins = 1200

  package static func picture(of comparison: ClipComparison, first: String, second: String) -> Picture {
    func name(_ path: String) -> String { PathText(path).name }
    return picture(
      of: comparison.quality.pictures,
      heading: [
        "\(name(first)) and \(name(second))",
        "\(HumanText.count(comparison.pairs.count, "frame")) by \(comparison.alignment?.rawValue ?? "none"),"
          + " \(comparison.missing.count) missing, \(comparison.added.count) added,"
          + " \(comparison.doubled.count) repeated"
          + (comparison.reordered.isEmpty ? "" : ", \(comparison.reordered.count) in another order"),
      ])
  }

  package static func picture(of pictures: [ClipQuality.Picture], heading: [String]) -> Picture {
    let last = pictures.last?.seconds ?? 0
    let seconds = pictures.count > 1 ? last * Double(pictures.count) / Double(pictures.count - 1) : 1
    func curve(_ value: (FrameQuality) -> Double) -> TimePlot.Curve {
      let count = max(1, min(mostBins, pictures.count))
      let width = seconds / Double(count)
      var bins = [ClosedRange<Double>?](repeating: nil, count: count)
      for picture in pictures {
        let bin = min(count - 1, max(0, Int(saturating: picture.seconds / width)))
        let found = value(picture.quality)
        guard !found.isNaN else { continue }
        bins[bin] = bins[bin].map { min($0.lowerBound, found)...max($0.upperBound, found) } ?? found...found
      }
      return TimePlot.Curve(width: width, bins: bins)
    }
    let strips = [
      TimePlot.Strip(
        heading: "PSNR in dB (\(Int(equal)) where frames are equal)", curve: curve { min($0.psnr, equal) },
        leastSpan: 4), TimePlot.Strip(heading: "SSIM", curve: curve { $0.ssim }, leastSpan: 0.02),
      TimePlot.Strip(heading: "delta E 2000, mean over blocks of 8x8", curve: curve { $0.deltaE }, leastSpan: 0.5),
    ]
    let plot = TimePlot(seconds: seconds, strips: strips, rowsHeading: "", rows: [])
    return plot.picture(heading: heading)
  }
}

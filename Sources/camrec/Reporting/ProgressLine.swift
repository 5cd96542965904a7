import Foundation
import Frames
import Recorder

/// The line that a terminal shows while camrec records.
enum ProgressLine {
  /// Time, frames, rate, losses, bitrate, level, free space: as many of them as fit, the first ones soonest.
  ///
  /// - Parameter columns: the terminal's; the line stays shorter, so that it does not wrap.
  static func text(
    _ progress: SessionProgress, megabitsPerSecond: Double, freeBytes: Int64?, columns: Int
  ) -> String {
    var parts = [
      HumanText.clock(progress.seconds),
      "\(progress.counts.written) frames",
      "\(progress.counts.totalLost) lost",
      "\(HumanText.fixed(progress.framesPerSecond, 1)) fps",
    ]
    if let peak = progress.peak { parts.append(meter(peak)) }
    if let freeBytes { parts.append("\(HumanText.bytes(freeBytes)) free") }
    parts.append("\(HumanText.fixed(megabitsPerSecond, 1)) Mb/s")
    while parts.count > 1, parts.joined(separator: "  ").count >= columns { parts.removeLast() }
    return parts.joined(separator: "  ")
  }

  private static let cells = 10
  /// The level at which the meter is empty, dB below full scale.
  private static let floor = -60.0

  /// `[######    ] -24 dB`.
  static func meter(_ peak: Double) -> String {
    // Sound in floating point may be louder than full scale, or no number at all.
    let level = max(floor, 20 * log10(peak.isNaN ? 0 : min(max(peak, 1e-9), 1e9)))
    let lit = min(cells, Int(saturating: ((level - floor) / -floor * Double(cells)).rounded()))
    let bar = String(repeating: "#", count: lit) + String(repeating: " ", count: cells - lit)
    return "[\(bar)] \(Int(level.rounded())) dB"
  }
}

import Foundation
import Frames
package import Goldens
import Reporting

/// How alike two clips are, for programs; the help of `camrec compare` explains the fields.
package struct ComparisonReport: Encodable {
  package struct Quality: Encodable {
    /// `nil` for equal frames; left out then, like every member without a value.
    package let psnr: Double?
    package let ssim: Double
    package let deltaE: Double

    package init(_ quality: FrameQuality) {
      psnr = quality.psnr.isFinite ? quality.psnr : nil
      ssim = quality.ssim
      deltaE = quality.deltaE
    }
  }

  package struct Frame: Encodable {
    package let first: Int
    package let second: Int
    package let seconds: Double
    package let psnr: Double?
    package let ssim: Double
    package let deltaE: Double
  }

  package let format = "camrec-compare"
  package let version = 1
  package let first: String
  package let second: String
  package let alignment: String
  package let missing: [Int]
  package let added: [Int]
  package let doubled: [Int]
  package let doubledInFirst: [Int]
  package let reordered: [Int]
  package let shifts: [ClipComparison.Shift]
  /// 0 to 1, if content was compared.
  package let likeness: Double?
  /// `nil` if no frames match.
  package let overall: Quality?
  package let frames: [Frame]
  /// Limits that are not met, for people.
  package let findings: [String]

  package init(_ comparison: ClipComparison, first: String, second: String, findings: [String]) {
    self.first = first
    self.findings = findings
    self.second = second
    alignment = comparison.alignment?.rawValue ?? "none"
    likeness = comparison.likeness
    missing = comparison.missing
    added = comparison.added
    doubled = comparison.doubled
    doubledInFirst = comparison.doubledInFirst
    reordered = comparison.reordered
    shifts = comparison.shifts
    overall = comparison.pairs.isEmpty ? nil : Quality(comparison.quality.overall)
    frames = comparison.pairs.map { pair in
      let quality = Quality(pair.quality)
      return Frame(
        first: pair.first, second: pair.second, seconds: pair.seconds.first, psnr: quality.psnr, ssim: quality.ssim,
        deltaE: quality.deltaE)
    }
  }

  /// Whether no frames match, or some are missing, added, repeated or in another order.
  package var isUneven: Bool {
    overall == nil
      || !(missing.isEmpty && added.isEmpty && doubled.isEmpty && doubledInFirst.isEmpty && reordered.isEmpty)
  }

  /// For people.
  package func lines(_ comparison: ClipComparison) -> [String] {
    guard comparison.alignment != nil else { return [strangers(comparison).withOptions] }
    var lines = ["\(HumanText.count(frames.count, "frame")) in both, by \(alignment)"]
    lines += ComparisonReport.listing(missing, "missing from '\(second)': frame", "of '\(first)'")
    lines += ComparisonReport.listing(doubled, "repeated: frame", "of '\(second)'")
    lines += ComparisonReport.listing(doubledInFirst, "repeated: frame", "of '\(first)'")
    lines += ComparisonReport.listing(added, "not in '\(first)': frame", "of '\(second)'")
    let reorderedFrames = HumanText.count(reordered.count, "frame")
    lines += ComparisonReport.listing(reordered, "\(reorderedFrames) in another order: frame", "of '\(first)'")
    lines += shifts.prefix(ComparisonReport.mostShifts).map(shifted)
    if shifts.count > ComparisonReport.mostShifts {
      lines.append("and \(HumanText.count(shifts.count - ComparisonReport.mostShifts, "more shift"))")
    }
    guard !comparison.pairs.allSatisfy({ $0.quality == .equal }) else {
      return lines + [frames.count == 1 ? "it is equal" : "all of them are equal"]
    }
    let equal = comparison.pairs.count { $0.quality == .equal }
    if equal > 0 { lines.append("\(equal) of them \(equal == 1 ? "is" : "are") equal") }
    let quality = comparison.quality
    guard let worst = quality.worst else { return lines }
    func line(_ name: String, _ overall: Double, _ picture: ClipQuality.Picture, _ value: Double, _ digits: Int)
      -> String
    {
      let padded = name.padding(toLength: 8, withPad: " ", startingAt: 0)
      guard value.isFinite else { return "\(padded) infinite: all samples are equal" }
      return "\(padded) \(HumanText.fixed(overall, digits)), the worst is frame \(picture.number)"
        + " (\(HumanText.fixed(picture.seconds, 3)) s) with \(HumanText.fixed(value, digits))"
    }
    return lines + [
      line("PSNR/dB", quality.overall.psnr, worst.psnr, worst.psnr.quality.psnr, 2),
      line("SSIM", quality.overall.ssim, worst.ssim, worst.ssim.quality.ssim, 4),
      line("ΔE2000", quality.overall.deltaE, worst.deltaE, worst.deltaE.quality.deltaE, 2),
    ]
  }

  private static let mostShifts = 5

  private func shifted(_ shift: ClipComparison.Shift) -> String {
    let begin = "from frame \(shift.frame) on, '\(second)' shows its frames"
    guard shift.seconds != 0 else { return "\(begin) on time again" }
    return "\(begin) \(HumanText.fixed(abs(shift.seconds) * 1000, 0)) ms \(shift.seconds > 0 ? "later" : "earlier")"
  }

  private func strangers(_ comparison: ClipComparison) -> Sentence {
    guard let likeness else {
      return "no frame of '\(second)' matches one of '\(first)' by \(comparison.way.rawValue); try another "
        + "\(setting: .align)"
    }
    return "no frame of '\(second)' looks like one of '\(first)': are these the same clip? (likeness"
      + " \(HumanText.fixed(likeness, 2)), below \(HumanText.fixed(ClipLikeness.least, 1));"
      + " \(setting: .align) time compares them anyway)"
  }

  /// Lists positions in runs, for people; empty if there are none.
  private static func listing(_ places: [Int], _ words: String, _ whose: String) -> [String] {
    guard !places.isEmpty else { return [] }
    var runs: [ClosedRange<Int>] = []
    for place in places {
      if let last = runs.last, last.upperBound == place - 1 {
        runs[runs.count - 1] = last.lowerBound...place
      } else {
        runs.append(place...place)
      }
    }
    let listed = runs.prefix(20).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
    let rest = runs.count > 20 ? ", …" : ""
    return ["\(words)\(places.count == 1 ? "" : "s") \(listed.joined(separator: ", "))\(rest) \(whose)"]
  }
}

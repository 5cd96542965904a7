import Color
import Frames
package import Looks
package import RecorderAPI

/// A look in words.
package enum LookDescription {
  package static func lines(of file: LookFile) -> [String] {
    let look = file.look, samples = look.table.samples
    let points = look.curve.points.map { "\($0.x) to \($0.y)" }.joined(separator: ", ")
    let low = HumanText.fixed(Double(samples.min() ?? 0), 3), high = HumanText.fixed(Double(samples.max() ?? 0), 3)
    let side = look.table.size, rule = look.desaturation, grain = look.grain
    return [
      "name: \(look.name)", "version: \(look.version)", "title: \(look.title)", "file: \(file.path)",
      "exposure: \(look.exposure) EV", "tone curve: \(points)",
      "table: \(file.tablePath), \(side)x\(side)x\(side), values \(low) to \(high)",
      "table's sha256: \(look.tableSHA256)",
      "desaturation: from luma \(rule.from) to \(rule.to), amount \(rule.amount)",
      "grain: intensity \(grain.intensity), blur with a sigma of \(size(of: grain)) of the shorter side, 1 to 20 px",
      "made by: \(look.derivation.command)",
    ] + look.derivation.sources.map { "source: \($0)" }
  }

  /// `portra-400, version 1: exposure 0.0 EV, grain 0.04, 1/3000 of the shorter side`.
  package static func summary(of look: Look) -> String {
    "\(look.name), version \(look.version): exposure \(look.exposure) EV, grain \(look.grain.intensity), "
      + "\(size(of: look.grain)) of the shorter side"
  }

  /// `look: portra-400, version 1, grain seed 1, grain of 1 px, the smallest`.
  package static func line(of look: LookIdentity) -> String {
    // Grain smaller than a pixel cannot be drawn.
    let size = look.sigma.map { ", grain of \(NumberText.short($0)) px" + ($0 == 1 ? ", the smallest" : "") } ?? ""
    let begin = look.frame.map { ", the first frame has that of frame \($0)" } ?? ""
    return "look: \(look.words)\(size)\(begin)"
  }

  /// `at 32768 colours, it differs from the look by at most 0.75 code values of 8 bits, 0.022 on average`.
  package static func deviation(_ deviation: LookTable.Deviation) -> String {
    "at \(deviation.count) colours, it differs from the look by at most \(HumanText.fixed(deviation.greatest, 2)) code "
      + "values of 8 bits, \(HumanText.fixed(deviation.mean, 3)) on average"
  }

  /// `1/3000`.
  package static func size(of grain: Look.Grain) -> String { "\(grain.size.numerator)/\(grain.size.denominator)" }
}

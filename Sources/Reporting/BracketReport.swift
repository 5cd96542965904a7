package import Exposure
import Frames

/// A bracketed series for programs. The help of `camrec bracket` says what its fields mean; a field that changes its
/// meaning raises `version`.
package struct BracketReport: Encodable {
  package struct Speed: Encodable {
    /// As cameras print it.
    package let name: String
    /// In the table, 0…54; a step is 1/3 EV.
    package let index: Int
    /// Exact, by the index, and not by the rounded name: 1/250 is 1/256.
    package let seconds: Double

    package init(_ speed: ShutterSpeed) {
      name = speed.name
      index = speed.index
      seconds = speed.exactSeconds
    }
  }

  package struct Set: Encodable {
    package let center: Speed
    package let speeds: [Speed]

    package init(center: Speed, speeds: [Speed]) {
      self.center = center
      self.speeds = speeds
    }
  }

  package let format = "camrec-bracket"
  package let version = 1
  package let highlight: Speed
  package let shadow: Speed
  package let rangeEV: Double
  package let framesPerSet: Int
  /// As planned: 5/3 for a spacing of 1.5 EV.
  package let spacingEV: Double
  package let exposures: Int
  package let sets: [Set]

  package init(_ plan: BracketPlan) {
    highlight = Speed(plan.highlight)
    shadow = Speed(plan.shadow)
    rangeEV = plan.range.ev
    framesPerSet = plan.frames.rawValue
    spacingEV = plan.spacing.step.ev
    exposures = plan.exposures
    sets = plan.sets.map { Set(center: Speed($0.center), speeds: $0.speeds.map(Speed.init)) }
  }
}

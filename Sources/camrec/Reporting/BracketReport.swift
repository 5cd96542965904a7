import Exposure
import Frames

/// A bracketed series for programs. The help of `camrec bracket` says what its fields mean; a field that changes its
/// meaning raises `version`.
struct BracketReport: Encodable {
  struct Speed: Encodable {
    /// As cameras print it.
    let name: String
    /// In the table, 0…54; a step is 1/3 EV.
    let index: Int
    /// Exact, by the index, and not by the rounded name: 1/250 is 1/256.
    let seconds: Double

    init(_ speed: ShutterSpeed) {
      name = speed.name
      index = speed.index
      seconds = speed.exactSeconds
    }
  }

  struct Set: Encodable {
    let center: Speed
    let speeds: [Speed]
  }

  let format = "camrec-bracket"
  let version = 1
  let highlight: Speed
  let shadow: Speed
  let rangeEV: Double
  let framesPerSet: Int
  let spacingEV: Double
  let exposures: Int
  let sets: [Set]

  init(_ plan: BracketPlan) {
    highlight = Speed(plan.highlight)
    shadow = Speed(plan.shadow)
    rangeEV = plan.range.ev
    framesPerSet = plan.frames.rawValue
    spacingEV = plan.spacing.ev.doubleValue
    exposures = plan.exposures
    sets = plan.sets.map { Set(center: Speed($0.center), speeds: $0.speeds.map(Speed.init)) }
  }
}

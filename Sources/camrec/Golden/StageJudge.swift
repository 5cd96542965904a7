import Frames
import Goldens

/// Says what became of the stages of a case that has been run.
struct StageJudge {
  /// A golden before a case is run.
  enum Former {
    case none
    case there(StageContent)
    case broken(CamrecError)
  }

  private let entry: GoldenCase
  private let pass: GoldenPass
  private let action: GoldenRound.Action

  init(_ entry: GoldenCase, _ pass: GoldenPass, _ action: GoldenRound.Action) {
    self.entry = entry
    self.pass = pass
    self.action = action
  }

  /// - Throws: as `GoldenPass.measure`.
  func outcome(_ stage: GoldenStage, _ former: Former) throws(CamrecError) -> StageOutcome {
    let content = try GoldenFolder.content(pass.path(stage), stage)
    var extent = content.extent
    var before = StageOutcome.Former.none
    var isLikeEnough: Set<Int>?
    var found: [String] = []
    switch former {
    case .none: if action == .check { return .unknown }
    case .broken(let error): before = .broken(error)
    case .there(let golden):
      (found, isLikeEnough) = try differences(content, golden)
      before = found.isEmpty ? .same : .different(found)
    }
    if stage == .decoded, !entry.limits.isEmpty {
      // Whatever the golden is: limits may have become narrower, and what does not keep them becomes no golden.
      let measured = try pass.measure()
      let quality = ClipQuality(measured.pictures)
      let poor = measured.faults + entry.limits.findings(quality)
      if !poor.isEmpty { return .differs((isLikeEnough == nil ? found : []) + poor) }
      extent.note = quality.words
    } else {
      isLikeEnough = nil
    }
    guard case .there = former, action != .update else { return .written(extent, before: before) }
    if found.isEmpty { return .holds(extent) }
    if let changed = isLikeEnough {
      extent.note = "\(changed.count) not as in the golden, and like enough: \(extent.note)"
      return .holds(extent)
    }
    return action.isUpdate ? .written(extent, before: before) : .differs(found)
  }

  /// - Returns: what is not as in the golden, and, where that is nothing but pictures that show something else, which.
  private func differences(_ content: StageContent, _ golden: StageContent) throws(CamrecError) -> (
    sentences: [String], changed: Set<Int>?
  ) {
    switch (content, golden) {
    case (.pictures(let film), .pictures(let golden)):
      let found = FrameComparison(golden: golden, film: film).differences
      var changed: Set<Int>? = []
      for difference in found {
        if case .changed(let run) = difference { changed?.formUnion(run) } else { changed = nil }
      }
      return (found.map { $0.sentence(golden: golden) }, changed)
    case (.sound(let film), .sound(let golden)):
      let sound = pass.sound
      return (try sound.differences(film, from: golden, scratch: pass.path(.sound) + ".pcm"), nil)
    case (.facts(let film), .facts(let golden)): return (film.differences(from: golden), nil)
    default: throw CamrecError(.defect, "a stage has two kinds of goldens")
    }
  }
}

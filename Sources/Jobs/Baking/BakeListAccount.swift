package import Reporting

/// Totals for a list of clips, reported at its end.
package struct BakeListAccount: Encodable {
  package let event = "stopped"
  package let status: Int32
  package let clips: Int
  package let baked: Int
  /// Made by an earlier run.
  package let wereThere: Int
  /// Clips with warnings, and clips with lost frames, baked now or by an earlier run.
  package let warned: Int
  package let withLosses: Int
  package let failed: Int
  /// Of those that failed or were stopped: clips whose partial film was kept.
  package let partial: Int
  /// Begun, and stopped before their end.
  package let interrupted: Int
  package let notBegun: Int

  package init(_ outcomes: [BakedClip], of count: Int, status: ExitStatus) {
    self.status = status.rawValue
    clips = count
    baked = outcomes.count { $0.isFilm && !$0.wasThere }
    wereThere = outcomes.count(where: \.wasThere)
    warned = outcomes.count { !$0.warnings.isEmpty }
    withLosses = outcomes.count(where: \.hasLostFrames)
    partial = outcomes.count { $0.partial != nil }
    interrupted = outcomes.count { $0.exit == .interrupted }
    failed = outcomes.count { !$0.isFilm && $0.exit != .interrupted }
    notBegun = count - outcomes.count
  }

  /// `3 clips: 2 baked, 1 with warnings, 1 failed`.
  package var line: String {
    let parts = [
      (baked, "baked"), (wereThere, wereThere == 1 ? "was there already" : "were there already"),
      (withLosses, "with lost frames"), (warned, "with warnings"),
      (partial, partial == 1 ? "left a partial film" : "left partial films"),
      (failed, "failed"), (interrupted, interrupted == 1 ? "was stopped" : "were stopped"),
      (notBegun, notBegun == 1 ? "was not begun" : "were not begun"),
    ]
    let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(HumanText.count(clips, "clip")): \(said.isEmpty ? "none baked" : said.joined(separator: ", "))"
  }
}

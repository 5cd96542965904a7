package import Frames
package import Goldens

/// Judges the stages of a case that has run.
package struct StageJudge {
  /// A golden as it was before the case ran.
  package enum Former {
    case none
    case there(StageContent)
    case broken(CamrecError)
  }

  private let entry: GoldenCase
  private let pass: GoldenPass
  private let action: GoldenRound.Action
  /// The film of the golden's baked frames; `nil` if none was kept.
  private let kept: String?
  /// What differs of the baked frames, for those behind the encoder.
  private var baked: FrameComparison?
  /// What to show of the stages that differ from their goldens.
  package private(set) var subjects: [StageEvidence.Subject] = []

  package init(_ entry: GoldenCase, _ pass: GoldenPass, _ action: GoldenRound.Action, kept: String?) {
    self.entry = entry
    self.pass = pass
    self.action = action
    self.kept = kept
  }

  private static let noneMeanwhile =
    "there is no golden, and 'camrec golden record' makes none until the limits hold or are changed"

  /// Differences from a golden.
  private struct Found {
    var sentences: [String] = []
    /// Frames that differ, by their numbers in the golden.
    var changed: Set<Int> = []
    /// The sentences on other differences of frames, which no limit allows: missing, moved, repeated or late ones.
    var beyondLimits: [String] = []
    var hasOtherFormat = false
  }

  /// - Throws: as `GoldenPass.measure`.
  package mutating func outcome(_ stage: GoldenStage, _ former: Former) throws(CamrecError) -> StageOutcome {
    let content = try GoldenFolder.content(pass.path(stage), stage)
    var extent = content.extent
    var found = Found()
    if case .there(let golden) = former { found = try differences(stage, content, golden) }
    let hasLimits = stage == .decoded && !entry.limits.isEmpty
    let isUnknown = former.isNone && action == .check
    if isUnknown, !hasLimits { return .unknown }
    if hasLimits {
      // Whatever the golden says: limits may have become stricter, and frames that break them must not become a golden.
      let sink: MeasuringSink
      do throws(CamrecError) {
        sink = try pass.measure(against: pass.film)
      } catch where isUnknown && error.code == .usage {
        // Without FFmpeg's filters nothing can be said of the limits.
        return .unknown
      }
      let quality = ClipQuality(sink.pictures)
      let poor = sink.faults + entry.limits.findings(quality, frame: "the film's frame")
      if isUnknown, poor.isEmpty { return .unknown }
      if quality.hasDifferences { subjects.append(StageEvidence.Subject(stage, quality, against: pass.film)) }
      if isUnknown { return .differs([StageJudge.noneMeanwhile] + poor) }
      if !poor.isEmpty { return .differs(found.beyondLimits + poor) }
      extent.note = quality.words
    }
    if stage == .baked, found.changed.isEmpty, case .pictures(let film) = content,
      case .there(.pictures(let golden)) = former, let sentence = BakeCauseSearch.table(film, golden)
    {
      // If no frame uses what has changed in it, none has changed.
      if found.sentences.isEmpty { extent.note = sentence } else { found.sentences.append(sentence) }
    }
    if stage == .baked, !found.changed.isEmpty, case .there(.pictures(let golden)) = former {
      // At most eight sentences are printed.
      if case .pictures(let film) = content {
        let causes = try BakeCauseSearch(entry: entry, pass: pass).sentences(changed: found.changed, film, from: golden)
        found.sentences.insert(contentsOf: causes, at: min(1, found.sentences.count))
      }
      if let quality = try quality(found, delays(content, golden)) {
        found.sentences.append("compared with the kept film: \(quality.words)")
      } else {
        subjects.append(StageEvidence.Subject(stage, changed: found.changed.sorted(), of: golden))
      }
    }
    let before: StageOutcome.Former
    switch former {
    case .none: before = .none
    case .broken(let error): before = .broken(error)
    case .there(let golden):
      let changes = found.sentences + StageJudge.additions(content, golden)
      before = changes.isEmpty ? .same : .different(changes)
    }
    guard case .there = former, action != .update else { return .written(extent, before: before) }
    if found.sentences.isEmpty { return .holds(extent) }
    if hasLimits, found.beyondLimits.isEmpty {
      extent.note = "\(found.changed.count) not as in the golden, but within the limits: \(extent.note)"
      return .holds(extent)
    }
    if action.isUpdate { return .written(extent, before: before) }
    // Each frame is close enough to the one that went into the encoder, so its hash is no difference.
    return .differs(hasLimits ? found.beyondLimits : found.sentences)
  }

  /// What an update adds to a golden that holds: what was not measured when it was made.
  private static func additions(_ content: StageContent, _ golden: StageContent) -> [String] {
    guard case .sound(let film) = content, case .sound(let golden) = golden else { return [] }
    let isAdded = [
      ("loudness", golden.loudness == nil && film.loudness != nil),
      ("audio sync", golden.sync == nil && film.sync != nil),
    ]
    return isAdded.filter(\.1).map { "the golden had no \($0.0); it has now" }
  }

  /// Compares the baked frames with the kept film.
  ///
  /// - Returns: `nil` if none was kept, or nothing can be measured; the verdict does not depend on it.
  private mutating func quality(_ found: Found, _ delays: FrameDelays?) throws(CamrecError) -> ClipQuality? {
    guard let kept, !found.hasOtherFormat else { return nil }
    do throws(CamrecError) {
      let quality = ClipQuality(try pass.measure(against: kept, delays: delays).pictures)
      guard quality.hasDifferences else { return nil }
      subjects.append(StageEvidence.Subject(.baked, quality, against: kept))
      return quality
    } catch {
      // The kept film is unreadable, or FFmpeg's filters are missing.
      guard [.input, .usage].contains(error.code) else { throw error }
      return nil
    }
  }

  private func delays(_ content: StageContent, _ golden: FrameHashes) -> FrameDelays? {
    guard case .pictures(let film) = content else { return nil }
    return FrameDelays(golden: golden, film: film)
  }

  private mutating func differences(
    _ stage: GoldenStage, _ content: StageContent, _ golden: StageContent
  ) throws(CamrecError) -> Found {
    switch (content, golden) {
    case (.pictures(let film), .pictures(let golden)):
      var found = Found()
      let comparison = FrameComparison(golden: golden, film: film, before: stage == .decoded ? baked : nil)
      if stage == .baked { baked = comparison }
      for difference in comparison.differences {
        let sentence = difference.sentence(golden: golden)
        found.sentences.append(sentence)
        if case .changed(let run) = difference {
          found.changed.formUnion(run)
        } else {
          found.beyondLimits.append(sentence)
        }
        if case .format = difference { found.hasOtherFormat = true }
      }
      return found
    case (.sound(let film), .sound(let golden)):
      let sentences = try pass.sound.differences(film, from: golden, scratch: pass.path(.sound) + ".pcm")
      return Found(sentences: sentences)
    case (.facts(let film), .facts(let golden)): return Found(sentences: film.differences(from: golden))
    default: throw CamrecError(.defect, "a stage has two kinds of goldens")
    }
  }
}

extension StageJudge.Former { fileprivate var isNone: Bool { if case .none = self { true } else { false } } }

extension ClipQuality { fileprivate var hasDifferences: Bool { pictures.contains { $0.quality != .equal } } }

/// A clip of a list is finished, baked or not; for programs.
package struct ClipEvent: Encodable {
  package let event = "clip"
  /// Clips finished, including this one, and clips in all.
  package let number: Int
  package let total: Int
  package let clip: String
  package let output: String
  package let status: Int32
  package let frames: Int64?
  /// Frames of the clip that are not in the film.
  package let lost: Int?
  /// Frames that were lost before the bake.
  package let lostBefore: Int?
  /// There may be more.
  package let isLostBeforeAtLeast: Bool?
  /// Length of the clip's gaps in all, in frames, if nothing of its sidecar enters the film.
  package let missing: Int?
  /// Frames that were baked into a film that was not kept.
  package let discarded: Int?
  /// The film was kept although its bake stopped or failed.
  package let isPartial: Bool?
  /// Frames that it would have if it were complete.
  package let planned: Int?
  /// Length of the film.
  package let seconds: Double?
  /// The colours that it was taken for, and whether they are a guess.
  package let colorIn: String?
  package let isColorInGuessed: Bool?
  package let wasThere: Bool
  package let warnings: [String]
  package let error: String?

  package init(_ outcome: BakedClip, _ item: ClipList.Item, number: Int, of total: Int) {
    (self.number, self.total) = (number, total)
    (clip, output, status) = (item.clip, item.film, outcome.status)
    (frames, seconds, wasThere) = (outcome.frames, outcome.length, outcome.wasThere)
    (colorIn, isColorInGuessed) = (outcome.colorIn, outcome.isColorInGuessed)
    (warnings, error) = (outcome.warnings, outcome.error)
    (lost, lostBefore, missing) = (outcome.lost, outcome.lostBefore, outcome.missing)
    isLostBeforeAtLeast = outcome.isLostBeforeAtLeast
    (discarded, isPartial, planned) = (outcome.discarded, outcome.partial.map { _ in true }, outcome.partial?.planned)
  }
}

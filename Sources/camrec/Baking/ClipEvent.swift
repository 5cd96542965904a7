/// A clip of a list is finished, baked or not; for programs.
struct ClipEvent: Encodable {
  let event = "clip"
  /// Clips finished, including this one, and clips in all.
  let number: Int
  let total: Int
  let clip: String
  let output: String
  let status: Int32
  let frames: Int64?
  /// Frames that are not in the film.
  let lost: Int?
  /// Length of the film.
  let seconds: Double?
  let wasThere: Bool
  let warnings: [String]
  let error: String?

  init(_ outcome: BakedClip, _ item: ClipList.Item, number: Int, of total: Int) {
    (self.number, self.total) = (number, total)
    (clip, output, status) = (item.clip, item.film, outcome.status)
    (frames, seconds, wasThere) = (outcome.frames, outcome.length, outcome.wasThere)
    (warnings, error, lost) = (outcome.warnings, outcome.error, outcome.lost)
  }
}

import Goldens
import Movies

/// A case as its suite has it, with the meaning that its keys have for `camrec bake`.
struct GoldenCaseSettings: Hashable, Sendable, Codable {
  /// The clip's path.
  var clip: String
  var sha256: FileDigest
  /// Empty: the usual ones.
  var stages: [GoldenStage] = []
  var bake = BakeSettings()
  var encoding = VideoEncoding()
  var file = FileSettings()
  var limits = QualityLimits()
  /// The first frame, from 0.
  var from = 0
  /// `nil`: to the clip's end.
  var frames: Int64?
  /// Keeps a lossless film of the baked frames beside the goldens, to measure and show frames that differ.
  var keep = false
}

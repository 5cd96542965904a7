package import Assembly
package import Goldens
package import Movies

/// A case as its suite has it, with the meaning that its keys have for `camrec bake`.
package struct GoldenCaseSettings: Hashable, Sendable, Codable {
  /// The clip's path.
  package var clip: String
  package var sha256: FileDigest
  /// Empty: the usual ones.
  package var stages: [GoldenStage] = []
  package var bake = BakeSettings()
  package var encoding = VideoEncoding()
  package var file = FileSettings()
  package var limits = QualityLimits()
  /// The first frame, from 0.
  package var from = 0
  /// `nil`: to the clip's end.
  package var frames: Int64?
  /// Keeps a lossless film of the baked frames beside the goldens, to measure and show frames that differ.
  package var keep = false

  package init(
    clip: String, sha256: FileDigest, stages: [GoldenStage] = [], bake: BakeSettings = BakeSettings(),
    encoding: VideoEncoding = VideoEncoding(), file: FileSettings = FileSettings(),
    limits: QualityLimits = QualityLimits(), from: Int = 0, frames: Int64? = nil, keep: Bool = false
  ) {
    self.clip = clip
    self.sha256 = sha256
    self.stages = stages
    self.bake = bake
    self.encoding = encoding
    self.file = file
    self.limits = limits
    self.from = from
    self.frames = frames
    self.keep = keep
  }
}

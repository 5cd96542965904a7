import Frames
import Goldens

/// A case of a suite: a clip, what happens to its pictures, and where they are looked at.
struct GoldenCase: Sendable {
  let name: String
  /// The clip.
  let path: String
  let sha256: FileDigest
  /// In the order in which pictures come to them.
  let stages: [GoldenStage]
  let limits: QualityLimits
  let words: GoldenCaseWords

  /// - Parameter folder: from where the suite's paths are meant.
  init(_ name: String, _ words: GoldenCaseWords, folder: String) {
    var words = words
    func path(_ relative: String) -> String { relative.hasPrefix("/") ? relative : "\(folder)/\(relative)" }
    words.bake.lut = words.bake.lut.map(path)
    self.name = name
    self.path = path(words.clip)
    sha256 = words.sha256
    var stages = words.stages.isEmpty ? [.read, .baked] : GoldenStage.allCases.filter(words.stages.contains)
    limits = words.limits.limits
    // Limits are held against what was encoded, and that against its golden.
    if stages.contains(.decoded), !stages.contains(.baked) { stages.insert(.baked, at: 0) }
    self.stages = stages.sorted { $0.place < $1.place }
    self.words = words
  }

  /// - Throws: code `input`: the clip is missing, cannot be read, or is another than the suite says.
  func checkClip() throws(CamrecError) {
    let found = try NamedFile.digest(path: path, what: "clip")
    guard found == sha256.description else {
      throw CamrecError(
        .input,
        "the clip '\(path)' is not the one that the suite means: its SHA-256 is \(found),"
          + " not \(sha256); bring that one back, or write the new one's into the suite")
    }
  }
}

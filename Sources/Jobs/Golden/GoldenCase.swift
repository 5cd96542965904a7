package import Assembly
package import Frames
package import Goldens

/// A case of a suite: a clip, what happens to its frames, and the stages to compare.
package struct GoldenCase: Sendable {
  package let name: String
  /// The clip.
  package let path: String
  package let sha256: FileDigest
  /// In the order in which frames reach them.
  package let stages: [GoldenStage]
  package let limits: QualityLimits
  package let settings: GoldenCaseSettings

  /// - Parameter folder: where the suite's relative paths start.
  package init(_ name: String, _ settings: GoldenCaseSettings, folder: String) {
    var settings = settings
    func path(_ relative: String) -> String { relative.hasPrefix("/") ? relative : "\(folder)/\(relative)" }
    settings.bake.lut = settings.bake.lut.map(path)
    settings.bake.look = settings.bake.look.map { LookChoice.isFile($0) ? path($0) : $0 }
    self.name = name
    self.path = path(settings.clip)
    sha256 = settings.sha256
    var stages = settings.stages.isEmpty ? [.read, .baked] : GoldenStage.allCases.filter(settings.stages.contains)
    limits = settings.limits
    // Limits compare the film with the baked frames, so these must match their golden, too.
    if stages.contains(.decoded), !stages.contains(.baked) { stages.insert(.baked, at: 0) }
    self.stages = stages.sorted { $0.place < $1.place }
    self.settings = settings
  }

  /// - Throws: code `input`: the clip is missing, cannot be read, or is not the suite's.
  package func checkClip() throws(CamrecError) {
    let found = try NamedFile.digest(path: path, what: "clip")
    guard found == sha256.description else {
      throw CamrecError(
        .input,
        "the clip '\(path)' is not the one in the suite: its SHA-256 is \(found),"
          + " not \(sha256); restore the clip, or put the new SHA-256 into the suite")
    }
  }
}

public import Frames

/// The result of a stage, or its golden.
public enum StageContent: Sendable {
  case pictures(FrameHashes)
  case sound(SoundHashes)
  case facts(GoldenFacts)

  /// - Parameter path: for error messages.
  /// - Throws: code `input` for a text that is not a golden of this stage.
  public init(_ stage: GoldenStage, text: String, path: String) throws(CamrecError) {
    switch stage {
    case .read, .baked, .decoded: self = .pictures(try FrameHashes(text: text, path: path))
    case .sound: self = .sound(try SoundHashes(text: text, path: path))
    case .container, .sidecar: self = .facts(try GoldenFacts(text: text, path: path))
    }
  }

  public var extent: StageExtent {
    switch self {
    case .pictures(let hashes): StageExtent(hashes.pictures.count, .frames)
    case .sound(let hashes): StageExtent(Int(hashes.length), .samples, note: hashes.sync?.words ?? "")
    case .facts(let facts): StageExtent(facts.facts.count, .facts)
    }
  }
}

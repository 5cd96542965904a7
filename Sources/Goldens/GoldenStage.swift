/// Where on their way a case's pictures are hashed.
public enum GoldenStage: String, Hashable, Sendable, CaseIterable, Codable {
  /// As the clip's decoder gives them.
  case read
  /// As the bake gives them to an encoder.
  case baked
}

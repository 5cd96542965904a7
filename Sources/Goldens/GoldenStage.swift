/// A stage at which a case is compared.
public enum GoldenStage: String, Hashable, Sendable, CaseIterable, Codable {
  /// Frames as the clip's decoder gives them.
  case read
  /// Frames as the bake gives them to an encoder.
  case baked
  /// Frames as a decoder gives them from the encoded film.
  case decoded
  /// The film's audio.
  case sound
  /// Facts from the film's container.
  case container
  /// Facts from the clip's sidecar on exposure and losses.
  case sidecar

  /// Whether it needs the case's film.
  public var isOfFilm: Bool { [.decoded, .sound, .container].contains(self) }
  /// Whether its text is of hashes, as FFmpeg writes them, and not of facts.
  public var isHashes: Bool { self != .container && self != .sidecar }
  /// Its place in the order of processing, from 0.
  public var place: Int { GoldenStage.allCases.firstIndex(of: self) ?? 0 }
}

/// Where on its way a case is looked at.
public enum GoldenStage: String, Hashable, Sendable, CaseIterable, Codable {
  /// Pictures as the clip's decoder gives them.
  case read
  /// Pictures as the bake gives them to an encoder.
  case baked
  /// Pictures as a decoder gives them of the film that was encoded.
  case decoded
  /// The film's sound.
  case sound
  /// What the film's container says.
  case container
  /// What the clip's sidecar says of exposure and losses.
  case sidecar

  /// It needs the film that comes of the case.
  public var isOfFilm: Bool { [.decoded, .sound, .container].contains(self) }
  /// It is a text of frame hashes as FFmpeg has it, and not of facts.
  public var isHashes: Bool { self != .container && self != .sidecar }
  /// In the order in which a case comes to them, from 0 on.
  public var place: Int { GoldenStage.allCases.firstIndex(of: self) ?? 0 }
}

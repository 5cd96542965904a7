/// A problem that a player or an editor has with a film, or something worth knowing.
public struct FilmFinding: Hashable, Sendable, Encodable {
  public enum Severity: String, Hashable, Sendable, Encodable, Comparable {
    /// Harmless.
    case note
    /// Some programs do not show the film as intended.
    case warning
    /// The film does not play, or not as intended, in a program that films are made for.
    case error

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }

    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
  }

  public let severity: Severity
  /// The atom's path from the outermost, with tracks by their number in the file: `moov/trak[2]/mdia/minf/stbl/stsd`.
  public let atom: String
  /// Of the atom's first byte in the file; `nil` if it is missing.
  public let offset: UInt64?
  /// What is wrong, with the value found.
  public let finding: String
  /// Which programs are affected, and how.
  public let breaks: String?
  /// How to fix it.
  public let remedy: String?

  public init(
    _ severity: Severity, _ atom: String, at offset: UInt64?, _ finding: String, breaks: String? = nil,
    remedy: String? = nil
  ) {
    self.severity = severity
    self.atom = atom
    self.offset = offset
    self.finding = finding
    self.breaks = breaks
    self.remedy = remedy
  }
}

/// Something about a film's file that a player or an editor takes amiss, or that is worth knowing.
public struct FilmFinding: Hashable, Sendable, Encodable {
  public enum Severity: String, Hashable, Sendable, Encodable, Comparable {
    /// True, and no harm.
    case note
    /// Some programs show something else than was meant.
    case warning
    /// The film does not play, or not as it was meant, in a program that films are made for.
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
  /// The atom, from the outermost on, tracks by their number in the file: `moov/trak[2]/mdia/minf/stbl/stsd`.
  public let atom: String
  /// Of the atom's first byte in the file; `nil` for one that is missing.
  public let offset: UInt64?
  /// What is wrong, with what stands there.
  public let finding: String
  /// Who takes it amiss, and how it shows.
  public let breaks: String?
  /// What mends it.
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

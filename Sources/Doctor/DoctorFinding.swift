public import Frames

/// The result of one check of the machine.
public struct DoctorFinding: Hashable, Sendable, Codable {
  /// From good to bad.
  public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    case ok
    /// It will record; something may go wrong in the long run.
    case warning
    /// It will not record as asked.
    case failure

    public static func < (a: Verdict, b: Verdict) -> Bool { rank(a) < rank(b) }
    private static func rank(_ verdict: Verdict) -> Int { allCases.firstIndex(of: verdict) ?? 0 }
  }

  /// The check's name: `disk speed`.
  public let check: String
  /// The camera of a rig; `nil`: the machine.
  public var camera: String?
  public let verdict: Verdict
  /// What was found, with figures.
  public let finding: String
  /// What to do, as the command line says it, unless the verdict is `ok`.
  public let remedy: String?
  /// The figures, for programs; each name includes the unit.
  public let figures: [String: Double]

  public init(
    _ check: String, _ verdict: Verdict, _ finding: String, remedy: Sentence? = nil, figures: [String: Double] = [:]
  ) {
    self.check = check
    self.verdict = verdict
    self.finding = finding
    self.remedy = remedy?.withOptions
    self.figures = figures
  }
}

/// A check of one thing that a recording depends on.
public protocol DoctorCheck {
  /// Runs the check, which may take some seconds. Leaves nothing changed.
  func findings() -> [DoctorFinding]
}

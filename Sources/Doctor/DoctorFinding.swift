/// What one look at the machine came to.
public struct DoctorFinding: Hashable, Sendable, Codable {
  /// From good to bad.
  public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    case ok
    /// It will record; something may go wrong in the long run.
    case warning
    /// It will not record as it is to.
    case failure

    public static func < (a: Verdict, b: Verdict) -> Bool { rank(a) < rank(b) }
    private static func rank(_ verdict: Verdict) -> Int { allCases.firstIndex(of: verdict) ?? 0 }
  }

  /// Which look: `disk speed`.
  public let check: String
  /// Which camera of a rig; `nil`: the machine.
  public var camera: String?
  public let verdict: Verdict
  /// What was found, with figures.
  public let finding: String
  /// What to do, for all but `ok`.
  public let remedy: String?
  /// The figures, for programs; their units stand in their names.
  public let figures: [String: Double]

  public init(
    _ check: String, _ verdict: Verdict, _ finding: String, remedy: String? = nil, figures: [String: Double] = [:]
  ) {
    self.check = check
    self.verdict = verdict
    self.finding = finding
    self.remedy = remedy
    self.figures = figures
  }
}

/// A look at one thing that a recording depends on.
public protocol DoctorCheck {
  /// Looks, which may take some seconds. Changes nothing that stays.
  func findings() -> [DoctorFinding]
}

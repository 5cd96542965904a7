public import Frames

/// The outcome of a stage.
public enum StageOutcome: Hashable, Sendable, Codable {
  /// It equals the golden, or keeps its limits.
  case holds(StageExtent)
  /// The differences, for people.
  case differs([String])
  /// There is no golden to compare with.
  case unknown
  /// There is a golden; nothing was compared with it.
  case there(StageExtent)
  /// Its golden was written.
  case written(StageExtent, before: Former)

  /// What was there before a golden was written.
  public enum Former: Hashable, Sendable, Codable {
    case none
    case same
    case different([String])
    /// It could not be read.
    case broken(CamrecError)
  }

  public var isWell: Bool {
    switch self {
    case .holds, .there, .written: true
    case .differs, .unknown: false
    }
  }

  /// The differences from the golden, or from the one before it was written, for people.
  ///
  /// - Parameter limit: differences to list at most; the rest is counted.
  public func sentences(limit: Int) -> [String] {
    switch self {
    case .differs(let differences), .written(_, .different(let differences)):
      let rest = differences.count - limit
      return differences.prefix(limit) + (rest > 0 ? ["and \(rest) more difference\(rest == 1 ? "" : "s")"] : [])
    case .written(_, .broken(let error)): return [error.description]
    case .unknown: return ["there is no golden; 'camrec golden record' makes one"]
    case .holds, .there, .written: return []
    }
  }
}

/// The outcome of a case.
public struct CaseOutcome: Hashable, Sendable {
  public struct Stage: Hashable, Sendable, Codable {
    public let stage: GoldenStage
    public let outcome: StageOutcome

    public init(_ stage: GoldenStage, _ outcome: StageOutcome) {
      self.stage = stage
      self.outcome = outcome
    }
  }

  public let name: String
  /// How long it took.
  public let seconds: Double
  /// The stages, or why there are none, such as a clip that is missing, changed or unreadable.
  public let result: Result<[Stage], CamrecError>

  public init(name: String, seconds: Double, result: Result<[Stage], CamrecError>) {
    self.name = name
    self.seconds = seconds
    self.result = result
  }

  public enum Verdict: String, Hashable, Sendable, CaseIterable, Codable { case holds, differs, error }

  public var verdict: Verdict {
    switch result {
    case .success(let stages): stages.allSatisfy(\.outcome.isWell) ? .holds : .differs
    case .failure: .error
    }
  }

  /// Why it could not be run.
  public var error: CamrecError? { if case .failure(let error) = result { error } else { nil } }
}

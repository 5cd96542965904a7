public import Frames

/// What became of a stage.
public enum StageOutcome: Hashable, Sendable, Codable {
  /// It is the golden's, or as like it as it has to be.
  case holds(StageExtent)
  /// What is not, for a person.
  case differs([String])
  /// There is no golden to hold it against.
  case unknown
  /// There is a golden; nothing was held against it.
  case there(StageExtent)
  /// Its golden was written anew.
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

  /// What is not as in the golden, or was not before it was written, for a person.
  ///
  /// - Parameter limit: differences that are listed; what is left is counted.
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

/// What became of a case.
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
  /// The stages, or why there are none: a clip that is missing, another than it was, or unreadable, for one.
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

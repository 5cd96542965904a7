extension RecorderState {
  public typealias Member = CodingKeys

  /// Members that change all the time while a film is being recorded; watchers hear of them ten times a second at most.
  public static let counters: Set<Member> = [
    .seconds, .bytes, .unsavedSeconds, .lossBound, .timecode, .level, .ledger, .filmAccount, .disk, .totals, .queues,
    .effort, .ratePartsPerMillion, .preRoll, .beats,
  ]

  /// The members whose values differ.
  public func members(differingFrom other: RecorderState) -> Set<Member> {
    var comparison = Comparison(one: self, other: other)
    for member in Member.allCases { RecorderState.visit(member, with: &comparison) }
    return comparison.differing
  }

  /// Takes over the values of some members.
  public mutating func take(_ members: some Sequence<Member>, of other: RecorderState) {
    var transfer = Transfer(source: other, target: self)
    for member in members { RecorderState.visit(member, with: &transfer) }
    self = transfer.target
  }

  /// Calls a visitor with a member and the place of its value.
  package static func visit<Visitor: StateMemberVisitor>(
    _ member: Member, with visitor: inout Visitor
  ) throws(Visitor.Failure) {
    switch member {
    case .phase: try visitor.visit(member, \.phase)
    case .film: try visitor.visit(member, \.film)
    case .filmID: try visitor.visit(member, \.filmID)
    case .recordingID: try visitor.visit(member, \.recordingID)
    case .segment: try visitor.visit(member, \.segment)
    case .films: try visitor.visit(member, \.films)
    case .source: try visitor.visit(member, \.source)
    case .started: try visitor.visit(member, \.started)
    case .seconds: try visitor.visit(member, \.seconds)
    case .bytes: try visitor.visit(member, \.bytes)
    case .unsavedSeconds: try visitor.visit(member, \.unsavedSeconds)
    case .lossBound: try visitor.visit(member, \.lossBound)
    case .timecode: try visitor.visit(member, \.timecode)
    case .marker: try visitor.visit(member, \.marker)
    case .level: try visitor.visit(member, \.level)
    case .ledger: try visitor.visit(member, \.ledger)
    case .filmAccount: try visitor.visit(member, \.filmAccount)
    case .disk: try visitor.visit(member, \.disk)
    case .totals: try visitor.visit(member, \.totals)
    case .queues: try visitor.visit(member, \.queues)
    case .effort: try visitor.visit(member, \.effort)
    case .ratePartsPerMillion: try visitor.visit(member, \.ratePartsPerMillion)
    case .beats: try visitor.visit(member, \.beats)
    case .preRoll: try visitor.visit(member, \.preRoll)
    case .exposure: try visitor.visit(member, \.exposure)
    case .nextExposure: try visitor.visit(member, \.nextExposure)
    case .whiteBalance: try visitor.visit(member, \.whiteBalance)
    case .whiteBalanceAge: try visitor.visit(member, \.whiteBalanceAge)
    case .focus: try visitor.visit(member, \.focus)
    case .failure: try visitor.visit(member, \.failure)
    case .startFailure: try visitor.visit(member, \.startFailure)
    case .cameraFailure: try visitor.visit(member, \.cameraFailure)
    case .continuationFailure: try visitor.visit(member, \.continuationFailure)
    }
  }
}

/// Does something with members of a state, whatever their types.
package protocol StateMemberVisitor {
  associatedtype Failure: Error

  mutating func visit<Value: Codable & Hashable & Sendable>(
    _ member: RecorderState.Member, _ path: WritableKeyPath<RecorderState, Value>
  ) throws(Failure)
}

private struct Comparison: StateMemberVisitor {
  typealias Failure = Never

  let one: RecorderState
  let other: RecorderState
  var differing: Set<RecorderState.Member> = []

  mutating func visit<Value: Codable & Hashable & Sendable>(
    _ member: RecorderState.Member, _ path: WritableKeyPath<RecorderState, Value>
  ) {
    if one[keyPath: path] != other[keyPath: path] { differing.insert(member) }
  }
}

private struct Transfer: StateMemberVisitor {
  typealias Failure = Never

  let source: RecorderState
  var target: RecorderState

  mutating func visit<Value: Codable & Hashable & Sendable>(
    _ member: RecorderState.Member, _ path: WritableKeyPath<RecorderState, Value>
  ) {
    target[keyPath: path] = source[keyPath: path]
  }
}

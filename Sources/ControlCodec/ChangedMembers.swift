public import RecorderAPI

/// Some members of a state as a JSON object: `{"film":"take.mov","marker":null}`.
///
/// A member that has no value any more is `null`. An object within the state is there as a whole, whatever has changed
/// in it. Members that this version does not know are passed over.
public struct ChangedMembers: Hashable, Sendable {
  public let names: Set<RecorderState.Member>
  /// The values of `names`; other members have no meaning.
  public let values: RecorderState

  public init(_ update: StateUpdate) {
    names = update.members
    values = update.values
  }
}

extension ChangedMembers: Codable {
  public init(from decoder: any Decoder) throws {
    var reading = Reading(container: try decoder.container(keyedBy: RecorderState.Member.self))
    let names = Set(reading.container.allKeys)
    for name in names { try RecorderState.visit(name, with: &reading) }
    self.names = names
    values = reading.values
  }

  public func encode(to encoder: any Encoder) throws {
    var writing = Writing(container: encoder.container(keyedBy: RecorderState.Member.self), values: values)
    for name in names { try RecorderState.visit(name, with: &writing) }
  }
}

private struct Reading: StateMemberVisitor {
  typealias Failure = any Error

  let container: KeyedDecodingContainer<RecorderState.Member>
  var values = RecorderState(phase: .standby)

  mutating func visit<Value: Codable & Hashable & Sendable>(
    _ member: RecorderState.Member, _ path: WritableKeyPath<RecorderState, Value>
  ) throws {
    values[keyPath: path] = try container.decode(Value.self, forKey: member)
  }
}

private struct Writing: StateMemberVisitor {
  typealias Failure = any Error

  var container: KeyedEncodingContainer<RecorderState.Member>
  let values: RecorderState

  mutating func visit<Value: Codable & Hashable & Sendable>(
    _ member: RecorderState.Member, _ path: WritableKeyPath<RecorderState, Value>
  ) throws {
    try container.encode(values[keyPath: path], forKey: member)
  }
}

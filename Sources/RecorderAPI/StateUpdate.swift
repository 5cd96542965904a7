/// What a watcher is told of a recorder: its whole state, or the members that have changed since the update before.
///
/// A recorder numbers the states that it tells. A watcher that was too slow for some of them gets a whole state next.
public struct StateUpdate: Hashable, Sendable {
  /// The number of the state, from 1 on, in rising order.
  public let generation: Int
  /// Whether it has all members. If not, it applies only to the state of the generation before it.
  public let isWhole: Bool
  /// The members that have changed; of a whole state, all of them.
  public let members: Set<RecorderState.Member>
  /// The values of `members`, nested ones as a whole. The other members have no meaning.
  public let values: RecorderState

  /// A whole state.
  public init(_ state: RecorderState, generation: Int) {
    self.generation = generation
    isWhole = true
    members = Set(RecorderState.Member.allCases)
    values = state
  }

  /// Some members of a state.
  public init(_ members: Set<RecorderState.Member>, of state: RecorderState, generation: Int) {
    self.generation = generation
    isWhole = false
    self.members = members
    var values = RecorderState(phase: .standby)
    values.take(members, of: state)
    self.values = values
  }

  /// The whole state after this update.
  ///
  /// - Parameter known: the whole state before it; `nil` if none is known.
  /// - Returns: `nil` if that is not the state of the generation before this one: ask for a whole state.
  public func applied(to known: StateUpdate?) -> StateUpdate? {
    if isWhole { return self }
    guard let known, known.isWhole, known.generation == generation - 1 else { return nil }
    var state = known.values
    state.take(members, of: values)
    return StateUpdate(state, generation: generation)
  }
}

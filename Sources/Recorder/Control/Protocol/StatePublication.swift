import ControlCodec
import RecorderAPI
import Synchronization

/// A state that watchers are told. Each of its lines is written once, however many watchers there are.
///
/// Thread: any.
final class StatePublication: Sendable {
  /// What a watcher is sent.
  enum Form: Hashable {
    /// Version 1: a whole state.
    case state
    /// A whole state with all members, for watchers that have said hello.
    case allMembers
    /// What has changed since the publication before.
    case changes
    /// A whole state, for watchers of changes that do not know the publication before.
    case wholeChanges
  }

  /// Counts publications, from 1 on.
  let generation: Int
  let state: RecorderState
  /// What differs from the publication before.
  let changed: Set<RecorderState.Member>
  private let lines = Mutex<[Form: [UInt8]]>([:])

  init(_ state: RecorderState, changed: Set<RecorderState.Member>, generation: Int) {
    self.generation = generation
    self.state = state
    self.changed = changed
  }

  func line(_ form: Form) -> [UInt8] {
    lines.withLock { lines in
      if let line = lines[form] { return line }
      let line = message(form).line
      lines[form] = line
      return line
    }
  }

  private func message(_ form: Form) -> ControlMessage {
    switch form {
    case .state: .news(state.ofFirstVersion)
    case .allMembers: .news(state)
    case .changes: .news(StateUpdate(changed, of: state, generation: generation))
    case .wholeChanges: .news(StateUpdate(state, generation: generation))
    }
  }
}

extension RecorderState {
  /// Without the members that version 1 of the protocol does not have.
  var ofFirstVersion: RecorderState {
    var state = self
    state.whiteBalanceAge = nil
    state.identity = nil
    // It has one failure for both: of the last film, or of a later start.
    state.failure = startFailure ?? failure
    state.startFailure = nil
    // And one for what a recording waits for, the camera or something else.
    state.cameraFailure = cameraFailure ?? continuationFailure
    state.continuationFailure = nil
    (state.unsavedSeconds, state.lossBound) = (nil, nil)
    state.exposure?.isMissingEVLowerBound = nil
    return state
  }
}

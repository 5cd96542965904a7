public import Frames
public import Recorder
public import RecorderAPI
import Synchronization

/// A recorder that notes what it is asked and answers as it was told to. Thread: any.
public final class ScriptedRecorder: RecorderControl {
  private struct Script {
    var state: RecorderState
    var asked: [RecorderCommand] = []
    var failure: CamrecError?
    var controls: [ControlDescription] = []
  }

  public let changes = ChangeBell()
  private let script: Mutex<Script>
  /// Called before an answer, on the thread that asks.
  private let beforeAnswer: @Sendable (RecorderCommand) -> Void

  public init(
    state: RecorderState = RecorderState(phase: .recording),
    beforeAnswer: @escaping @Sendable (RecorderCommand) -> Void = { _ in }
  ) {
    script = Mutex(Script(state: state))
    self.beforeAnswer = beforeAnswer
  }

  public var state: RecorderState {
    get { script.withLock { $0.state } }
    set { script.withLock { $0.state = newValue } }
  }

  /// Everything that was to be performed, in order.
  public var asked: [RecorderCommand] { script.withLock { $0.asked } }

  /// What every command is refused with from now on.
  public func fail(with error: CamrecError?) { script.withLock { $0.failure = error } }

  /// What it says that can be set.
  public func offer(_ controls: [ControlDescription]) { script.withLock { $0.controls = controls } }

  public func controls() throws(CamrecError) -> [ControlDescription] {
    let (controls, failure) = script.withLock { ($0.controls, $0.failure) }
    if let failure { throw failure }
    return controls
  }

  public func perform(_ command: RecorderCommand) throws(CamrecError) -> RecorderState {
    beforeAnswer(command)
    let (state, failure) = script.withLock { script in
      script.asked.append(command)
      return (script.state, script.failure)
    }
    if let failure { throw failure }
    changes.ring()
    return state
  }
}

import Frames
public import Platform
import Synchronization

/// Runs recordings side by side, each in its own process, until they finish or the supervisor is told to stop.
///
/// If a driver or an encoder crashes or hangs, only its own recording is affected.
///
/// Thread: `run` on one; `stop` and `giveUp` on any.
public final class Supervisor: Sendable {
  public struct Recording: Sendable {
    public let name: String
    /// The arguments of the next start, given the number of consecutive failed starts before it.
    public let arguments: @Sendable (_ failures: Int) -> [String]

    public init(name: String, arguments: @escaping @Sendable (_ failures: Int) -> [String]) {
      self.name = name
      self.arguments = arguments
    }
  }

  /// What `run` reports, on its own thread.
  public enum Tale: Hashable, Sendable {
    /// A line of a recording's standard output.
    case event(String)
    /// A line of its standard error.
    case words(String)
    /// A message of the supervisor itself.
    case note(ChildWatch.Urgency, String)
    case started(pid: Int32)
    /// Reported before the decision whether to restart it.
    case ended(ChildProcess.Ending)
  }

  private struct Occasion {
    let index: Int
    let event: ChildWatch.Event
    var tale: Tale?
    /// The start that it belongs to: the last lines of an earlier process are reported but decide nothing.
    let generation: Int
  }

  private struct Shared {
    var occasions: [Occasion] = []
    var children: [Int: ChildProcess] = [:]
    var failing: [Int: Int] = [:]
    var isStopping = false
  }

  private let program: String
  private let recordings: [Recording]
  private let shared = Mutex(Shared())
  private let bell = MonotonicSemaphore()

  /// Seconds between two looks at the recordings.
  private static let beat = 0.2

  /// - Parameter program: camrec's own path.
  public init(program: String, recordings: [Recording]) {
    self.program = program
    self.recordings = recordings
    ChildProcess.keepEndings()
  }

  /// Ends every recording cleanly; does not wait.
  public func stop() {
    shared.withLock { $0.isStopping = true }
    bell.signal()
  }

  /// Tells every recording to give up finishing its film; does not wait.
  public func giveUp() {
    shared.withLock { $0.children.values.forEach { $0.send(ChildProcess.endSignal) } }
  }

  /// Names of the recordings that run.
  public var running: [String] { shared.withLock { $0.children.keys.sorted() }.map { recordings[$0].name } }

  /// Names of the recordings that failed and have not recorded since, in the rig's order, with the number of
  /// consecutive failed starts.
  public var failing: [(name: String, failures: Int)] {
    shared.withLock { $0.failing }.sorted { $0.key < $1.key }.map { (recordings[$0.key].name, $0.value) }
  }

  /// Runs the recordings until all are finished.
  ///
  /// - Parameters:
  ///   - beat: called on this thread, at least five times a second.
  ///   - tell: called with what happens, and to which recording.
  /// - Returns: the exit status of each recording, in order; 3 instead of 0 if it was interrupted.
  public func run(beat: () -> Void = {}, tell: (_ name: String, _ tale: Tale) -> Void) -> [Int32] {
    let now = MonotonicTime.now()
    var watches = recordings.map { _ in ChildWatch(now: now) }
    var statuses = recordings.map { _ in Int32(0) }
    var generations = recordings.map { _ in 0 }
    var wasStopped = false

    func receive(_ event: ChildWatch.Event, _ index: Int) {
      for action in watches[index].receive(event, at: .now()) {
        switch action {
        case .start:
          generations[index] += 1
          start(index, generations[index], watches[index].failedStarts, tell)
        case .signal(let signal): shared.withLock { $0.children[index] }?.send(signal)
        case .say(let urgency, let sentence): tell(recordings[index].name, .note(urgency, sentence))
        case .finished(let status):
          statuses[index] = status == 0 && watches[index].hasInterruptions ? ChildStatus.lost : status
        }
      }
    }

    while watches.contains(where: { !$0.isOver }) {
      let (occasions, isStopping) = shared.withLock { shared in
        defer { shared.occasions = [] }
        return (shared.occasions, shared.isStopping)
      }
      for occasion in occasions {
        if let tale = occasion.tale { tell(recordings[occasion.index].name, tale) }
        if occasion.generation == generations[occasion.index], !watches[occasion.index].isOver {
          receive(occasion.event, occasion.index)
        }
      }
      if isStopping, !wasStopped {
        wasStopped = true
        for index in watches.indices where !watches[index].isOver { receive(.stop, index) }
      }
      for index in watches.indices { receive(.tick, index) }
      let failing = watches.indices.filter { watches[$0].isFailing }.map { ($0, watches[$0].failedStarts) }
      shared.withLock { $0.failing = Dictionary(uniqueKeysWithValues: failing) }
      beat()
      if watches.contains(where: { !$0.isOver }) { bell.wait(within: Supervisor.beat) }
    }
    return statuses
  }

  private func start(_ index: Int, _ generation: Int, _ failures: Int, _ tell: (String, Tale) -> Void) {
    func note(_ event: ChildWatch.Event, _ tale: Tale?) {
      shared.withLock {
        $0.occasions.append(Occasion(index: index, event: event, tale: tale, generation: generation))
        if case .ended = event { $0.children[index] = nil }
      }
      bell.signal()
    }
    do {
      let child = try ChildProcess(
        program: program, arguments: recordings[index].arguments(failures),
        line: { [weak self] stream, line in
          guard let self else { return }
          hear(index, generation, stream, line)
        },
        ended: { [weak self] ending in self?.lose(index, generation, ending) })
      // It may have ended already; its end is then among the occasions.
      shared.withLock { shared in
        let hasEnded = shared.occasions.contains {
          if case .ended = $0.event { $0.index == index && $0.generation == generation } else { false }
        }
        if !hasEnded { shared.children[index] = child }
      }
      tell(recordings[index].name, .started(pid: child.pid))
    } catch {
      note(.missing(error), nil)
    }
  }

  private func hear(_ index: Int, _ generation: Int, _ stream: ChildProcess.Stream, _ line: String) {
    let occasion: Occasion
    if stream == .output, let news = ChildNews(line: line) {
      occasion = Occasion(index: index, event: .news(news), tale: .event(line), generation: generation)
    } else {
      occasion = Occasion(index: index, event: .tick, tale: .words(line), generation: generation)
    }
    shared.withLock { $0.occasions.append(occasion) }
    bell.signal()
  }

  private func lose(_ index: Int, _ generation: Int, _ ending: ChildProcess.Ending) {
    shared.withLock {
      $0.children[index] = nil
      $0.occasions.append(Occasion(index: index, event: .ended(ending), tale: .ended(ending), generation: generation))
    }
    bell.signal()
  }
}

import Frames
import Glibc
import Synchronization

/// Runs recordings side by side, each in a process of its own, until they are finished or it is to end.
///
/// What happens to one, a driver or an encoder that crashes or hangs, is its own: the others do not notice.
///
/// Thread: `run` on one; `stop` and `giveUp` on any.
public final class Supervisor: Sendable {
  public struct Recording: Sendable {
    public let name: String
    /// Those of its next start, which comes after so many in a row that came to nothing.
    public let arguments: @Sendable (_ failures: Int) -> [String]

    public init(name: String, arguments: @escaping @Sendable (_ failures: Int) -> [String]) {
      self.name = name
      self.arguments = arguments
    }
  }

  /// What is told; on the thread of `run`.
  public enum Tale: Hashable, Sendable {
    /// A line of a recording's standard output.
    case event(String)
    /// A line of its standard error.
    case words(String)
    /// Of the supervisor's own.
    case note(ChildWatch.Urgency, String)
    case started(pid: Int32)
    /// Before it is decided whether it is started again.
    case ended(ChildProcess.Ending)
  }

  private struct Occasion {
    let index: Int
    let event: ChildWatch.Event
    var tale: Tale?
    /// Of which start: what one that is gone said last is told, and decides nothing.
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

  /// Between two looks at what is due.
  private static let beat = 0.2

  /// - Parameter program: camrec's own path.
  public init(program: String, recordings: [Recording]) {
    self.program = program
    self.recordings = recordings
    // A parent that ignores it leaves that to its children: the kernel would then keep nobody's exit status.
    signal(SIGCHLD, SIG_DFL)
  }

  /// Ends every recording cleanly; does not wait.
  public func stop() {
    shared.withLock { $0.isStopping = true }
    bell.signal()
  }

  /// Tells every recording to give up finishing its film; does not wait.
  public func giveUp() {
    shared.withLock { $0.children.values.forEach { $0.send(SIGTERM) } }
  }

  /// Names of those that run.
  public var running: [String] { shared.withLock { $0.children.keys.sorted() }.map { recordings[$0].name } }

  /// Names of those that have failed and do not record since, in the rig's order, and how many of their starts in a row
  /// came to nothing.
  public var failing: [(name: String, failures: Int)] {
    shared.withLock { $0.failing }.sorted { $0.key < $1.key }.map { (recordings[$0.key].name, $0.value) }
  }

  /// - Parameters:
  ///   - beat: called by this thread each time it looks around, at least five times a second.
  ///   - tell: is told what happens, and to which recording.
  /// - Returns: the exit status of each recording, in order; 3 for a 0 of one that had been interrupted.
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
      // It may have ended already; its end is an occasion that comes later.
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

import ControlCodec
import Frames
import Platform
import RecorderAPI
import Synchronization

/// Carries out the commands of one remote beside its conversation, so that a long one holds up no other, and answers
/// for those that take too long.
///
/// There are four lanes: what begins or ends a film, settings, marks, and questions to the camera. A lane has a thread
/// while it has work, and keeps the order of its requests.
///
/// Thread: any.
final class RequestLanes: Sendable {
  enum Work: Sendable {
    case command(RecorderCommand)
    case controls
  }

  enum Answer: Sendable {
    case state(RecorderState)
    case controls([ControlDescription])
  }

  struct Request: Sendable {
    /// Its name, for people.
    let name: String
    let work: Work
    /// Repeated in the answer.
    let id: JSONValue?
    /// How long it may take.
    let limit: Duration
  }

  struct Outcome: Sendable {
    let request: Request
    let result: Result<Answer, CamrecError>
    var reason: RefusalReason?
  }

  private enum Lane: Hashable {
    case films, settings, marks, questions

    init(_ work: Work) {
      switch work {
      case .command(.start), .command(.startAt(_)), .command(.stop), .command(.quit), .command(.source(_)):
        self = .films
      case .command(.marker(_)), .command(.keep): self = .marks
      case .command: self = .settings
      case .controls: self = .questions
      }
    }
  }

  private struct Job {
    let number: Int
    let request: Request
    let end: MonotonicTime
    var hasBegun = false

    var lane: Lane { Lane(request.work) }
  }

  private struct State {
    /// Requests without an answer, by their numbers.
    var open: [Int: Job] = [:]
    /// Numbers of requests that have not begun, in order.
    var waiting: [Lane: [Int]] = [:]
    /// Lanes whose thread is at work.
    var working: Set<Lane> = []
    /// Answers that nobody has taken yet.
    var outcomes: [Outcome] = []
    var given = 0
  }

  private let control: any RecorderControl
  /// Called when there is an answer, on the thread of its lane.
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())

  init(_ control: any RecorderControl, wake: @escaping @Sendable () -> Void) {
    self.control = control
    self.wake = wake
  }

  /// Has a request carried out; does not wait.
  func begin(_ request: Request, now: MonotonicTime) {
    let lane = Lane(request.work)
    let needsThread = state.withLock { state in
      state.given += 1
      let end = now.advanced(by: Int64(saturating: request.limit / .nanoseconds(1)))
      state.open[state.given] = Job(number: state.given, request: request, end: end)
      state.waiting[lane, default: []].append(state.given)
      return state.working.insert(lane).inserted
    }
    if needsThread { _ = WorkThread(name: "camrec-request") { [self] in work(on: lane) } }
  }

  /// Requests whose answer nobody has taken.
  var count: Int { state.withLock { $0.open.count + $0.outcomes.count } }

  /// When the next deadline passes; `nil` if there is none.
  var deadline: MonotonicTime? { state.withLock { $0.open.values.map(\.end).min() } }

  /// Takes an answer: of a request that was carried out, otherwise of one whose deadline has passed.
  func take(now: MonotonicTime) -> Outcome? {
    state.withLock { state in
      if !state.outcomes.isEmpty { return state.outcomes.removeFirst() }
      let late = state.open.values.filter { $0.end <= now }.min { $0.number < $1.number }
      guard let late else { return nil }
      state.open[late.number] = nil
      state.waiting[late.lane]?.removeAll { $0 == late.number }
      return RequestLanes.refusal(of: late)
    }
  }

  private func work(on lane: Lane) {
    while let job = next(in: lane) {
      let result: Result<Answer, CamrecError>
      do throws(CamrecError) {
        result = .success(try perform(job.request.work))
      } catch {
        result = .failure(error)
      }
      let isAwaited = state.withLock { state in
        guard state.open.removeValue(forKey: job.number) != nil else { return false }
        state.outcomes.append(Outcome(request: job.request, result: result))
        return true
      }
      if isAwaited { wake() }
    }
  }

  private func perform(_ work: Work) throws(CamrecError) -> Answer {
    switch work {
    case .command(let command): .state(try control.perform(command, by: "ctl"))
    case .controls: .controls(try control.controls())
    }
  }

  /// The next request that can still be in time; `nil` ends the lane's thread.
  private func next(in lane: Lane) -> Job? {
    let (job, isLate) = state.withLock { state -> (Job?, Bool) in
      var isLate = false
      while let number = state.waiting[lane]?.first {
        state.waiting[lane]?.removeFirst()
        guard var job = state.open[number] else { continue }
        if MonotonicTime.now() < job.end {
          job.hasBegun = true
          state.open[number] = job
          return (job, isLate)
        }
        state.open[number] = nil
        state.outcomes.append(RequestLanes.refusal(of: job))
        isLate = true
      }
      state.working.remove(lane)
      return (nil, isLate)
    }
    if isLate { wake() }
    return job
  }

  private static func refusal(of job: Job) -> Outcome {
    let seconds = job.request.limit / .seconds(1), whole = seconds.rounded()
    let time = whole == seconds ? "\(Int(whole))" : "\(seconds)"
    let sentence =
      job.hasBegun
      ? "'\(job.request.name)' takes longer than \(time) s; the recorder goes on with it, and its state shows "
        + "when it is done"
      : "the recorder was busy with other requests for \(time) s, and changed nothing; try again"
    return Outcome(
      request: job.request, result: .failure(CamrecError(.overload, sentence)),
      reason: job.hasBegun ? .deadline : .busy)
  }
}

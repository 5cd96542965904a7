public import Frames
import Synchronization

/// Does what may wait for a disk on a thread of its own, for others who wait only as long as the work gets on.
///
/// A call that hangs in the kernel cannot be ended: the thread stays in it, and whoever asks meanwhile is told so at
/// once. When the call returns after all, the work is done to its end, and the worker is as good as new.
///
/// Thread: any; does one piece of work at a time, in the order in which they were asked for.
public final class PatientWorker: Sendable {
  private typealias Piece = @Sendable () -> Void

  private struct State {
    var pieces: [(subject: String, work: Piece)] = []
    var isWorking = false
  }

  /// The work tells it of its calls.
  public let call = DiskCall()
  private let name: String
  private let patience: Double
  private let state = Mutex(State())

  /// Seconds for which others wait for a call that does not return. A disk that is only slow answers sooner.
  public static let patience = 5.0
  /// Between two looks at how the work gets on.
  private static let beat = 0.02

  /// - Parameters:
  ///   - name: of the thread; at most 15 bytes show in `ps -L`.
  ///   - patience: seconds.
  public init(name: String, patience: Double = PatientWorker.patience) {
    self.name = name
    self.patience = patience
  }

  /// Has `work` done, and waits for it.
  ///
  /// - Parameters:
  ///   - path: what it is about.
  ///   - seconds: that this caller waits at most, however the work gets on; `nil`: as long as it does.
  /// - Returns: what it has returned; `nil`: it waits for a disk that does not answer, or takes longer than `seconds`.
  ///   It is done all the same, unless another piece hangs already.
  public func run<R: Sendable>(
    about path: String, within seconds: Double? = nil, _ work: @escaping @Sendable () -> R
  ) -> R? {
    let outcome = Outcome<R>()
    let isTaken = state.withLock { state in
      guard !isStalled(state) else { return false }
      state.pieces.append(
        (path, {
          let value = work()
          outcome.value.withLock { $0 = value }
          outcome.isDone.signal()
        }))
      return true
    }
    guard isTaken else { return nil }
    begin()
    let begun = MonotonicTime.now()
    while !outcome.isDone.wait(within: PatientWorker.beat) {
      if stalledPath != nil { return nil }
      if let seconds, Double(MonotonicTime.now() - begun) * 1e-9 >= seconds { return nil }
    }
    return outcome.value.withLock { $0 }
  }

  /// The same, for work that may fail.
  ///
  /// - Throws: what `work` throws; code `output`: it waits for a disk that does not answer.
  @discardableResult public func attempt<R: Sendable>(
    about path: String, _ work: @escaping @Sendable () throws(CamrecError) -> R
  ) throws(CamrecError) -> R {
    let result = run(about: path) { () -> Result<R, CamrecError> in
      do throws(CamrecError) { return .success(try work()) } catch { return .failure(error) }
    }
    guard let result else {
      throw CamrecError(.output, "'\(path)' does not answer; look at that disk, then try again")
    }
    return try result.get()
  }

  /// Nothing is being done.
  public var isIdle: Bool { state.withLock { !$0.isWorking } }

  /// The path that does not answer; `nil` where everything does.
  public var stalledPath: String? { state.withLock { isStalled($0) ? call.standstill.path : nil } }

  private func isStalled(_ state: State) -> Bool { state.isWorking && call.standstill.seconds >= patience }

  private func begin() {
    let isNew = state.withLock { state in
      defer { state.isWorking = true }
      if !state.isWorking, let first = state.pieces.first { call.begin(about: first.subject) }
      return !state.isWorking
    }
    if isNew { _ = WorkThread(name: name) { [self] in run() } }
  }

  private func run() {
    while let piece = next() {
      call.begin(about: piece.subject)
      piece.work()
    }
  }

  private func next() -> (subject: String, work: Piece)? {
    state.withLock { state in
      state.isWorking = !state.pieces.isEmpty
      return state.pieces.isEmpty ? nil : state.pieces.removeFirst()
    }
  }

  private final class Outcome<R: Sendable>: Sendable {
    let value = Mutex<R?>(nil)
    let isDone = MonotonicSemaphore()
  }
}

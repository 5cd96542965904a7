import Frames
import Glibc
import Synchronization

/// Writes lines to a terminal, a pipe or a file from a thread of its own, so that who says something need not wait for
/// who reads it: a terminal that is held (Ctrl-S, tmux's copy mode), or a pipe that nobody empties.
///
/// Each line is one `write`, so that lines of several processes do not run into each other. What does not fit into the
/// queue is counted, and said once there is room again. On a terminal a status line may stand below all lines: it is
/// redrawn behind each of them.
///
/// Thread: any.
public final class LineWriter: Sendable {
  /// How much a line matters where only some fit.
  public enum Weight: Sendable {
    /// Comes again soon: fills no more than half of the queue.
    case routine
    case news
  }

  private struct Line {
    var bytes: [UInt8]
    /// That did not fit in front of this one.
    var droppedBefore = 0
  }

  private struct State {
    var lines: [Line] = []
    /// Of `lines` that are written already.
    var head = 0
    var waitingBytes = 0
    /// Lines that were taken, and lines that are dealt with: written, or given up.
    var taken = 0
    var done = 0
    /// That did not fit behind the last line in the queue.
    var dropped = 0
    /// The reader is gone: nothing is written any more.
    var isGone = false
    /// The last write failed; what was lost is said with the next line.
    var hasFailed = false
    /// The system's error of the last line that could not be written.
    var failure: Int32?
    var waitsForReader = true
    var hasThread = false
    var status = ""
    var prompt = ""
    /// What stands in the terminal's last line.
    var shown = ""
    var notice: @Sendable (Int) -> String
    var waiters: [(line: Int, bell: MonotonicSemaphore)] = []

    var isIdle: Bool { done == taken && dropped == 0 }
    var wanted: String { prompt.isEmpty ? status : prompt }
  }

  /// Lines that are written may stay in the queue's array, so that it is not moved for each.
  private static let mostWritten = 64

  private let descriptor: Int32
  private let capacity: Int
  private let state: Mutex<State>
  private let bell = MonotonicSemaphore()
  /// Whether the descriptor is a terminal on which a line can be redrawn.
  public let redraws: Bool

  /// - Parameters:
  ///   - descriptor: stays the caller's, and open.
  ///   - capacity: bytes that wait at most where nobody waits for the reader.
  ///   - redraws: `nil`: where the descriptor is a terminal that is not a dumb one.
  ///   - notice: the sentence for so many lines that did not fit, without a line feed.
  public init(
    descriptor: Int32, capacity: Int = 1 << 18, redraws: Bool? = nil, notice: @escaping @Sendable (Int) -> String
  ) {
    self.descriptor = descriptor
    self.capacity = capacity
    self.redraws = redraws ?? (isatty(descriptor) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb")
    state = Mutex(State(notice: notice))
  }

  /// The other end is closed: nothing is written any more.
  public var isReaderGone: Bool { state.withLock { $0.isGone } }

  /// The system's error where a line could not be written, as on a full disk; `nil` where all were. A reader that is gone
  /// is none.
  public var failure: Int32? { state.withLock { $0.failure } }

  /// The terminal's width, which may change; 80 where it does not say.
  public var columns: Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// From now on nobody waits for the reader. Up to then `write` returns when the line is written, as a program's
  /// output does that has nothing better to do.
  public func waitForNobody() { state.withLock { $0.waitsForReader = false } }

  /// Another wording for lines that did not fit.
  public func say(dropped notice: @escaping @Sendable (Int) -> String) { state.withLock { $0.notice = notice } }

  /// Writes a line, or several that belong together; a line feed at the end is added where it is missing.
  public func write(_ text: String, _ weight: Weight = .news) {
    var bytes = Array(text.utf8)
    if bytes.last != 0x0A { bytes.append(0x0A) }
    let waiter = state.withLock { state -> MonotonicSemaphore? in
      guard !state.isGone else { return nil }
      let limit = weight == .news ? capacity : capacity / 2
      if !state.waitsForReader, state.waitingBytes + bytes.count > limit {
        state.dropped += 1
        return nil
      }
      state.lines.append(Line(bytes: bytes, droppedBefore: state.dropped))
      state.dropped = 0
      state.hasFailed = false
      state.waitingBytes += bytes.count
      state.taken += 1
      begin(&state)
      return state.waitsForReader ? wait(for: state.taken, &state) : nil
    }
    bell.signal()
    waiter?.wait()
  }

  /// What the status line is from now on; the empty text takes it away. Without a terminal there is none.
  public func show(status: String) { show { $0.status = status } }

  /// Takes the status line away, and returns when it is gone: something else may stand there.
  public func clearStatus() {
    guard redraws else { return }
    let waiter = state.withLock { state -> MonotonicSemaphore? in
      state.status = ""
      guard !state.isGone, !state.shown.isEmpty, state.waitsForReader else { return nil }
      state.lines.append(Line(bytes: []))
      state.taken += 1
      begin(&state)
      return wait(for: state.taken, &state)
    }
    bell.signal()
    waiter?.wait()
  }

  /// What is being typed: goes before the status line while there is any.
  public func show(prompt: String) { show { $0.prompt = prompt } }

  private func show(_ change: (inout State) -> Void) {
    guard redraws else { return }
    state.withLock { state in
      change(&state)
      begin(&state)
    }
    bell.signal()
  }

  /// Waits until everything is written, but for so many seconds at most. Nobody waits for the reader from then on.
  ///
  /// - Returns: that everything was.
  @discardableResult
  public func finish(within seconds: Double) -> Bool {
    waitForNobody()
    let waiter = state.withLock { state -> MonotonicSemaphore? in
      (state.status, state.prompt) = ("", "")
      if state.isGone || state.isIdle, state.shown.isEmpty { return nil }
      // What was dropped last is said, too.
      if state.dropped > 0 || !state.shown.isEmpty {
        state.lines.append(Line(bytes: [], droppedBefore: state.dropped))
        state.dropped = 0
        state.taken += 1
      }
      begin(&state)
      return wait(for: state.taken, &state)
    }
    guard let waiter else { return true }
    bell.signal()
    return waiter.wait(within: seconds)
  }

  private func wait(for line: Int, _ state: inout State) -> MonotonicSemaphore {
    let waiter = MonotonicSemaphore()
    state.waiters.append((line, waiter))
    return waiter
  }

  private func begin(_ state: inout State) {
    guard !state.hasThread else { return }
    state.hasThread = true
    // Lives as long as the process, as its descriptor does.
    _ = WorkThread(name: "camrec-lines") { [self] in
      // A program in the background may say what happens, whatever the terminal thinks of it (`stty tostop`).
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGTTOU)
      pthread_sigmask(SIG_BLOCK, &set, nil)
      while true {
        bell.wait()
        while let piece = next() { done(put(piece.bytes), piece) }
      }
    }
  }

  private struct Piece {
    var bytes: [UInt8]
    var isLine = false
    /// Lines that are lost where it cannot be written, those that it tells of included.
    var worth = 0
  }

  /// What is to be written next; `nil` for nothing.
  private func next() -> Piece? {
    state.withLock { state in
      if state.head < state.lines.count {
        let line = state.lines[state.head]
        state.head += 1
        if state.head == state.lines.count || state.head == LineWriter.mostWritten {
          state.lines.removeFirst(state.head)
          state.head = 0
        }
        state.waitingBytes -= line.bytes.count
        var bytes = clear(&state)
        if line.droppedBefore > 0 { bytes += state.notice(line.droppedBefore).utf8 + [0x0A] }
        return Piece(bytes: bytes + line.bytes, isLine: true, worth: line.droppedBefore + (line.bytes.isEmpty ? 0 : 1))
      }
      if state.isGone { return nil }
      if state.dropped > 0, !state.hasFailed {
        defer { state.dropped = 0 }
        return Piece(bytes: clear(&state) + Array(state.notice(state.dropped).utf8) + [0x0A], worth: state.dropped)
      }
      guard redraws, state.shown != state.wanted else { return nil }
      state.shown = state.wanted
      return Piece(bytes: Array("\r\(state.shown)\u{1B}[K".utf8))
    }
  }

  /// What takes the status line away.
  private func clear(_ state: inout State) -> [UInt8] {
    guard !state.shown.isEmpty else { return [] }
    state.shown = ""
    return Array("\r\u{1B}[K".utf8)
  }

  private enum Outcome { case written, failed(Int32), gone }

  private func done(_ outcome: Outcome, _ piece: Piece) {
    let ready = state.withLock { state in
      switch outcome {
      case .written: break
      case .failed(let number):
        state.dropped += piece.worth
        state.failure = number
        state.hasFailed = true
      case .gone:
        state.isGone = true
        state.done += state.lines.count - state.head
        (state.lines, state.head, state.waitingBytes, state.dropped) = ([], 0, 0, 0)
      }
      if piece.isLine { state.done += 1 }
      let ready = state.waiters.filter { $0.line <= state.done }
      state.waiters.removeAll { $0.line <= state.done }
      return ready
    }
    ready.forEach { $0.bell.signal() }
  }

  private func put(_ bytes: [UInt8]) -> Outcome {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + sent, $0.count - sent) }
      if count >= 0 {
        sent += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Whoever shares the descriptor has made it so.
        var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&asked, 1, -1)
      case EPIPE, EIO, EBADF, ENXIO: return .gone
      default: return .failed(errno)
      }
    }
    return .written
  }
}

import Frames
import Glibc
import Synchronization

/// Writes lines to a terminal, a pipe or a file from its own thread, so that the caller need not wait for the reader: a
/// terminal that is held (Ctrl-S, tmux's copy mode), or a pipe that nobody empties.
///
/// Each line is one `write`, so that the lines of several processes do not mix. Lines that do not fit into the queue
/// are counted, and their number is written once there is room again. On a terminal a status line may stand below all
/// other lines: it is redrawn after each of them.
///
/// Thread: any.
public final class LineWriter: Sendable {
  /// How important a line is when only some fit.
  public enum Weight: Sendable {
    /// Repeated soon: fills no more than half of the queue.
    case routine
    case news
  }

  private struct Line {
    var bytes: [UInt8]
    /// Lines before this one that did not fit.
    var droppedBefore = 0
  }

  private struct State {
    var lines: [Line] = []
    /// How many of `lines` are written already.
    var head = 0
    var waitingBytes = 0
    /// Lines that were accepted.
    var taken = 0
    /// Lines that were written or given up.
    var done = 0
    /// Lines that did not fit after the last line in the queue.
    var dropped = 0
    /// The reader is gone: nothing is written any more.
    var isGone = false
    /// The last write failed; the next line reports how much was lost.
    var hasFailed = false
    /// The system's error for the last line that could not be written.
    var failure: Int32?
    var waitsForReader = true
    var hasThread = false
    var status = ""
    var prompt = ""
    /// The text that now stands in the terminal's last line.
    var shown = ""
    var notice: @Sendable (Int) -> String
    var waiters: [(line: Int, bell: MonotonicSemaphore)] = []

    var isIdle: Bool { done == taken && dropped == 0 }
    var wanted: String { prompt.isEmpty ? status : prompt }
  }

  /// So many written lines may stay in the queue's array, so that it is not shifted for each.
  private static let mostWritten = 64

  private let descriptor: Int32
  private let capacity: Int
  private let state: Mutex<State>
  private let bell = MonotonicSemaphore()
  /// Whether the descriptor is a terminal on which a line can be redrawn.
  public let redraws: Bool

  /// - Parameters:
  ///   - descriptor: stays open and belongs to the caller.
  ///   - capacity: the most bytes that may wait, once `write` does not wait for the reader.
  ///   - redraws: `nil`: true if the descriptor is a terminal, unless `TERM` is dumb.
  ///   - notice: makes the sentence for a number of lines that did not fit, without a line feed.
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

  /// The reader has closed its end of the pipe. A terminal or a device may be gone, too.
  public var isPipeClosed: Bool { failure == EPIPE }

  /// The system's error if a line could not be written, as on a full disk or to a closed pipe; `nil` if all were.
  public var failure: Int32? { state.withLock { $0.failure } }

  /// The terminal's width, which may change; 80 if it is unknown.
  public var columns: Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// The terminal's width; `nil` if the descriptor is no terminal.
  public var width: Int? { isatty(descriptor) == 1 ? columns : nil }

  /// From now on `write` does not wait for the reader. Until then it returns only when the line is written.
  public func waitForNobody() { state.withLock { $0.waitsForReader = false } }

  /// Changes the sentence for lines that did not fit.
  public func say(dropped notice: @escaping @Sendable (Int) -> String) { state.withLock { $0.notice = notice } }

  /// Writes a line, or several that belong together; adds a line feed at the end if it is missing.
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

  /// Sets the status line; an empty text removes it. Has no effect without a terminal.
  public func show(status: String) { show { $0.status = status } }

  /// Removes the status line, and returns when it is gone, so that something else can be written there.
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

  /// Shows what is being typed, in place of the status line: of a line that is too long, the end. A line that wraps
  /// could not be removed.
  public func show(prompt: String) {
    let room = columns - 1
    let shown = prompt.count <= room ? prompt : "…\(prompt.suffix(max(0, room - 1)))"
    show { $0.prompt = shown }
  }

  private func show(_ change: (inout State) -> Void) {
    guard redraws else { return }
    state.withLock { state in
      change(&state)
      begin(&state)
    }
    bell.signal()
  }

  /// Waits until everything is written, for at most this many seconds. From then on `write` does not wait for the
  /// reader.
  ///
  /// - Returns: whether everything was written.
  @discardableResult
  public func finish(within seconds: Double) -> Bool {
    waitForNobody()
    let waiter = state.withLock { state -> MonotonicSemaphore? in
      (state.status, state.prompt) = ("", "")
      if state.isGone || state.isIdle, state.shown.isEmpty { return nil }
      // Also report the lines that were dropped last.
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
    // The thread lives as long as the process, like its descriptor.
    _ = WorkThread(name: "camrec-lines") { [self] in
      // Write from the background, too, even with `stty tostop`.
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
    /// Lines lost if it cannot be written, including those that its notice counts.
    var worth = 0
  }

  /// What to write next; `nil` for nothing.
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

  /// The bytes that remove the status line.
  private func clear(_ state: inout State) -> [UInt8] {
    guard !state.shown.isEmpty else { return [] }
    state.shown = ""
    return Array("\r\u{1B}[K".utf8)
  }

  private enum Outcome { case written, failed(Int32), gone(Int32) }

  private func done(_ outcome: Outcome, _ piece: Piece) {
    let ready = state.withLock { state in
      switch outcome {
      case .written: break
      case .failed(let number):
        state.dropped += piece.worth
        state.failure = number
        state.hasFailed = true
      case .gone(let number):
        state.isGone = true
        if piece.isLine { state.failure = number }
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
        // Another process that shares the descriptor has made it non-blocking.
        var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&asked, 1, -1)
      case EPIPE, EIO, EBADF, ENXIO: return .gone(errno)
      default: return .failed(errno)
      }
    }
    return .written
  }
}

import Foundation
public import Frames
import Glibc
import Synchronization
import SystemCalls

/// A program that was started, whose lines are read and whose end is waited for.
///
/// Its standard input is a pipe that says nothing and ends with this process, however that ends: a child that watches
/// it outlives nobody. It has a process group of its own, so that Ctrl-C on a terminal reaches its parent alone.
///
/// It inherits standard input, output and error, and no other descriptor, whoever has opened one.
///
/// Thread: any.
public final class ChildProcess: Sendable {
  public enum Stream: Hashable, Sendable { case output, errors }

  public enum Ending: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)

    /// A recording that has come to its end, with losses or without.
    public var isOwn: Bool {
      if case .status(let status) = self { ChildStatus.finished.contains(status) } else { false }
    }
  }

  /// How a program is started, where that is not as a recording of a rig is.
  public struct Manner: Hashable, Sendable {
    /// `NAME` and value; `nil`: this process's.
    public var environment: [String: String]?
    /// Its standard input is `/dev/null`; else a pipe that ends with this process.
    public var hasNoInput = false
    /// When it ends, the rest of its process group does, too.
    public var endsGroup = false

    public init(environment: [String: String]? = nil, hasNoInput: Bool = false, endsGroup: Bool = false) {
      self.environment = environment
      self.hasNoInput = hasNoInput
      self.endsGroup = endsGroup
    }
  }

  public let pid: Int32
  private let manner: Manner
  private let state: Mutex<State>

  private struct State {
    /// The end of its standard input.
    var input: Int32?
    /// Nobody else can have its number before.
    var isReaped = false
  }

  /// How long what it has written last is waited for once it is gone: others may hold the pipe open.
  private static let farewell = 1.0
  /// Bytes of a line; what is longer is cut.
  private static let lineLimit = 1 << 16

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its path.
  ///   - arguments: without its name.
  ///   - manner: as a recording is started, where it is left out.
  ///   - line: is given each line that it writes, on a thread of the child's.
  ///   - ended: is told its end, behind its last line.
  /// - Throws: code `defect` where there is no process, or no pipe, to be had.
  public init(
    program: String, arguments: [String], manner: Manner = Manner(), line: @escaping @Sendable (Stream, String) -> Void,
    ended: @escaping @Sendable (Ending) -> Void
  ) throws(CamrecError) {
    self.manner = manner
    var ends: [Int32] = []
    func fail(_ number: Int32) -> CamrecError {
      ends.forEach { _ = close($0) }
      return CamrecError(.defect, "'\(program)' cannot be started", cause: SystemError.words(for: number))
    }
    for _ in 0..<3 {
      guard let pair = Descriptors.pipe() else { throw fail(errno) }
      ends += [pair.reading, pair.writing]
    }
    do throws(Failure) {
      pid = try ChildProcess.spawn([program] + arguments, manner, input: ends[0], output: ends[3], errors: ends[5])
    } catch {
      throw fail(error.number)
    }
    [ends[0], ends[3], ends[5]].forEach { _ = close($0) }
    state = Mutex(State(input: ends[1]))
    let (output, errors) = (ends[2], ends[4])
    let isRead = MonotonicSemaphore()
    _ = WorkThread(name: "camrec-listen") {
      ChildProcess.read([(.output, output), (.errors, errors)], line)
      isRead.signal()
    }
    _ = WorkThread(name: "camrec-child") { [self] in
      let ending = wait()
      isRead.wait(within: ChildProcess.farewell)
      ended(ending)
    }
  }

  /// Sends a signal, unless it is gone.
  public func send(_ signal: Int32) {
    state.withLock { if !$0.isReaped { _ = kill(pid, signal) } }
  }

  /// Sends a signal to it and all that it has started, unless it is gone.
  public func sendToGroup(_ signal: Int32) {
    state.withLock { if !$0.isReaped { _ = kill(-pid, signal) } }
  }

  private func wait() -> Ending {
    var information = siginfo_t()
    // It stays in the table until the lock is held, so that its number is no one else's while it may be signalled.
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return state.withLock { state in
      if manner.endsGroup { _ = kill(-pid, SIGKILL) }
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      state.isReaped = true
      if let input = state.input { close(input) }
      state.input = nil
      // As WIFEXITED and its kin (wait(2)), which are macros.
      return status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
    }
  }

  private struct Failure: Error {
    let number: Int32
  }

  private static func spawn(
    _ words: [String], _ manner: Manner, input: Int32, output: Int32, errors: Int32
  ) throws(Failure) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if manner.hasNoInput {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    } else {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    }
    for (end, number) in [(output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
      posix_spawn_file_actions_adddup2(&actions, end, number)
    }
    // Whatever a library has opened without saying that it is for nobody else.
    let refusal = Descriptors.closeInChild(from: STDERR_FILENO + 1, &actions)
    guard refusal == 0 else { throw Failure(number: refusal) }
    // What this process ignores its child would, too.
    var ignored = sigset_t(), blocked = sigset_t()
    sigemptyset(&ignored)
    sigemptyset(&blocked)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] { sigaddset(&ignored, signal) }
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var pointers = words.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    var values = manner.environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
    defer { values?.forEach { free($0) } }
    var pid: Int32 = 0
    let number =
      values == nil
      ? posix_spawn(&pid, words[0], &actions, &attributes, &pointers, environ)
      : posix_spawn(&pid, words[0], &actions, &attributes, &pointers, &values!)
    guard number == 0 else { throw Failure(number: number) }
    return pid
  }

  /// Until both have ended.
  private static func read(_ streams: [(stream: Stream, end: Int32)], _ line: (Stream, String) -> Void) {
    var open = streams
    var pending: [Stream: [UInt8]] = [:]
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    defer { open.forEach { _ = close($0.end) } }
    while !open.isEmpty {
      var polls = open.map { pollfd(fd: $0.end, events: Int16(POLLIN), revents: 0) }
      guard poll(&polls, nfds_t(polls.count), -1) >= 0 || errno == EINTR else { return }
      for (source, ready) in zip(open, polls) where ready.revents != 0 {
        let count = Glibc.read(source.end, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else {
          if let rest = pending[source.stream], !rest.isEmpty {
            line(source.stream, String(decoding: rest, as: UTF8.self))
          }
          close(source.end)
          open.removeAll { $0.stream == source.stream }
          continue
        }
        for byte in buffer[..<count] {
          if byte == UInt8(ascii: "\n") {
            line(source.stream, String(decoding: pending[source.stream] ?? [], as: UTF8.self))
            pending[source.stream] = []
          } else if pending[source.stream, default: []].count < lineLimit {
            pending[source.stream, default: []].append(byte)
          }
        }
      }
    }
  }
}

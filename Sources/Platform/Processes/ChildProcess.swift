import Foundation
public import Frames
import Glibc
import Synchronization

/// Runs a program, reads its lines and waits for its end.
///
/// The program's standard input is an empty pipe that closes when this process ends for whatever reason, so a child
/// that watches it never outlives its parent. The program has its own process group, so Ctrl-C on a terminal reaches
/// only the parent. It inherits standard input, output and error, and no other descriptor.
///
/// Thread: any.
public final class ChildProcess: Sendable {
  public enum Stream: Hashable, Sendable { case output, errors }

  public enum Ending: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  /// How a program is started, if it differs from a recording of a rig.
  public struct Manner: Hashable, Sendable {
    /// `NAME` and value; `nil` for this process's environment.
    public var environment: [String: String]?
    /// Standard input is `/dev/null`; otherwise a pipe that closes when this process ends.
    public var hasNoInput = false
    /// When the program ends, kill the rest of its process group.
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
    /// The writing end of its standard input.
    var input: Int32?
    /// Until then, no other process can get its number.
    var isReaped = false
  }

  /// How many seconds to wait for its last lines once it is gone: other processes may keep the pipe open.
  private static let farewell = 1.0
  /// Bytes of a line; longer lines are cut.
  private static let lineLimit = 1 << 16

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its path.
  ///   - arguments: without the program's name.
  ///   - manner: if left out, the program starts as a recording of a rig does.
  ///   - line: called with each line that it writes, on one of this object's threads.
  ///   - ended: called with its end, after its last line.
  /// - Throws: code `defect` if the system cannot provide a process or a pipe.
  public init(
    program: String, arguments: [String], manner: Manner = Manner(), line: @escaping @Sendable (Stream, String) -> Void,
    ended: @escaping @Sendable (Ending) -> Void
  ) throws(CamrecError) {
    self.manner = manner
    var ends: [Int32] = []
    func fail(_ number: Int32) -> CamrecError {
      ends.forEach { _ = close($0) }
      return CamrecError(.defect, "cannot start '\(program)'", cause: SystemError.words(for: number))
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

  /// Sends a signal, unless the process is gone.
  public func send(_ signal: Int32) {
    state.withLock { if !$0.isReaped { _ = kill(pid, signal) } }
  }

  /// Sends a signal to the process and everything that it has started, unless it is gone.
  public func sendToGroup(_ signal: Int32) {
    state.withLock { if !$0.isReaped { _ = kill(-pid, signal) } }
  }

  private func wait() -> Ending {
    var information = siginfo_t()
    // The process stays a zombie until the lock is held, so that no signal can reach another one with its number.
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
    // Close what a library has opened without O_CLOEXEC.
    let refusal = Descriptors.closeInChild(from: STDERR_FILENO + 1, &actions)
    guard refusal == 0 else { throw Failure(number: refusal) }
    // Otherwise the child would ignore the signals that this process ignores.
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

  /// Reads both streams until they end.
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

import ControlCodec
import CTerminal
import Frames
import Glibc
import Platform
public import Recorder
public import RecorderAPI
import Synchronization

/// Controls a recorder by keys on its terminal.
///
/// While camrec is in the foreground, keys arrive one by one and are not echoed; Ctrl-C and Ctrl-Z keep their meaning.
/// In the background the terminal is left alone. `close`, and every signal that stops or ends the process at once,
/// restores the terminal; only SIGKILL cannot be handled.
///
/// Thread: any. A separate thread performs the commands and calls the closures. A process has one instance at a time.
public final class TerminalKeys: Sendable {
  private let terminal: Int32
  private let control: any RecorderControl
  private let say: @Sendable (String) -> Void
  private let warn: @Sendable (String) -> Void
  private let show: @Sendable (String) -> Void
  private let describe: @Sendable (RecorderState) -> String
  private let isClosed = Mutex(false)
  /// Wakes the thread when its writing end is closed.
  private let alarm: (reading: Int32, writing: Int32)

  /// How soon camrec notices that it is in the foreground, in milliseconds: faster than anybody types.
  private static let pause: Int32 = 200

  /// Listens from now on.
  ///
  /// - Parameters:
  ///   - terminal: standard input.
  ///   - say: called with the list of keys, and with what has changed.
  ///   - warn: called with the reason for a refusal.
  ///   - show: called with a line as it is typed, and with an empty text when typing ends.
  ///   - describe: describes the recorder's state, for the command `state`.
  /// - Returns: `nil` if `terminal` is not a terminal.
  public static func open(
    for control: any RecorderControl, on terminal: Int32 = 0, say: @escaping @Sendable (String) -> Void,
    warn: @escaping @Sendable (String) -> Void, show: @escaping @Sendable (String) -> Void = { _ in },
    describe: @escaping @Sendable (RecorderState) -> String = { $0.phase.rawValue }
  ) -> TerminalKeys? {
    guard isatty(terminal) == 1 else { return nil }
    guard let ends = Descriptors.pipe() else { return nil }
    let keys = TerminalKeys(control, terminal, ends, say, warn, show, describe)
    _ = WorkThread(name: "camrec-keys") {
      keys.listen()
      keys.close()
      Glibc.close(keys.alarm.reading)
    }
    return keys
  }

  private init(
    _ control: any RecorderControl, _ terminal: Int32, _ alarm: (Int32, Int32),
    _ say: @escaping @Sendable (String) -> Void, _ warn: @escaping @Sendable (String) -> Void,
    _ show: @escaping @Sendable (String) -> Void, _ describe: @escaping @Sendable (RecorderState) -> String
  ) {
    self.control = control
    self.terminal = terminal
    self.alarm = alarm
    self.say = say
    self.warn = warn
    self.show = show
    self.describe = describe
  }

  /// Restores the terminal and stops listening. Does not wait, so it may be called right before `_exit`. Calling it
  /// twice has no further effect.
  public func close() {
    isClosed.withLock { isClosed in
      ct_give_back()
      if !isClosed { Glibc.close(alarm.writing) }
      isClosed = true
    }
  }

  private func listen() {
    ct_ignore_job_control()
    var line: TypedLine?
    while true {
      let isOurs = isClosed.withLock { !$0 && ct_is_foreground(terminal) && ct_take(terminal) }
      var asked = [
        pollfd(fd: alarm.reading, events: 0, revents: 0), pollfd(fd: terminal, events: Int16(POLLIN), revents: 0),
      ]
      // In the background the keys belong to another program.
      let count = poll(&asked, isOurs ? 2 : 1, TerminalKeys.pause)
      if asked[0].revents != 0 { return }
      guard count > 0, asked[1].revents != 0 else { continue }
      guard let pressed = read() else { return }
      take(pressed, &line)
    }
  }

  /// - Returns: `nil` once the terminal is gone.
  private func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(terminal, &bytes, bytes.count)
    // EIO: camrec went to the background meanwhile, or the terminal is gone; the next look tells which.
    guard count > 0 else { return count < 0 && (errno == EINTR || (errno == EIO && isatty(terminal) == 1)) ? [] : nil }
    return Array(bytes.prefix(count))
  }

  /// Handles keys, or the letters of a line begun by one.
  private func take(_ pressed: [UInt8], _ line: inout TypedLine?) {
    for byte in pressed {
      guard var typed = line else {
        // Arrow and function keys send an escape and letters, which must not act as keys.
        if byte == 0x1b { return }
        guard let key = TerminalKey(Character(UnicodeScalar(byte))) else { continue }
        if key == .line {
          line = TypedLine()
          show(":")
        } else {
          perform(key)
        }
        continue
      }
      let outcome = typed.take(byte)
      line = outcome == .goesOn ? typed : nil
      show(line.map { ":" + $0.text } ?? "")
      if case .done(let text) = outcome, !text.isEmpty { perform(line: text) }
      if outcome == .cancelled, byte == 0x1b { return }
    }
  }

  private func perform(line: String) {
    do throws(CamrecError) {
      guard case .command(let command) = try ControlRequest(typed: line).meaning() else {
        throw CamrecError(.usage, "the terminal shows the state already")
      }
      let state = try control.perform(command, by: "keys")
      switch command {
      case .state: say(describe(state))
      case .marker: say(state.marker?.description ?? line)
      default: say(line)
      }
    } catch {
      warn(error.description)
    }
  }

  /// The presets that the open camera has; empty if no camera is open.
  private var whiteBalances: [String] {
    let controls = (try? control.controls()) ?? []
    return controls.first { $0.id == ControlWord.whiteBalance.rawValue }?.choices ?? []
  }

  private func perform(_ key: TerminalKey) {
    let presets = key == .whiteBalance ? whiteBalances : []
    guard let command = key.command(for: control.state, presets: presets) else {
      say("Keys:\n\(TerminalKey.list)")
      return
    }
    do {
      if let outcome = key.outcome(in: try control.perform(command, by: "keys")) { say(outcome) }
    } catch {
      warn(error.description)
    }
  }
}

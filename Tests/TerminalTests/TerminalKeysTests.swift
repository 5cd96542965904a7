import Exposure
import Foundation
import Frames
import Recorder
import RecorderAPI
import RecorderTestKit
import Synchronization
import Terminal
import TestKit
import Testing

/// Keys on a pseudo-terminal. One at a time: a process has one terminal.
@Suite(.serialized) struct TerminalKeysTests {
  let screen: PseudoTerminal
  let recorder = ScriptedRecorder()
  let said = Said()

  final class Said: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
  }

  init() throws { screen = try PseudoTerminal() }

  private func open(_ recorder: ScriptedRecorder? = nil) throws -> TerminalKeys {
    let said = said
    let keys = TerminalKeys.open(
      for: recorder ?? self.recorder, on: screen.terminal, say: { said.append($0) },
      warn: { said.append("Warning: \($0)") })
    let open = try #require(keys)
    #expect(PseudoTerminal.eventually { !screen.modes.isLineByLine }, "taken")
    return open
  }

  @Test func whatIsNoTerminal_isLeftAlone() throws {
    let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
    #expect(TerminalKeys.open(for: recorder, on: file.fileDescriptor, say: { _ in }, warn: { _ in }) == nil)
  }

  @Test func keysArrive_inOrder_andAreNotShown() throws {
    let found = screen.modes
    let keys = try open()
    #expect(!screen.modes.shows && screen.modes.hasSignals)
    #expect(screen.modes.output == found.output && screen.modes.input == found.input)
    screen.type("f")
    screen.type("Fxq")
    #expect(PseudoTerminal.eventually { recorder.asked.count == 3 })
    #expect(recorder.asked == [.focus(x: nil, y: nil), .releaseFocus, .quit])
    keys.close()
    #expect(screen.modes == found)
    keys.close()
    #expect(screen.modes == found)
  }

  @Test func arrowsAndFunctionKeys_areNoLetters() throws {
    let keys = try open()
    defer { keys.close() }
    for sequence in ["\u{1b}[F", "\u{1b}OF", "\u{1b}[1;5F", "\u{1b}"] {
      screen.type(sequence)
      screen.awaitReading()
    }
    screen.type("f")
    #expect(PseudoTerminal.eventually { !recorder.asked.isEmpty })
    #expect(recorder.asked == [.focus(x: nil, y: nil)])
  }

  @Test func helpAndRefusals_areSaid() throws {
    let keys = try open()
    defer { keys.close() }
    recorder.fail(with: CamrecError(.device, "the camera has no focus", cause: "EINVAL"))
    screen.type("?f")
    #expect(PseudoTerminal.eventually { said.all.count == 2 })
    #expect(said.all == ["Keys:\n\(TerminalKey.list)", "Warning: the camera has no focus (EINVAL)"])
  }

  @Test func theNextWhiteBalance_isOneThatTheCameraHas() throws {
    var balance = ControlDescription("white-balance", .number)
    balance.choices = ["auto", "daylight", "cloudy", "tungsten", "fluorescent"]
    recorder.offer([balance])
    recorder.state.whiteBalance = "6500 K"
    let keys = try open()
    defer { keys.close() }
    screen.type("w")
    #expect(PseudoTerminal.eventually { recorder.asked == [.control(name: "white-balance", value: "tungsten")] })
  }

  @Test func lines_areTyped_shown_andPerformed() throws {
    let shown = Said(), said = said
    let keys = TerminalKeys.open(
      for: recorder, on: screen.terminal, say: { said.append($0) }, warn: { said.append("Warning: \($0)") },
      show: { shown.append($0) }, describe: { "It goes: \($0.phase.rawValue)" })
    defer { keys?.close() }
    #expect(PseudoTerminal.eventually { !screen.modes.isLineByLine })
    screen.type(":rate 25x\u{7f}\n")
    #expect(PseudoTerminal.eventually { said.all == ["rate 25"] })
    screen.type(":spot 0.5,0.25\n:switch camera=sim: fps=30\n")
    #expect(PseudoTerminal.eventually { recorder.asked.count == 3 })
    let rates = ["25", "30"].map { FrameRate(parsing: $0) }
    #expect(
      recorder.asked == [
        .source(SourceChange(frameRate: rates[0])), .exposure(.metering(.spot(x: 0.5, y: 0.25))),
        .source(SourceChange(camera: "sim:", frameRate: rates[1])),
      ])
    #expect(shown.all.prefix(3) == [":", ":r", ":ra"] && shown.all.last == "")
    screen.type(":fly\n")
    #expect(
      PseudoTerminal.eventually {
        said.all.last?.hasPrefix("Warning: there is no command 'fly'; the commands are state, ") == true
      })
    screen.type(":state\n")
    #expect(PseudoTerminal.eventually { said.all.last == "It goes: recording" })
    // Given up by Escape, and by taking back more than there is.
    screen.type(":quit\u{1b}")
    screen.awaitReading()
    screen.type(":q\u{7f}\u{7f}f")
    #expect(PseudoTerminal.eventually { recorder.asked.last == .focus(x: nil, y: nil) && recorder.asked.count == 5 })
  }

  @Test func close_doesNotWaitForACommand() throws {
    let (isAsked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let found = screen.modes
    let keys = try open(
      ScriptedRecorder { _ in
        isAsked.signal()
        mayAnswer.wait()
      })
    screen.type("q")
    isAsked.wait()
    keys.close()
    #expect(screen.modes == found)
    mayAnswer.signal()
    usleep(300_000)
    #expect(screen.modes == found, "it is not taken again")
  }

  @Test func terminalThatAShellHadMeanwhile_isTakenAgain() throws {
    let found = screen.modes
    let keys = try open()
    screen.makeLineByLine()
    #expect(PseudoTerminal.eventually { !screen.modes.isLineByLine })
    screen.type("F")
    #expect(PseudoTerminal.eventually { recorder.asked == [.releaseFocus] })
    keys.close()
    #expect(screen.modes == found)
  }

  /// With handlers of the test's own behind it, that note whether they found the terminal as it was.
  @Test(arguments: [SIGTSTP, SIGQUIT, SIGTRAP, SIGSEGV])
  func signalThatStopsOrEnds_findsTheTerminalGivenBack(_ number: Int32) throws {
    let harmless = signal(number) { _ in TerminalKeysTests.arrived.store(true, ordering: .relaxed) }
    defer { signal(number, harmless) }
    TerminalKeysTests.arrived.store(false, ordering: .relaxed)
    // Threads of a pool take no such signals, as a rule.
    var set = sigset_t()
    var mask = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, &mask)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    let found = screen.modes
    let keys = try open()
    // It is looked at every 200 ms only, so it cannot be taken again between the two lines; if it was, once more.
    var wasFound = false
    for _ in 0..<5 where !wasFound {
      raise(number)
      wasFound = screen.modes == found
      #expect(PseudoTerminal.eventually { !screen.modes.isLineByLine }, "and taken again when it goes on")
    }
    #expect(wasFound && TerminalKeysTests.arrived.load(ordering: .relaxed), "what was there before happens")
    keys.close()
    #expect(screen.modes == found)
  }

  private static let arrived = Atomic(false)

  @Test func terminalThatGoes_endsIt() throws {
    let keys = try open()
    screen.hangUp()
    usleep(50_000)
    keys.close()
    #expect(recorder.asked == [])
  }
}

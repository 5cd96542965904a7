import Glibc
import Testing

/// A terminal without a screen: what is typed goes into `keyboard`, programs have the other end.
final class PseudoTerminal {
  private(set) var keyboard: Int32
  let terminal: Int32

  init() throws {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var isLocked: Int32 = 0
    var number: Int32 = -1
    try #require(keyboard >= 0)
    try #require(
      ioctl(keyboard, PseudoTerminal.lock, &isLocked) == 0 && ioctl(keyboard, PseudoTerminal.number, &number) == 0)
    terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
  }

  /// TIOCSPTLCK and TIOCGPTN of ioctl_tty(2); Swift sees neither them nor posix_openpt(3).
  private static let (lock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  deinit {
    hangUp()
    close(terminal)
  }

  func type(_ text: String) { _ = write(keyboard, text, text.utf8.count) }

  func hangUp() {
    if keyboard >= 0 { close(keyboard) }
    keyboard = -1
  }

  struct Modes: Equatable {
    var local: tcflag_t
    var input: tcflag_t
    var output: tcflag_t

    var isLineByLine: Bool { local & tcflag_t(ICANON) != 0 }
    var shows: Bool { local & tcflag_t(ECHO) != 0 }
    var hasSignals: Bool { local & tcflag_t(ISIG) != 0 }
  }

  var modes: Modes {
    var modes = termios()
    tcgetattr(terminal, &modes)
    return Modes(local: modes.c_lflag, input: modes.c_iflag, output: modes.c_oflag)
  }

  /// As a shell does that has the terminal back.
  func makeLineByLine() {
    var modes = termios()
    tcgetattr(terminal, &modes)
    modes.c_lflag |= tcflag_t(ICANON | ECHO)
    tcsetattr(terminal, TCSANOW, &modes)
  }

  /// Asks until it holds, or far too long.
  static func eventually(_ holds: () -> Bool) -> Bool {
    for _ in 0..<2000 {
      if holds() { return true }
      usleep(5000)
    }
    return false
  }
}

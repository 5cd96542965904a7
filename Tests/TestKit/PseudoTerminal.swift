public import Glibc

/// A terminal without a screen: what is typed goes into `keyboard`, programs have the other end.
public final class PseudoTerminal {
  public private(set) var keyboard: Int32
  public let terminal: Int32

  /// There is none to be had.
  public struct Missing: Error {}

  public init() throws {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var isLocked: Int32 = 0
    var number: Int32 = -1
    guard keyboard >= 0, ioctl(keyboard, PseudoTerminal.lock, &isLocked) == 0,
      ioctl(keyboard, PseudoTerminal.number, &number) == 0
    else { throw Missing() }
    terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    guard terminal >= 0 else { throw Missing() }
  }

  /// TIOCSPTLCK and TIOCGPTN of ioctl_tty(2); Swift sees neither them nor posix_openpt(3).
  private static let (lock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  deinit {
    hangUp()
    close(terminal)
  }

  public func resize(columns: Int) {
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    // TIOCSWINSZ.
    _ = ioctl(terminal, 0x5414 as UInt, &size)
  }

  public func type(_ text: String) { _ = write(keyboard, text, text.utf8.count) }

  /// Waits until everything that was typed has been read, and for longer than what follows an Escape belongs to it.
  public func awaitReading() {
    var count: Int32 = 0
    // FIONREAD, which Swift sees as a number of another type on some systems.
    _ = PseudoTerminal.eventually { ioctl(terminal, 0x541B as UInt, &count) == 0 && count == 0 }
    usleep(200_000)
  }

  public func hangUp() {
    if keyboard >= 0 { close(keyboard) }
    keyboard = -1
  }

  /// What has been written to the terminal since it was read last, up to a text, or as far as it comes.
  public func screen(until end: String) -> String {
    var bytes: [UInt8] = [], byte: UInt8 = 0
    while !String(decoding: bytes, as: UTF8.self).hasSuffix(end) {
      var asked = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
      guard poll(&asked, 1, 60_000) > 0, read(keyboard, &byte, 1) == 1 else { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  public struct Modes: Equatable {
    public var local: tcflag_t
    public var input: tcflag_t
    public var output: tcflag_t

    public var isLineByLine: Bool { local & tcflag_t(ICANON) != 0 }
    public var shows: Bool { local & tcflag_t(ECHO) != 0 }
    public var hasSignals: Bool { local & tcflag_t(ISIG) != 0 }
  }

  public var modes: Modes {
    var modes = termios()
    tcgetattr(terminal, &modes)
    return Modes(local: modes.c_lflag, input: modes.c_iflag, output: modes.c_oflag)
  }

  /// As a shell does that has the terminal back.
  public func makeLineByLine() {
    var modes = termios()
    tcgetattr(terminal, &modes)
    modes.c_lflag |= tcflag_t(ICANON | ECHO)
    tcsetattr(terminal, TCSANOW, &modes)
  }

  /// Asks until it holds, or far too long.
  public static func eventually(_ holds: () -> Bool) -> Bool {
    for _ in 0..<2000 {
      if holds() { return true }
      usleep(5000)
    }
    return false
  }
}

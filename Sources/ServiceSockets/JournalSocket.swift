public import Foundation

/// The journal's socket for entries with fields.
///
/// Thread: any.
public struct JournalSocket: Sendable {
  private let socket: DatagramSocket

  public static let standardPath = "/run/systemd/journal/socket"

  public init?(path: String = JournalSocket.standardPath) {
    guard let socket = DatagramSocket(path: path) else { return nil }
    self.socket = socket
  }

  /// Whether a descriptor goes to the journal: `JOURNAL_STREAM` has the device and inode of what systemd connected to
  /// the journal (systemd.exec(5)), and a program may have redirected it since.
  ///
  /// - Parameter descriptor: standard error's is 2.
  public static func isStream(
    _ descriptor: Int32 = 2, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    guard let numbers = environment["JOURNAL_STREAM"]?.split(separator: ":", omittingEmptySubsequences: false),
      numbers.count == 2, let device = UInt64(numbers[0]), let inode = UInt64(numbers[1])
    else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }

  /// - Returns: that the journal took it. What is larger than its socket's buffer it does not take.
  public func send(_ entry: [UInt8]) -> Bool { socket.send(entry) }
}

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

  /// Whether a descriptor leads to the journal. `JOURNAL_STREAM` has the device and inode of the stream that systemd
  /// connected to the journal (systemd.exec(5)); the descriptor may have been redirected since.
  ///
  /// - Parameter descriptor: 2 is standard error.
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

  /// - Returns: whether the journal accepted the entry. It accepts none larger than its socket's buffer.
  public func send(_ entry: [UInt8]) -> Bool { socket.send(entry) }
}

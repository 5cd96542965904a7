public import Foundation

/// What systemd is told by a service of `Type=notify`: the protocol of sd_notify(3), which systemd promises to keep and
/// asks others to implement, so that there is no library to link for a datagram of text.
///
/// Thread: any.
public struct ServiceManager: Sendable {
  /// Within how long systemd wants to hear of the service again, sd_watchdog_enabled(3); `nil` where it does not watch.
  public let watchdogInterval: Duration?
  private let socket: DatagramSocket

  /// Of this protocol.
  private static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

  /// - Returns: `nil` where no service manager has started this process.
  public init?(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    pid: Int32 = ProcessInfo.processInfo.processIdentifier
  ) {
    guard let path = environment["NOTIFY_SOCKET"], let socket = DatagramSocket(path: path) else { return nil }
    self.socket = socket
    let isForUs = environment["WATCHDOG_PID"].map { $0 == String(pid) } ?? true
    watchdogInterval = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap {
      isForUs && $0 > 0 ? .microseconds($0) : nil
    }
  }

  /// As `init`, and takes the variables out of the environment, so that processes which this one starts do not speak
  /// for it. Before there are other threads that read the environment.
  public static func take() -> ServiceManager? {
    defer { variables.forEach { _ = unsetenv($0) } }
    return ServiceManager()
  }

  /// The service is up.
  ///
  /// - Returns: that systemd has taken it.
  @discardableResult
  public func ready() -> Bool { tell("READY=1") }

  /// The service goes down.
  public func stopping() { tell("STOPPING=1") }

  /// All is well until the interval is over.
  public func feedWatchdog() { tell("WATCHDOG=1") }

  /// A line for `systemctl status`.
  public func status(_ line: String) { tell("STATUS=\(line.replacing("\n", with: " "))") }

  @discardableResult
  private func tell(_ assignment: String) -> Bool { socket.send(Array("\(assignment)\n".utf8)) }
}

public import Foundation

/// Reports to systemd from a service of `Type=notify`. The protocol of sd_notify(3) is declared stable and meant to be
/// implemented by others, so no library has to be linked.
///
/// Thread: any.
public struct ServiceManager: Sendable {
  /// How often systemd expects a sign of life, sd_watchdog_enabled(3); `nil` if it does not watch the service.
  public let watchdogInterval: Duration?
  private let socket: DatagramSocket

  /// The variables of this protocol.
  private static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

  /// - Returns: `nil` if no service manager has started this process.
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

  /// Like `init`, but also removes the variables from the environment, so that child processes do not report on its
  /// behalf. Call this before other threads can read the environment.
  public static func take() -> ServiceManager? {
    defer { variables.forEach { _ = unsetenv($0) } }
    return ServiceManager()
  }

  /// Reports that the service is up.
  ///
  /// - Returns: whether systemd accepted the report.
  @discardableResult
  public func ready() -> Bool { tell("READY=1") }

  /// Reports that the service is going down.
  public func stopping() { tell("STOPPING=1") }

  /// Reports that all is well; due again before the interval is over.
  public func feedWatchdog() { tell("WATCHDOG=1") }

  /// Sets the line that `systemctl status` shows.
  public func status(_ line: String) { tell("STATUS=\(line.replacing("\n", with: " "))") }

  @discardableResult
  private func tell(_ assignment: String) -> Bool { socket.send(Array("\(assignment)\n".utf8)) }
}

public import Foundation

/// A recorder's state and the process that wrote it: the content of a state file.
public struct StateRecord: Hashable, Sendable, Codable {
  public static let format = "camrec-state"
  /// Adding members keeps the number; any other change needs a new one.
  public static let version = 1

  public var format = StateRecord.format
  public var version = StateRecord.version
  /// The program's version.
  public var camrec: String
  /// The recorder's name.
  public var name: String
  public var writer: StateWriter
  /// When it was written, by the wall clock.
  public var time: Date
  /// The same moment in seconds since the system started: this clock does not jump.
  public var uptime: Double
  public var state: RecorderState
  /// Consecutive failed starts, including this one; `nil` if there were none.
  public var failedStarts: Int?
  /// The absolute path of its control socket; `nil` if it is not to have one.
  public var socket: String?
  /// The absolute path of its monitor socket; `nil` if it is not to have one.
  public var monitor: String?

  public init(
    camrec: String, name: String, writer: StateWriter, time: Date, uptime: Double, state: RecorderState,
    failedStarts: Int? = nil, socket: String? = nil, monitor: String? = nil
  ) {
    self.camrec = camrec
    self.name = name
    self.writer = writer
    self.time = time
    self.uptime = uptime
    self.state = state
    self.failedStarts = failedStarts
    self.socket = socket
    self.monitor = monitor
  }
}

/// Identifies a process, even after its number has been given to another one.
public struct StateWriter: Hashable, Sendable, Codable {
  public var pid: Int32
  /// When the kernel started it, in its ticks: field 22 of proc(5)'s stat.
  public var started: UInt64?
  /// The boot that it belongs to: `/proc/sys/kernel/random/boot_id`.
  public var boot: String

  public init(pid: Int32, started: UInt64?, boot: String) {
    self.pid = pid
    self.started = started
    self.boot = boot
  }
}

extension RecorderState {
  /// Consecutive failed starts of the recorder, including this one; 0 once it has started a film.
  ///
  /// - Parameter earlier: the failed starts right before this one.
  public func failedStarts(after earlier: Int) -> Int {
    if films > 0 { return 0 }
    return phase == .ended && failure != nil ? earlier + 1 : earlier
  }
}

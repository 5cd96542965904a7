import Recorder

/// What a state file is worth.
public enum RecorderHealth: Hashable, Sendable {
  /// The recorder runs, and this is how it goes.
  case runs
  /// It has ended, and said so.
  case ended
  /// It runs and has not said for that many seconds how it goes: it hangs, or its file cannot be written.
  case silent(seconds: Double)
  /// Its process is not there any more, and it did not say that it ended: killed, crashed, or the power went.
  case gone

  /// Seconds after which a recorder is silent. It says how it goes once a second; a loaded machine is given four more.
  public static let patience = 5.0

  /// - Parameters:
  ///   - uptime: the time that it is, in seconds since the system started.
  ///   - isAlive: whether the process that wrote it runs.
  public init(_ record: StateRecord, uptime: Double, isAlive: Bool) {
    if record.state.phase == .ended {
      self = .ended
    } else if !isAlive {
      self = .gone
    } else if uptime - record.uptime > RecorderHealth.patience {
      self = .silent(seconds: uptime - record.uptime)
    } else {
      self = .runs
    }
  }

  /// At this moment, on this system.
  public init(_ record: StateRecord) {
    self.init(record, uptime: StateRecord.uptime(), isAlive: record.writer.isAlive)
  }

  /// For programs.
  public var word: String {
    switch self {
    case .runs: "runs"
    case .ended: "ended"
    case .silent: "silent"
    case .gone: "gone"
    }
  }
}

public import RecorderAPI

/// What a state file says about its recorder.
public enum RecorderHealth: Hashable, Sendable {
  /// The recorder runs, and its state is current.
  case runs
  /// It has ended and said so.
  case ended
  /// It runs but has not written its state for that many seconds: it hangs, or the file cannot be written.
  case silent(seconds: Double)
  /// Its process no longer exists, and it did not say that it ended: it was killed or crashed, or the power failed.
  case gone

  /// Seconds after which a recorder counts as silent. It writes its state once a second; a loaded machine gets four
  /// more.
  public static let patience = 5.0

  /// - Parameters:
  ///   - uptime: the present time, in seconds since the system started.
  ///   - isAlive: whether the process that wrote the record still runs.
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

  /// Judges the record now, on this system.
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

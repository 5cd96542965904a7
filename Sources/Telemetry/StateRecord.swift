public import Foundation
import Frames
public import Recorder

/// How a recorder goes, and whose word that is: the content of its state file.
public struct StateRecord: Hashable, Sendable, Codable {
  public static let format = "camrec-state"
  /// Members may be added; everything else asks for another number.
  public static let version = 1

  public var format = StateRecord.format
  public var version = StateRecord.version
  /// The program's version.
  public var camrec: String
  /// What the recorder is called.
  public var name: String
  public var writer: StateWriter
  /// When it was written, by the wall clock.
  public var time: Date
  /// As well, in seconds since the system started: that clock does not jump.
  public var uptime: Double
  public var state: RecorderState
  /// Starts in a row, up to this one, that came to nothing; `nil` where there were none.
  public var failedStarts: Int?
  /// The absolute path of its control socket; `nil` where there is none to be.
  public var socket: String?

  public init(
    camrec: String, name: String, writer: StateWriter, time: Date = Date(), uptime: Double = StateRecord.uptime(),
    state: RecorderState, failedStarts: Int? = nil, socket: String? = nil
  ) {
    self.camrec = camrec
    self.name = name
    self.writer = writer
    self.time = time
    self.uptime = uptime
    self.state = state
    self.failedStarts = failedStarts
    self.socket = socket
  }

  /// Seconds on `CLOCK_MONOTONIC`.
  public static func uptime() -> Double { Double(MonotonicTime.now().nanoseconds) * 1e-9 }
}

/// A process, told from all others, also those that come to have its number.
public struct StateWriter: Hashable, Sendable, Codable {
  public var pid: Int32
  /// When the kernel started it, in its ticks: field 22 of proc(5)'s stat.
  public var started: UInt64?
  /// The system's run that it belongs to: `/proc/sys/kernel/random/boot_id`.
  public var boot: String

  public init(pid: Int32, started: UInt64?, boot: String) {
    self.pid = pid
    self.started = started
    self.boot = boot
  }

  /// This process.
  public static func own() -> StateWriter {
    let pid = ProcessInfo.processInfo.processIdentifier
    return StateWriter(pid: pid, started: start(of: pid), boot: boot())
  }

  /// It runs on this system, now.
  public var isAlive: Bool {
    guard boot == StateWriter.boot(), let start = StateWriter.start(of: pid) else { return false }
    return started.map { $0 == start } ?? true
  }

  private static func boot() -> String {
    let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// `nil` where there is no such process; one that has ended and is not waited for yet is none.
  private static func start(of pid: Int32) -> UInt64? {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      // The name, which may have anything in it, is in parentheses.
      let behindName = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[behindName...].split(separator: " ")
    guard fields.count > 20, fields[1] != "Z", fields[1] != "X" else { return nil }
    return UInt64(fields[20])
  }
}

extension RecorderState {
  /// Starts of the recorder in a row, up to this one, that came to nothing: none once it has begun a film.
  ///
  /// - Parameter earlier: those right before this one.
  public func failedStarts(after earlier: Int) -> Int {
    if films > 0 { return 0 }
    return phase == .ended && failure != nil ? earlier + 1 : earlier
  }
}

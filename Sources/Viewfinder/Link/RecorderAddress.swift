import ControlCodec
public import Frames
import Platform
public import RecorderRemote

/// How a recorder is told from others, and how it is reached.
public struct RecorderAddress: Hashable, Sendable {
  /// Unique among those that run.
  public var id: ViewedRecorder.ID
  public let pid: Int32?
  /// Its control socket; `nil` if it has none.
  public let socket: String?
  /// Its monitor socket, if its state file says it.
  public let monitor: String?
  /// Its state file; `nil` if it keeps none, or is not known by it.
  public let stateFile: String?

  public init(
    id: ViewedRecorder.ID, pid: Int32? = nil, socket: String? = nil, monitor: String? = nil, stateFile: String? = nil
  ) {
    self.id = id
    self.pid = pid
    self.socket = socket
    self.monitor = monitor
    self.stateFile = stateFile
  }

  /// One that is known by its monitor socket.
  ///
  /// - Parameter name: as the monitor says it; `nil` if it has none, or is not known yet.
  public init(monitor: String, name: String?) { self.init(id: name ?? PathText(monitor).stem, monitor: monitor) }

  /// - Parameter client: a connection to it; `nil` if there is none yet.
  public init(monitor: String, _ client: MonitorClient?) { self.init(monitor: monitor, name: client?.greeting.name) }

  public init(_ recorder: LocalRecorder) {
    self.init(
      id: recorder.name, pid: recorder.pid, socket: recorder.socket, monitor: recorder.monitor,
      stateFile: recorder.stateFile)
  }

  /// By name; those that share one have their process in it, or their socket where the process is not known.
  public static func distinct(_ all: [RecorderAddress]) -> [RecorderAddress] {
    let counts = Dictionary(grouping: all, by: \.id).mapValues(\.count)
    return all.map { address in
      var address = address
      if counts[address.id] ?? 0 > 1, let other = address.pid.map({ "\($0)" }) ?? address.socket {
        address.id = "\(address.id) (\(other))"
      }
      return address
    }.sorted { ($0.id, $0.pid ?? 0) < ($1.id, $1.pid ?? 0) }
  }

  /// Whether both are one recorder of which more has become known meanwhile: while it starts, its name is not.
  public func isSame(as other: RecorderAddress) -> Bool {
    guard pid == nil || other.pid == nil || pid == other.pid else { return false }
    return socket != nil && socket == other.socket || stateFile != nil && stateFile == other.stateFile
  }

  /// Connects to its monitor.
  ///
  /// - Throws: code `device` if nobody answers, or it speaks another version of the protocol; code `usage` if it has no
  ///   monitor.
  public func connectMonitor() throws(CamrecError) -> MonitorClient {
    if let monitor { return try MonitorClient(path: monitor) }
    // One with a state file says there where its monitor is.
    guard stateFile == nil, let socket else {
      throw CamrecError(
        .usage, about: .monitor,
        "the recorder '\(id)' has no monitor socket: it was started with \(setting: .monitor) none, with "
          + "\(setting: .control) none alone, or with an older camrec; restart it with one")
    }
    return try MonitorClient(of: try ControlClient(path: socket))
  }
}

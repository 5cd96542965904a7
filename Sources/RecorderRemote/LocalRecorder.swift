/// A recorder that runs on this machine: how to tell it from others, and how to reach it.
public struct LocalRecorder: Hashable, Sendable, CustomStringConvertible {
  /// Its camera's name in a rig file, the name that it was given, or else the number of its process.
  public let name: String
  /// Its process; `nil` if it keeps no state file and its socket has a name.
  public let pid: Int32?
  /// Its control socket; `nil` if it is not to have one.
  public let socket: String?
  /// Its monitor socket, as its state file says; `nil` if it is not to have one, or keeps no state file: then
  /// `ControlClient.monitorPath()` knows.
  public let monitor: String?
  /// Its state file; `nil` if it keeps none. Then only its socket tells of it, which may outlive it where it was
  /// killed.
  public let stateFile: String?

  init(name: String, pid: Int32?, socket: String?, monitor: String? = nil, stateFile: String?) {
    self.name = name
    self.pid = pid
    self.socket = socket
    self.monitor = monitor
    self.stateFile = stateFile
  }

  /// `front (process 4711)`.
  public var description: String { pid.map { "\(name) (process \($0))" } ?? name }

  /// Whether both may be one recorder of which more has become known meanwhile.
  func isSame(as other: LocalRecorder) -> Bool {
    guard pid == nil || other.pid == nil || pid == other.pid else { return false }
    return socket != nil && socket == other.socket || stateFile != nil && stateFile == other.stateFile
  }
}

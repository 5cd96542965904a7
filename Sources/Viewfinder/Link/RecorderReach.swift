import Foundation
public import Frames
public import RecorderAPI
public import RecorderRemote

/// The ways to one recorder.
public struct RecorderReach: Sendable {
  /// What can be done with a recorder's control socket.
  public enum Control: Sendable {
    case client(any RecorderClient)
    /// It can only be looked at, for this reason.
    case denied(String)
  }

  let id: ViewedRecorder.ID
  let connectMonitor: @Sendable () throws(CamrecError) -> any PictureFeed
  let connectControl: @Sendable () throws(CamrecError) -> Control
  /// The state that it has written to its file; `nil` if there is none to read.
  let readState: @Sendable () -> RecorderState?

  public init(
    id: ViewedRecorder.ID, connectMonitor: @escaping @Sendable () throws(CamrecError) -> any PictureFeed,
    connectControl: @escaping @Sendable () throws(CamrecError) -> Control,
    readState: @escaping @Sendable () -> RecorderState? = { nil }
  ) {
    self.id = id
    self.connectMonitor = connectMonitor
    self.connectControl = connectControl
    self.readState = readState
  }

  public init(_ address: RecorderAddress) {
    self.init(
      id: address.id, connectMonitor: { () throws(CamrecError) in try address.connectMonitor() },
      connectControl: { () throws(CamrecError) in try RecorderReach.control(of: address) },
      readState: { address.stateFile.flatMap { try? KnownRecorder(path: $0).record.state } })
  }

  private static func control(of address: RecorderAddress) throws(CamrecError) -> Control {
    guard let socket = address.socket else {
      return .denied("'\(address.id)' takes no commands: it has no control socket, or only its monitor is known")
    }
    // To connect to a socket is to write to it.
    if FileManager.default.fileExists(atPath: socket), !FileManager.default.isWritableFile(atPath: socket) {
      return .denied("you may look at '\(address.id)', but not control it: its control socket is for others")
    }
    return .client(try ControlClient(path: socket))
  }
}

import CPlatform
import Glibc

/// Who is at the other end of a Unix socket. Any thread.
public enum PeerUser {
  /// The effective user of the process that connected, as it was then.
  ///
  /// - Returns: `nil` if it is not a connected Unix socket.
  public static func of(_ socket: Int32) -> UInt32? {
    let user = CSystemCalls_peer_user(socket)
    return user < 0 ? nil : UInt32(user)
  }

  /// Whether that user is this process's own, or root.
  package static func isOwner(_ socket: Int32) -> Bool {
    let user = of(socket)
    return user == geteuid() || user == 0
  }
}

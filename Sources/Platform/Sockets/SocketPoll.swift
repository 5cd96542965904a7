import Glibc

/// Waits for many sockets and a bell at once, on one thread.
public enum SocketPoll {
  /// What a socket is waited for; its end is always noticed.
  public struct Interest: Hashable, Sendable {
    public var socket: Int32
    public var reads: Bool
    public var writes: Bool

    public init(_ socket: Int32, reads: Bool = true, writes: Bool = false) {
      self.socket = socket
      self.reads = reads
      self.writes = writes
    }
  }

  /// What a socket is ready for.
  public struct Readiness: Hashable, Sendable {
    /// There are bytes or a connection to take, or the end of the stream.
    public var canRead = false
    public var canWrite = false
    /// The other end is gone, or both directions are shut down.
    public var isGone = false
  }

  /// - Parameter milliseconds: how long to wait at most; below 0 for ever.
  /// - Returns: in the order of the interests; and whether somebody has rung.
  public static func wait(
    for interests: [Interest], or bell: WakeUp, milliseconds: Int32
  ) -> (ready: [Readiness], isWoken: Bool) {
    var asked = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
    asked += interests.map { interest in
      let events = (interest.reads ? POLLIN : 0) | (interest.writes ? POLLOUT : 0)
      return pollfd(fd: interest.socket, events: Int16(events), revents: 0)
    }
    // If even that fails, reading and writing say why.
    guard (try? SocketCall.perform("poll") { poll(&asked, nfds_t(asked.count), milliseconds) }) != nil else {
      let ready = interests.map { Readiness(canRead: $0.reads, canWrite: $0.writes) }
      return (ready, true)
    }
    let ready = asked.dropFirst().map { one in
      func has(_ events: Int32) -> Bool { one.revents & Int16(events) != 0 }
      return Readiness(canRead: has(POLLIN), canWrite: has(POLLOUT), isGone: has(POLLHUP | POLLERR | POLLNVAL))
    }
    return (ready, asked[0].revents & Int16(POLLIN) != 0)
  }
}

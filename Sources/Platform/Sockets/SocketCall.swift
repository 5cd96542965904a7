import Frames
import Glibc

/// The one place that reads `errno` after a call about sockets and their files. Any thread.
public enum SocketCall {
  public struct Failure: Error, Hashable {
    /// The call.
    public let name: String
    /// The value of `errno`.
    public let number: Int32

    package init(name: String, number: Int32) { (self.name, self.number) = (name, number) }

    /// `bind: Permission denied`.
    public var description: String { "\(name): \(SystemError.words(for: number))" }

    /// The call would have had to wait.
    package var isWait: Bool { number == EAGAIN }
    /// There is no socket, or nobody listens on it any more.
    package var isNobody: Bool { number == ECONNREFUSED || number == ENOENT }
    /// The socket, or its folder, is for others.
    package var isForbidden: Bool { number == EACCES || number == EPERM }
  }

  /// Makes a call, and repeats it if a signal interrupts it.
  ///
  /// - Parameter call: returns −1 on failure.
  @discardableResult
  public static func perform<Result: SignedInteger>(_ name: String, _ call: () -> Result) throws(Failure) -> Result {
    while true {
      let result = call()
      if result != -1 { return result }
      let number = errno
      if number != EINTR { throw Failure(name: name, number: number) }
    }
  }

  /// Waits until a socket is ready, or its other end is gone.
  ///
  /// - Parameters:
  ///   - events: `POLLIN` or `POLLOUT`.
  ///   - milliseconds: how long to wait at most; below 0 for ever.
  /// - Returns: whether it is ready.
  public static func wait(for events: Int32, on socket: Int32, milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: socket, events: Int16(events), revents: 0)
    return ((try? perform("poll") { poll(&asked, 1, milliseconds) }) ?? 1) > 0
  }

  /// Waits until a socket takes more bytes, or its other end is gone.
  ///
  /// - Returns: whether it did within that time.
  package static func waitToSend(on socket: Int32, milliseconds: Int32) -> Bool {
    wait(for: POLLOUT, on: socket, milliseconds: milliseconds)
  }

  /// What a wait for a socket has ended with.
  public struct Readiness: Hashable, Sendable {
    /// There are bytes to read, or the end of the stream.
    public var canRead = false
    /// The other end is gone, or both directions are shut down.
    public var isGone = false
    /// Somebody has rung the bell.
    public var isWoken = false
  }

  /// Waits until there is something to read, the other end is gone, or somebody rings the bell.
  ///
  /// - Parameters:
  ///   - reads: false waits for the other two only.
  ///   - milliseconds: how long to wait at most; below 0 for ever.
  public static func wait(
    reading reads: Bool, from socket: Int32, or bell: WakeUp, milliseconds: Int32
  ) -> Readiness {
    var asked = [
      pollfd(fd: socket, events: reads ? Int16(POLLIN) : 0, revents: 0),
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // If even that fails, reading says why.
    let isDone = (try? perform("poll") { poll(&asked, nfds_t(asked.count), milliseconds) }) != nil
    guard isDone else { return Readiness(canRead: reads, isGone: !reads) }
    func has(_ events: Int32, _ place: Int) -> Bool { asked[place].revents & Int16(events) != 0 }
    return Readiness(
      canRead: reads && has(POLLIN, 0), isGone: has(POLLHUP | POLLERR | POLLNVAL, 0), isWoken: has(POLLIN, 1))
  }

  /// Sends as many bytes as fit. If the remote is gone, this throws an error instead of raising a signal.
  ///
  /// - Parameter atOnce: throws an error instead of waiting for room.
  /// - Returns: how many bytes were sent.
  public static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32, atOnce: Bool = false) throws(Failure) -> Int {
    let flags = Int32(MSG_NOSIGNAL) | (atOnce ? Int32(MSG_DONTWAIT) : 0)
    return try bytes.withUnsafeBytes { room in
      Result { () throws(Failure) in
        try perform("send") { Glibc.send(socket, room.baseAddress, room.count, flags) }
      }
    }.get()
  }

  /// Waits for bytes; returns none at the end of the stream.
  public static func receive(from socket: Int32, atMost count: Int) throws(Failure) -> [UInt8] {
    try withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { room in
      Result { () throws(Failure) in
        Array(room.prefix(try perform("recv") { recv(socket, room.baseAddress, room.count, 0) }))
      }
    }.get()
  }

  /// Takes nothing more from the other end, whose bytes so far can still be read.
  package static func shutDownReading(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_RD)) }

  /// Ends both directions.
  package static func shutDown(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_RDWR)) }

  package static func close(_ socket: Int32) { _ = Glibc.close(socket) }
}

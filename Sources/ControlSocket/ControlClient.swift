public import Frames
import Glibc
public import Recorder

/// A remote: speaks to a running recorder over its control socket.
///
/// Thread: one at a time.
public final class ControlClient {
  public let path: String
  /// The recorder's process.
  public let pid: Int32

  private let socket: Int32
  private var incoming = LineBuffer(limit: ControlClient.answerLimit)

  /// Bytes of an answer: a state is a few kilobytes, most of them file names.
  private static let answerLimit = 1 << 20
  /// How long a recorder may take to greet.
  private static let patience = timeval(tv_sec: 5, tv_usec: 0)

  /// Connects, and hears the greeting.
  ///
  /// - Throws: code `usage` for a path that is too long, code `device` where no recorder answers there, it has no place
  ///   left, or it speaks another version.
  public convenience init(path: String) throws(CamrecError) {
    let address = try SocketAddress(path)
    let socket: Int32
    do {
      socket = try ControlClient.connect(to: address)
    } catch {
      throw ControlClient.nobody(at: path, error)
    }
    try self.init(socket, path)
  }

  /// - Returns: `nil` for a socket that a process has left behind.
  public static func ifRunning(path: String) throws(CamrecError) -> ControlClient? {
    let address = try SocketAddress(path)
    let socket: Int32
    do {
      socket = try connect(to: address)
    } catch {
      if error.number == ECONNREFUSED || error.number == ENOENT { return nil }
      throw nobody(at: path, error)
    }
    return try ControlClient(socket, path)
  }

  private init(_ socket: Int32, _ path: String) throws(CamrecError) {
    self.socket = socket
    self.path = path
    do throws(CamrecError) {
      let greeting = try ControlClient.next(socket, &incoming, path)
      if let failure = greeting.error { throw failure.error }
      guard greeting.protocol == ControlProtocol.version, let pid = greeting.pid else {
        throw CamrecError(
          .device, "the recorder at '\(path)' speaks version \(greeting.protocol ?? 0) of the protocol, and this "
            + "camrec version \(ControlProtocol.version); use the camrec that it was started with")
      }
      self.pid = pid
    } catch {
      close(socket)
      throw error
    }
    // A command may take its time: a start opens a camera, a stop finishes a film.
    ControlClient.limit(socket, timeval(tv_sec: 0, tv_usec: 0))
  }

  private static func connect(to address: SocketAddress) throws(SocketCall.Failure) -> Int32 {
    let socket = try SocketAddress.makeSocket()
    limit(socket, patience)
    do {
      try SocketCall.perform("connect") { address.call { Glibc.connect(socket, $0, $1) } }
      return socket
    } catch {
      close(socket)
      throw error
    }
  }

  deinit { close(socket) }

  /// Has something done, and waits for it.
  ///
  /// - Returns: how the recorder goes then.
  /// - Throws: what the recorder says, with its code; code `device` where it goes away meanwhile.
  public func perform(_ request: ControlRequest) throws(CamrecError) -> RecorderState {
    try write(request.line())
    while true {
      let message = try ControlClient.next(socket, &incoming, path)
      if let failure = message.error { throw failure.error }
      if message.ok == true, let state = message.state { return state }
    }
  }

  /// The state now and whenever it changes, until `body` says no or the recorder ends.
  public func watch(_ body: (RecorderState) throws -> Bool) throws {
    guard try body(try perform(try ControlRequest(.watch))) else { return }
    while let message = try ControlClient.read(socket, &incoming, path) {
      if let state = message.state, try !body(state) { return }
    }
  }

  private func write(_ line: [UInt8]) throws(CamrecError) {
    var rest = line[...]
    while !rest.isEmpty {
      do {
        rest = rest.dropFirst(try SocketCall.send(rest, to: socket))
      } catch {
        throw ControlClient.gone(path, error.description)
      }
    }
  }

  private static func limit(_ socket: Int32, _ time: timeval) {
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      withUnsafePointer(to: time) {
        _ = setsockopt(socket, SOL_SOCKET, option, $0, socklen_t(MemoryLayout<timeval>.size))
      }
    }
  }

  private static func next(
    _ socket: Int32, _ incoming: inout LineBuffer, _ path: String
  ) throws(CamrecError) -> ControlMessage {
    guard let message = try read(socket, &incoming, path) else { throw gone(path, nil) }
    return message
  }

  /// - Returns: `nil` where the recorder has closed the connection.
  private static func read(
    _ socket: Int32, _ incoming: inout LineBuffer, _ path: String
  ) throws(CamrecError) -> ControlMessage? {
    while true {
      if let line = incoming.next() { return try ControlMessage(line: line) }
      if incoming.isTooLong { throw CamrecError(.device, "what answers at '\(path)' is no recorder") }
      let bytes: [UInt8]
      do {
        bytes = try SocketCall.receive(from: socket, atMost: 1 << 16)
      } catch {
        if error.number == ECONNRESET { return nil }
        throw gone(path, error.description)
      }
      if bytes.isEmpty { return nil }
      incoming.append(bytes)
    }
  }

  private static func nobody(at path: String, _ failure: SocketCall.Failure) -> CamrecError {
    CamrecError(
      .device, "no recorder answers at '\(path)'; 'camrec ctl' without --socket finds the one that runs",
      cause: failure.description)
  }

  private static func gone(_ path: String, _ cause: String?) -> CamrecError {
    CamrecError(.device, "the recorder at '\(path)' did not answer; it has ended, or hangs", cause: cause)
  }
}

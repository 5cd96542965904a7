public import ControlCodec
public import Frames
import Glibc
import Platform
public import RecorderAPI

/// A remote, connected to a running recorder over its control socket.
///
/// Thread: one at a time.
public final class ControlClient {
  public let path: String
  /// The recorder's process.
  public let pid: Int32

  private let socket: Int32
  /// What the recorder has agreed to; `nil`: the first version of the protocol.
  private var hello: ControlHello?
  /// The id of the last request; only a recorder that has agreed to a hello is sent ids.
  private var id: Int64 = 0
  private var incoming = LineBuffer(limit: ControlClient.answerLimit)

  /// The largest answer, in bytes: a state is a few kilobytes, most of it file names.
  private static let answerLimit = 1 << 20
  /// How long a recorder may take to greet.
  private static let patience = timeval(tv_sec: 5, tv_usec: 0)

  /// Connects and reads the greeting.
  ///
  /// - Throws: code `usage` for a path that is too long, code `device` if no recorder answers there, if all its places
  ///   are taken, or if it speaks another version of the protocol.
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

  /// - Returns: `nil` if there is no socket, or only one left behind by a process that has ended.
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
          .device, "the recorder at '\(path)' speaks version \(greeting.protocol ?? 0) of the protocol, but this "
            + "camrec speaks version \(ControlProtocol.version); use the camrec that it was started with")
      }
      self.pid = pid
    } catch {
      close(socket)
      throw error
    }
    // A command may take a while: a start opens a camera, a stop finishes a film.
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

  /// Asks the recorder for more than the first version of the protocol.
  ///
  /// - Returns: what it can do; nothing for an older recorder, with which all goes on as before.
  /// - Throws: code `device` if the recorder goes away meanwhile.
  public func greet(_ hello: ControlHello) throws(CamrecError) -> Set<ControlCapability> {
    id += 1
    try write(hello.line(id: id))
    let answer = try answer(to: id)
    guard answer.ok == true else { return [] }
    self.hello = hello
    return Set((answer.capabilities ?? []).compactMap(ControlCapability.init(rawValue:)))
  }

  /// Sends a request and waits until it has been carried out.
  ///
  /// - Returns: the recorder's state afterwards.
  /// - Throws: the recorder's refusal, with its code; code `device` if the recorder goes away meanwhile.
  public func perform(_ request: ControlRequest) throws(CamrecError) -> RecorderState {
    let id = try ask(request)
    while true {
      let answer = try answer(to: id)
      if let failure = answer.error { throw failure.error }
      if let state = answer.state { return state }
    }
  }

  /// - Returns: the request's id, if it has one.
  private func ask(_ request: ControlRequest) throws(CamrecError) -> Int64? {
    guard hello != nil else {
      try write(request.line())
      return nil
    }
    id += 1
    try write(request.line(id: id))
    return id
  }

  /// Waits for an answer, or for a refusal that concerns the connection. Passes over events.
  private func answer(to id: Int64?) throws(CamrecError) -> ControlMessage {
    while true {
      let message = try ControlClient.next(socket, &incoming, path)
      guard message.ok != nil else { continue }
      if message.id == id.map(JSONValue.integer) { return message }
      if message.id == nil, let failure = message.error { throw failure.error }
    }
  }

  /// Calls `body` with the state, now and after each change, until it returns false or the recorder ends.
  public func watch(_ body: (RecorderState) throws -> Bool) throws {
    guard try body(try perform(try ControlRequest(.watch))) else { return }
    while let message = try ControlClient.read(socket, &incoming, path) {
      if let state = message.state, try !body(state) { return }
    }
  }

  /// Calls `body` with what changes and with the state after it, now and after each change, until it returns false or
  /// the recorder ends. Needs a recorder that can tell `changes` (`greet`).
  ///
  /// - Throws: the recorder's refusal, and what `body` throws.
  public func follow(_ body: (_ update: StateUpdate, _ state: RecorderState) throws -> Bool) throws {
    let request = try ControlRequest(.watch, ["changes": "true"])
    var known: StateUpdate?
    _ = try ask(request)
    while let message = try ControlClient.read(socket, &incoming, path) {
      if let failure = message.error { throw failure.error }
      guard let update = message.update else { continue }
      if let whole = update.applied(to: known) {
        known = whole
        if try !body(update, whole.values) { return }
      } else if known != nil {
        // It does not follow what is known: begin again.
        known = nil
        _ = try ask(request)
      }
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

  /// - Returns: `nil` if the recorder has closed the connection.
  private static func read(
    _ socket: Int32, _ incoming: inout LineBuffer, _ path: String
  ) throws(CamrecError) -> ControlMessage? {
    while true {
      if let line = incoming.next() { return try ControlMessage(line: line) }
      if incoming.isTooLong { throw CamrecError(.device, "the program that answers at '\(path)' is not a recorder") }
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
      .device, "no recorder answers at '\(path)'; leave out --socket, and 'camrec ctl' finds the running recorder",
      cause: failure.description)
  }

  private static func gone(_ path: String, _ cause: String?) -> CamrecError {
    CamrecError(.device, "the recorder at '\(path)' did not answer: it has ended or hangs", cause: cause)
  }
}

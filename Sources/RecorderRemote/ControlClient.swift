import ControlCodec
public import Frames
import Platform
public import RecorderAPI
import Synchronization

/// A remote, connected to a running recorder over its control socket.
///
/// It says hello when it is first asked for what version 1 of the protocol does not have, and from then on a slow
/// request holds up no other. Of a recorder that knows version 1 only, updates are whole states, which this client
/// counts.
///
/// Thread: any.
public final class ControlClient: RecorderClient {
  public let path: String
  /// The recorder's process.
  public let pid: Int32

  private let connection: ClientConnection
  /// See `usualSilence`.
  private let silence: Double
  /// What the recorder has said to a hello; `nil` if it has not been said.
  private let welcome = Mutex<Welcome?>(nil)
  private let watchers: WatcherCount

  private struct Welcome {
    /// The recorder's name, if it says it.
    let name: String?
    /// The path of its monitor socket; `nil` if it had none when this remote connected.
    let monitor: String?
    let capabilities: Set<ControlCapability>
  }

  /// Seconds that a recorder may take to greet, and that its answer may come after its deadline.
  private static let patience = 5.0
  /// Seconds without an answer after which a request fails that has no deadline, or, if it begins or ends a film, after
  /// which the recorder has to show that it still greets remotes.
  public static let usualSilence = 30.0

  /// Connects and reads the greeting.
  ///
  /// - Parameter silence: see `usualSilence`.
  /// - Throws: code `usage` for a path that is too long, code `device` if no recorder answers there, if all its places
  ///   are taken, or if it speaks another version of the protocol.
  public convenience init(path: String, silence: Double = ControlClient.usualSilence) throws(CamrecError) {
    let address = try SocketAddress(path)
    let socket: Int32
    do {
      socket = try address.connect(within: ControlClient.patience)
    } catch {
      throw error.refusal(at: path, of: "control socket", about: .socket)
    }
    try self.init(ClientConnection(socket, path), silence: silence)
  }

  /// - Returns: `nil` if there is no socket, or only one left behind by a process that has ended.
  public static func ifRunning(path: String) throws(CamrecError) -> ControlClient? {
    let address = try SocketAddress(path)
    let socket: Int32
    do {
      socket = try address.connect(within: patience)
    } catch {
      if error.isNobody { return nil }
      throw error.refusal(at: path, of: "control socket", about: .socket)
    }
    return try ControlClient(ClientConnection(socket, path), silence: usualSilence)
  }

  /// What the recorder at a socket calls itself; `nil` if none answers, or it is an older one.
  static func name(at path: String) -> String? {
    guard let client = try? ifRunning(path: path) else { return nil }
    return try? client.sayHello().name
  }

  private init(_ connection: ClientConnection, silence: Double) throws(CamrecError) {
    let process: Int32
    do throws(CamrecError) {
      process = try ControlClient.greeting(connection)
    } catch {
      connection.close()
      throw error
    }
    pid = process
    self.connection = connection
    self.silence = silence
    path = connection.path
    watchers = WatcherCount(connection)
  }

  deinit { connection.close() }

  /// - Returns: the recorder's process.
  private static func greeting(_ connection: ClientConnection) throws(CamrecError) -> Int32 {
    guard let result = connection.greeting.wait(within: patience) else { throw connection.gone(nil) }
    let greeting = try result.get()
    if let failure = greeting.error { throw failure.error }
    guard greeting.protocol == ControlProtocol.version, let pid = greeting.pid else {
      throw CamrecError(
        .device, "the recorder at '\(connection.path)' speaks version \(greeting.protocol ?? 0) of the protocol, but "
          + "this camrec speaks version \(ControlProtocol.version); use the camrec that it was started with")
    }
    return pid
  }

  // MARK: Requests

  /// The state that it returns is one of version 1 of the protocol until this client has said hello.
  @discardableResult
  public func perform(_ request: ControlRequest) throws(CamrecError) -> RecorderState {
    let message: ControlMessage
    if welcome.withLock({ $0?.capabilities.contains(.deadline) ?? false }) {
      let limit = try ControlHello().deadline(of: request.word) / .seconds(1) + ControlClient.patience
      message = try connection.ask(within: limit) { request.line(id: $0) }
    } else {
      message = try withoutDeadline(request)
    }
    if let failure = message.error { throw failure.clientError }
    guard let state = message.state else { throw connection.gone("no state in the answer") }
    return state
  }

  /// Asks a recorder that has been told of no deadline. What begins or ends a film may take minutes on a slow disk, and
  /// other commands wait for it, so this waits as long as the recorder greets remotes.
  private func withoutDeadline(_ request: ControlRequest) throws(CamrecError) -> ControlMessage {
    let begin = MonotonicTime.now()
    return try connection.ask(
      within: silence,
      onSilence: { [path, pid] in
        // Twice: a machine that swaps may be late once.
        if ControlClient.greets(at: path) || ControlClient.greets(at: path) { return nil }
        let seconds = max(1, (MonotonicTime.now() - begin) / 1_000_000_000)
        return CamrecError(
          .device,
          "the recorder at '\(path)' has not answered '\(request.word.rawValue)' for \(seconds) s, but may still carry "
            + "it out; look at 'camrec status', and if the recorder hangs, end it with 'kill -KILL \(pid)'")
      },
      { request.line(id: $0) })
  }

  /// Whether a recorder says anything to a new remote, if only that all its places are taken.
  private static func greets(at path: String) -> Bool {
    guard let address = try? SocketAddress(path), let socket = try? address.connect(within: patience) else {
      return false
    }
    let connection = ClientConnection(socket, path)
    defer { connection.close() }
    return (try? connection.greeting.wait(within: patience)?.get()) != nil
  }

  /// The recorder's state, with what version 1 of the protocol does not have.
  public func wholeState() throws(CamrecError) -> RecorderState {
    _ = try sayHello()
    return try perform(ControlRequest(.state))
  }

  /// The path of the recorder's monitor socket. Says hello, once.
  ///
  /// - Returns: `nil` if it had none when this remote connected, or if it is an older one.
  public func monitorPath() throws(CamrecError) -> String? { try sayHello().monitor }

  public func controls() throws(CamrecError) -> [ControlDescription] {
    guard try sayHello().capabilities.contains(.controls) else {
      throw CamrecError(
        .usage, "the recorder at '\(path)' does not describe its controls: it was started with an older camrec")
    }
    let limit = try ControlHello().queryDeadline / .seconds(1) + ControlClient.patience
    let message = try connection.ask(within: limit) { ControlsQuery().line(id: $0) }
    if let failure = message.error { throw failure.clientError }
    return message.controls ?? []
  }

  public func updates(after generation: Int?) throws(CamrecError) -> any RecorderUpdates {
    try watchers.add(wantsChanges: sayHello().capabilities.contains(.changes))
    return ClientUpdates(connection, after: generation) { [watchers] in watchers.remove() }
  }

  /// What the recorder is called, and can do beyond version 1 of the protocol. Says hello, once.
  private func sayHello() throws(CamrecError) -> Welcome {
    try welcome.withLock { (known) throws(CamrecError) -> Welcome in
      if let known { return known }
      let hello = try ControlHello(outOfOrder: true)
      let message = try connection.ask(within: ControlClient.patience) { hello.line(id: $0) }
      // A recorder that does not know the word refuses it, and goes on.
      let capabilities = Set((message.capabilities ?? []).compactMap(ControlCapability.init(rawValue:)))
      let welcome = Welcome(name: message.name, monitor: message.monitor, capabilities: capabilities)
      known = welcome
      return welcome
    }
  }
}

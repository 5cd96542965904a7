public import ControlCodec
public import Frames
import Platform
public import RecorderAPI
import Synchronization

/// A program that looks through a running recorder, connected to its monitor socket.
///
///     let monitor = try MonitorClient(of: RecorderDirectory().connect())
///     try monitor.pictures(PictureRequest(rate: 10), subscription: 1)
///     while let message = try monitor.next(within: 5) {
///       show(message.payload)
///       monitor.used(message)
///     }
///
/// The recorder sends at most two messages of a subscription that have not been used yet; then the newest waits, and
/// older ones are dropped.
///
/// Thread: any.
public final class MonitorClient: Sendable {
  public let path: String
  /// What the recorder has said first: its process, and its name if it has one.
  public let greeting: MonitorText

  private let connection: MonitorConnection
  /// How many snapshots have been asked for.
  private let snapshots = Mutex<UInt32>(0)

  /// Seconds that a recorder may take to greet and to answer.
  private let patience: Double
  public static let usualPatience = 5.0
  /// Seconds that a snapshot may take: the exposure settles for five of them at most, and a large PNG takes a while.
  public static let snapshotPatience = 15.0

  /// Connects and reads the greeting.
  ///
  /// - Throws: code `usage` for a path that is too long, or that of another socket; code `device` if nobody answers
  ///   there, if all its places are taken, or if it speaks another version of the protocol.
  public convenience init(path: String) throws(CamrecError) {
    try self.init(path: path, patience: MonitorClient.usualPatience)
  }

  /// - Parameter patience: seconds that the recorder may take to greet and to answer.
  package init(path: String, patience: Double) throws(CamrecError) {
    self.patience = patience
    let address = try SocketAddress(path)
    let socket: Int32
    do {
      socket = try address.connect(within: patience, sending: patience)
    } catch {
      throw error.refusal(at: path, of: "monitor socket", about: .monitor)
    }
    self.path = path
    connection = MonitorConnection(socket, path)
    do throws(CamrecError) {
      greeting = try MonitorClient.greeting(connection, within: patience)
    } catch {
      connection.close()
      throw error
    }
  }

  /// Connects to the monitor of a recorder.
  ///
  /// - Throws: code `usage` if it has none; code `device` if it does not answer; as the other initializer.
  public convenience init(of recorder: ControlClient) throws(CamrecError) {
    guard let path = try recorder.monitorPath() else {
      throw CamrecError(
        .usage, "the recorder at '\(recorder.path)' has no monitor socket: it was started without one, or with an "
          + "older camrec; restart it with one")
    }
    try self.init(path: path)
  }

  deinit { connection.close() }

  private static func greeting(
    _ connection: MonitorConnection, within patience: Double
  ) throws(CamrecError) -> MonitorText {
    guard let result = connection.greeting.wait(within: patience) else { throw connection.gone(nil) }
    let greeting = try result.get()
    if let failure = greeting.error { throw failure.clientError }
    guard greeting.monitor == Int(MonitorProtocol.version) else {
      throw CamrecError(
        .device, "the recorder's monitor at '\(connection.path)' speaks version \(greeting.monitor ?? 0) of the "
          + "protocol, but this program speaks version \(MonitorProtocol.version); use the camrec that the recorder "
          + "was started with")
    }
    return greeting
  }

  // MARK: Subscriptions

  /// Subscribes to pictures, or changes what a subscription gets.
  ///
  /// - Parameter subscription: a number of the caller's choice, from 1 on.
  /// - Returns: their size in pixels, if the recorder knows it already; each picture's header has its own.
  /// - Throws: the recorder's refusal; code `device` if it does not answer.
  @discardableResult
  public func pictures(
    _ request: PictureRequest, subscription: UInt32
  ) throws(CamrecError) -> (width: Int, height: Int)? {
    let answer = try subscribe(subscription, .pictures(subscription: subscription, request))
    guard let width = answer.width, let height = answer.height else { return nil }
    return (width, height)
  }

  /// Subscribes to measures, or changes what a subscription gets.
  ///
  /// - Parameter subscription: a number of the caller's choice, from 1 on.
  /// - Throws: the recorder's refusal; code `device` if it does not answer.
  public func measures(_ request: MeasuresRequest, subscription: UInt32) throws(CamrecError) {
    _ = try subscribe(subscription, .measures(subscription: subscription, request))
  }

  private func subscribe(_ number: UInt32, _ request: MonitorRequest) throws(CamrecError) -> MonitorText {
    defer { stays() }
    let isNew = connection.expect(number)
    do throws(CamrecError) {
      return try connection.ask(request, within: patience)
    } catch {
      if isNew { giveUp(number) }
      throw error
    }
  }

  /// Nobody waits for it any more, whatever the recorder is at.
  private func giveUp(_ number: UInt32) {
    connection.forget(number)
    connection.tell(.end(subscription: number))
  }

  /// Ends a subscription: `next` returns nothing of it any more.
  ///
  /// - Throws: the recorder's refusal; code `device` if it does not answer.
  public func end(_ subscription: UInt32) throws(CamrecError) {
    defer { stays() }
    connection.forget(subscription)
    _ = try connection.ask(.end(subscription: subscription), within: patience)
  }

  /// The next picture or measures of any subscription, or a notice: a `text` without a subscription in its header.
  ///
  /// - Parameter seconds: how long to wait at most; 0 only looks.
  /// - Returns: `nil` if nothing has come in that time.
  /// - Throws: code `device` if the recorder goes away; why it has ended the connection.
  public func next(within seconds: Double) throws(CamrecError) -> MonitorMessage? {
    defer { stays() }
    return try connection.next(within: seconds)
  }

  /// Says that pictures or measures of `next`, and those of their subscription before them, have been used: others may
  /// come. A text needs no such word. Does not wait for an answer; `next` says whether the connection has broken.
  public func used(_ message: MonitorMessage) {
    guard message.header.subscription != 0 else { return }
    connection.tell(.used(subscription: message.header.subscription, sequence: message.header.sequence))
  }

  // MARK: Snapshots

  /// The latest frame as an image file. Waits for it.
  ///
  /// - Parameter seconds: how long, at most.
  /// - Returns: the whole file, under the header of its last piece: `exposureSettled` is missing if the exposure had
  ///   not settled by then.
  /// - Throws: the recorder's refusal; code `device` if it goes away meanwhile, or the time is over.
  public func snapshot(
    _ request: SnapshotRequest, within seconds: Double = snapshotPatience
  ) throws(CamrecError) -> MonitorMessage {
    let start = MonotonicTime.now()
    // From above, so that the caller's numbers are free.
    let number = snapshots.withLock { count in
      count += 1
      return UInt32.max - count
    }
    let pieces = connection.collect(number)
    do throws(CamrecError) {
      let answer = try connection.ask(.snapshot(subscription: number, request), within: seconds)
      let image = try gather(pieces, answer.bytes) { seconds - Double(MonotonicTime.now() - start) * 1e-9 }
      connection.forget(number)
      return image
    } catch {
      giveUp(number)
      throw error
    }
  }

  /// - Parameters:
  ///   - length: of the image file, as the recorder has said.
  ///   - rest: how many seconds there are left.
  private func gather(
    _ pieces: SnapshotPieces, _ length: Int?, _ rest: () -> Double
  ) throws(CamrecError) -> MonitorMessage {
    var image: [UInt8] = []
    image.reserveCapacity(min(max(length ?? 0, 0), MonitorProtocol.payloadLimit))
    while true {
      guard let piece = try pieces.next(within: rest()) else { throw connection.gone("the snapshot is not whole yet") }
      guard image.count + piece.payload.count <= MonitorProtocol.payloadLimit else {
        throw CamrecError(.device, "the recorder's snapshot has more than \(MonitorProtocol.payloadLimit) bytes")
      }
      image += piece.payload
      guard piece.header.flags.contains(.lastPiece) else { continue }
      if let length, length != image.count {
        throw CamrecError(.device, "the recorder's snapshot has \(image.count) of \(length) bytes")
      }
      return MonitorMessage(piece.header, payload: image)
    }
  }

  /// The end of this object ends the connection: in its owner's last call it lasts until that returns.
  private func stays() { withExtendedLifetime(self) {} }

  /// Ends the connection; does not wait. `next` throws from then on.
  public func close() { connection.close() }
}

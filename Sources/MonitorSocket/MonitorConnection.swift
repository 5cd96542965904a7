import ControlCodec
import Frames
import Monitor
import Platform
import RecorderAPI

/// One subscriber of the server: reads its requests, and sends it the latest of what it has asked for.
///
/// It holds one message of a subscription at most, whose payload all subscribers share, and reads nothing more while
/// answers wait to be sent.
///
/// Thread: the server's.
final class MonitorConnection {
  private let socket: Int32
  private let greeting: MonitorText
  private let studio: PictureStudio
  private let desk: SnapshotDesk
  private var incoming = LineBuffer(limit: MonitorProtocol.lineLimit)
  /// What is to be sent, in this order.
  private var outgoing: [ArraySlice<UInt8>] = []
  /// Texts sent.
  private var texts: UInt64 = 0
  private var subscriptions: [(number: UInt32, subscription: MonitorSubscription)] = []
  /// The place of the subscription whose turn is next.
  private var turn = 0
  private var snapshot: SnapshotDelivery?
  /// When the subscriber last said something, and when it last took something.
  private var heard = MonotonicTime.now(), taken = MonotonicTime.now()
  /// It sends no more; what waits is sent still.
  private var isAtEnd = false
  private(set) var isOver = false

  /// Messages that may wait to be sent before no more requests are read.
  private static let mostWaiting = 32
  /// Bytes read from the socket at once.
  private static let piece = 16384

  init(_ socket: Int32, _ greeting: MonitorText, _ studio: PictureStudio, _ desk: SnapshotDesk) {
    self.socket = socket
    self.greeting = greeting
    self.studio = studio
    self.desk = desk
    say(greeting)
  }

  var interest: SocketPoll.Interest {
    SocketPoll.Interest(socket, reads: reads, writes: !outgoing.isEmpty)
  }

  private var reads: Bool { !isAtEnd && outgoing.count < MonitorConnection.mostWaiting }

  /// Ends what the subscriber has asked for.
  ///
  /// - Parameter error: why, for a subscriber that does not know.
  func close(because error: CamrecError? = nil) {
    subscriptions.forEach { studio.remove($0.subscription) }
    subscriptions = []
    snapshot?.cancel()
    snapshot = nil
    if let error { refuse(error) }
    SocketCall.close(socket)
  }

  /// Says why a program is not served, instead of a greeting, and closes its socket.
  static func turnAway(_ socket: Int32, _ error: CamrecError) {
    let bytes = MonitorText.notice(.ended, nil, error).message(sequence: 1).bytes
    _ = try? SocketCall.send(bytes[...], to: socket, atOnce: true)
    SocketCall.close(socket)
  }

  /// Says why a subscriber is served no longer. What does not fit into the socket is lost.
  private func refuse(_ error: CamrecError) {
    say(.notice(.ended, nil, error))
    send()
  }

  /// Does what is due.
  func goOn(_ ready: SocketPoll.Readiness) {
    if ready.canRead { receive() }
    var said: UInt64
    // Requests that came at once are answered at once, as far as the answers fit into the socket.
    repeat {
      said = texts
      while outgoing.count < MonitorConnection.mostWaiting, let line = incoming.next() { take(line) }
      deliver()
      send()
    } while texts != said && outgoing.isEmpty && !isOver
    if incoming.isTooLong, !isAtEnd {
      let sentence = "a request has at most \(MonitorProtocol.lineLimit) bytes"
      say(.refusal(CamrecError(.usage, sentence), nil, id: nil))
      isAtEnd = true
      send()
    }
    if ready.isGone && !ready.canRead || isAtEnd && outgoing.isEmpty && snapshot == nil { isOver = true }
    checkSilence()
  }

  /// Lets go of a subscriber that does not take what is sent, or does not say that it uses it.
  private func checkSilence() {
    let now = MonotonicTime.now(), patience = Int64(MonitorProtocol.patience.components.seconds) * 1_000_000_000
    let isWaiting = subscriptions.contains { $0.subscription.underWay > 0 }
    guard !outgoing.isEmpty && now - taken > patience || isWaiting && now - heard > patience else { return }
    if outgoing.isEmpty {
      let seconds = patience / 1_000_000_000
      refuse(
        CamrecError(
          .usage, "disconnected: what was sent was not acknowledged for \(seconds) s; say 'used' when it is shown",
          reason: .notUsed))
    }
    isOver = true
  }

  // MARK: Requests

  private func receive() {
    do {
      let bytes = try SocketCall.receive(from: socket, atMost: MonitorConnection.piece)
      // A subscriber that shuts down its direction may read on.
      if bytes.isEmpty { isAtEnd = true }
      incoming.append(bytes)
      heard = .now()
    } catch {
      isOver = true
    }
  }

  private func take(_ line: [UInt8]) {
    if line.isEmpty || line == [UInt8(ascii: "\r")] { return }
    var id: JSONValue?, number: UInt32?
    do throws(CamrecError) {
      let fields = try MonitorRequest.fields(ofLine: line)
      id = fields["id"]
      number = MonitorRequest.subscription(in: fields)
      try perform(try MonitorRequest(fields: fields), id: id)
    } catch {
      say(.refusal(error, number, id: id))
    }
  }

  private func perform(_ request: MonitorRequest, id: JSONValue?) throws(CamrecError) {
    switch request {
    case .hello: say(.welcome(greeting, id: id))
    case .pictures(let number, let wish): try subscribe(number, .pictures(wish), id: id)
    case .measures(let number, let wish): try subscribe(number, .measures(wish), id: id)
    case .end(let number) where number == snapshot?.number:
      snapshot?.cancel()
      snapshot = nil
      say(.answer(number, id: id))
    case .end(let number):
      let place = try place(of: number)
      studio.remove(subscriptions.remove(at: place).subscription)
      say(.answer(number, id: id))
    case .used(let number, let sequence):
      // What was under way when a subscription ended is acknowledged still.
      subscriptions.first { $0.number == number }?.subscription.use(upTo: sequence)
    case .snapshot(let number, let wish):
      guard snapshot == nil else {
        throw CamrecError(.usage, "a snapshot of this subscriber is under way; wait for its last piece", reason: .busy)
      }
      guard !subscriptions.contains(where: { $0.number == number }) else {
        throw CamrecError(.usage, "the subscription \(number) is in use; choose another number for the snapshot")
      }
      snapshot = SnapshotDelivery(number, id: id, try desk.ask(wish))
    }
  }

  private func place(of number: UInt32) throws(CamrecError) -> Int {
    guard let place = subscriptions.firstIndex(where: { $0.number == number }) else {
      throw CamrecError(.usage, "there is no subscription \(number)")
    }
    return place
  }

  private func subscribe(_ number: UInt32, _ wish: MonitorSubscription.Wish, id: JSONValue?) throws(CamrecError) {
    let new = MonitorSubscription(wish), old = subscriptions.firstIndex { $0.number == number }
    guard old != nil || subscriptions.count < MonitorProtocol.mostSubscriptions else {
      throw CamrecError(
        .usage, "a subscriber has at most \(MonitorProtocol.mostSubscriptions) subscriptions; end one of them")
    }
    guard snapshot?.number != number else {
      throw CamrecError(.usage, "\(number) is the number of a snapshot under way; choose another one")
    }
    let former = old.map { subscriptions[$0].subscription }
    if let former { new.follow(former) }
    try studio.add(new, replacing: former)
    if let old { subscriptions[old].subscription = new } else { subscriptions.append((number, new)) }
    var size: (width: Int, height: Int)?
    if case .pictures(let request) = wish { size = studio.size(of: request) }
    say(.answer(number, id: id, size: size))
  }

  // MARK: Answers

  private func say(_ text: MonitorText) {
    texts += 1
    var message = text.message(sequence: texts)
    message.header.sendTime = .now()
    queue(message.header.bytes, message.payload)
  }

  private func queue(_ header: [UInt8], _ payload: [UInt8]) {
    if outgoing.isEmpty { taken = .now() }
    outgoing.append(header[...])
    if !payload.isEmpty { outgoing.append(payload[...]) }
  }

  /// Takes the latest of the next subscription that has something, once everything before it is sent.
  private func deliver() {
    deliverSnapshot()
    guard outgoing.isEmpty else { return }
    for _ in subscriptions.indices {
      turn = (turn + 1) % subscriptions.count
      let (number, subscription) = subscriptions[turn]
      guard let (waiting, sequence) = subscription.take() else { continue }
      switch waiting {
      // The end of the connection follows, and says so.
      case .nothing(let error) where error.reason == .ended: continue
      case .nothing(let error): say(.notice(.waiting, number, error))
      case .product(let product):
        var header = product.header
        (header.subscription, header.sequence, header.sendTime) = (number, sequence, .now())
        // Its patience begins with what it gets.
        if subscription.underWay == 1 { heard = .now() }
        queue(header.bytes, product.payload)
      }
      return
    }
  }

  private func deliverSnapshot() {
    guard outgoing.count < 2, let delivery = snapshot, let part = delivery.next() else { return }
    switch part {
    case .text(let text): say(text)
    case .piece(let header, let bytes):
      var header = header
      header.sendTime = .now()
      if outgoing.isEmpty { taken = .now() }
      outgoing += [header.bytes[...], bytes]
    }
    if delivery.isOver { snapshot = nil }
  }

  /// Sends what fits, and goes on with the next.
  private func send() {
    while !isOver {
      while let first = outgoing.first {
        do {
          let count = try SocketCall.send(first, to: socket, atOnce: true)
          taken = .now()
          if count == first.count { outgoing.removeFirst() } else { outgoing[0] = first.dropFirst(count) }
        } catch {
          if !error.isWait { isOver = true }
          return
        }
      }
      deliver()
      if outgoing.isEmpty { return }
    }
  }
}

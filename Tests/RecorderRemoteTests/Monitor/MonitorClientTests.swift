import ControlCodec
import Frames
import Platform
import RecorderAPI
import RecorderRemote
import Synchronization
import TestKit
import Testing

/// A client with a monitor that says what the test wants.
@Suite struct MonitorClientTests {
  /// How long to wait for what comes at once, in seconds.
  private static let patience = 60.0

  private func failure(_ body: () throws -> some Any) -> CamrecError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? CamrecError
    }
  }

  private static func picture(
    _ subscription: UInt32, _ sequence: UInt64, _ kind: MonitorKind = .picture
  ) -> MonitorMessage {
    MonitorMessage(MonitorHeader(kind, subscription: subscription, sequence: sequence), payload: [UInt8(sequence)])
  }

  private static func piece(_ number: UInt32, _ sequence: UInt64, _ bytes: [UInt8], isLast: Bool) -> MonitorMessage {
    var header = MonitorHeader(.snapshot, subscription: number, sequence: sequence)
    header.flags = isLast ? [.graded, .lastPiece] : .graded
    return MonitorMessage(header, payload: bytes)
  }

  private final class Requests: Sendable {
    private let all = Mutex<[MonitorRequest]>([])
    private let bell = MonotonicSemaphore()

    func add(_ request: MonitorRequest) {
      all.withLock { $0.append(request) }
      bell.signal()
    }

    /// Those that have come, once there are so many.
    func first(_ count: Int) -> [MonitorRequest] {
      for _ in 0..<count { bell.wait(within: MonitorClientTests.patience) }
      return all.withLock { $0 }
    }
  }

  // MARK: Connecting

  @Test func greeting_names_theRecorder() throws {
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      _ = try peer.request()
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    #expect(client.greeting.pid == 4711 && client.greeting.name == "front" && client.path == monitor.path)
    #expect(try client.next(within: 0) == nil)
  }

  @Test func nobody_isSaid() throws {
    let path = try TemporaryFolder().path("1.monitor")
    let failure = failure { try MonitorClient(path: path) }
    #expect(failure?.code == .device && failure?.cause == "connect: No such file or directory")
    #expect(
      failure?.message == "no recorder answers at '\(path)'; start one, or name the monitor socket of a running one")
    #expect(self.failure { try MonitorClient(path: String(repeating: "x", count: 108)) }?.code == .usage)
  }

  @Test func laterVersion_isRefused() throws {
    var text = MonitorText.greeting(camrec: "9", pid: 1, name: nil)
    text.monitor = 2
    let later = text, monitor = try PretendedMonitor { $0.say(later) }
    #expect(
      failure { try MonitorClient(path: monitor.path, patience: 60) }?.message
        == "the recorder's monitor at '\(monitor.path)' speaks version 2 of the protocol, but this program speaks "
        + "version 1; use the camrec that the recorder was started with")
  }

  @Test func controlSocket_isNamed() throws {
    let monitor = try PretendedMonitor { peer in
      peer.send(ControlMessage.greeting(camrec: "1", pid: 1).line)
      _ = try? peer.request()
    }
    #expect(
      failure { try MonitorClient(path: monitor.path, patience: 60) }
        == CamrecError(
          .usage, "'\(monitor.path)' is a control socket; the recorder's state file names its monitor socket"))
  }

  @Test func fullMonitor_saysSo() throws {
    let full = CamrecError(.usage, "all 128 places are taken; try again")
    let monitor = try PretendedMonitor { $0.say(.notice(.ended, nil, full)) }
    #expect(failure { try MonitorClient(path: monitor.path, patience: 60) } == full)
  }

  // MARK: Subscriptions

  @Test func pictures_come_andTheirUseIsTold() throws {
    let requests = Requests()
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      if let request = try peer.agree(size: (640, 360)) { requests.add(request) }
      peer.send(Self.picture(7, 1))
      while let (request, _) = try peer.request() { requests.add(request) }
    }
    let client = try MonitorClient(path: monitor.path, patience: 60), wanted = try PictureRequest(width: 641, rate: 5)
    let size = try client.pictures(wanted, subscription: 7)
    #expect(size?.width == 640 && size?.height == 360)
    let message = try #require(try client.next(within: Self.patience))
    #expect(message == Self.picture(7, 1))
    client.used(message)
    #expect(requests.first(2) == [.pictures(subscription: 7, wanted), .used(subscription: 7, sequence: 1)])
  }

  @Test func onlyWhatIsWantedIsKept_andOfThatTheNewest() throws {
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      try peer.agree()
      for sequence in 1...5 { peer.send(Self.picture(1, UInt64(sequence))) }
      peer.send(Self.picture(9, 1))
      peer.send(Self.picture(1, 6, MonitorKind(rawValue: 77)))
      try peer.agree()
      peer.send(Self.picture(2, 1, .measures))
      _ = try peer.request()
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    #expect(try client.pictures(PictureRequest(), subscription: 1) == nil)
    try client.measures(MeasuresRequest(), subscription: 2)
    for expected in [Self.picture(1, 4), Self.picture(1, 5), Self.picture(2, 1, .measures)] {
      #expect(try client.next(within: Self.patience) == expected)
    }
  }

  @Test func endedSubscription_givesNothing() throws {
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      try peer.agree()
      peer.send(Self.picture(1, 1))
      #expect(try peer.agree() == .end(subscription: 1))
      peer.send(Self.picture(1, 2))
      try peer.agree()
      _ = try peer.request()
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    try client.pictures(PictureRequest(), subscription: 1)
    try client.end(1)
    try client.measures(MeasuresRequest(), subscription: 2)
    #expect(try client.next(within: 0) == nil)
  }

  @Test func refusal_hasItsReason_andTheConnectionGoesOn() throws {
    let error = CamrecError(.device, "no camera is open", reason: .noCamera)
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      if let (request, id) = try peer.request() { peer.say(.refusal(error, request.subscription, id: id)) }
      peer.send(Self.picture(1, 1))
      // Whoever was refused does not know what the recorder has begun.
      #expect(try peer.agree() == .end(subscription: 1))
      try peer.agree()
      _ = try peer.request()
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    let failure = failure { try client.pictures(PictureRequest(), subscription: 1) }
    #expect(failure == error && failure?.reason == .noCamera)
    try client.measures(MeasuresRequest(), subscription: 2)
    #expect(try client.next(within: 0) == nil)
  }

  @Test func notice_isATextOfNext() throws {
    let gone = CamrecError(.device, "the camera is gone", reason: .awaitingCamera)
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      try peer.agree()
      peer.say(.notice(.waiting, 1, gone))
      _ = try peer.request()
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    try client.pictures(PictureRequest(), subscription: 1)
    let message = try #require(try client.next(within: Self.patience))
    let text = try MonitorText(payload: message.payload)
    #expect(message.header.kind == .text && text == .notice(.waiting, 1, gone))
    client.used(message)
  }

  @Test func recorderThatEnds_isSaid_andItsLastWordToo() throws {
    let silent = CamrecError(.usage, "disconnected: nothing was used for 5 s; connect again", reason: .notUsed)
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      try peer.agree()
      peer.say(.notice(.ended, nil, silent))
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    try client.pictures(PictureRequest(), subscription: 1)
    for _ in 0..<2 { #expect(failure { try client.next(within: Self.patience) } == silent) }
    let other = try PretendedMonitor { $0.greet() }, lonely = try MonitorClient(path: other.path)
    #expect(
      failure { try lonely.next(within: Self.patience) }?.message
        == "the recorder's monitor at '\(other.path)' did not answer: the recorder has ended or hangs")
    #expect(failure { try lonely.measures(MeasuresRequest(), subscription: 1) }?.code == .device)
  }

  @Test func rubbish_endsTheConnection() throws {
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      peer.send([UInt8](repeating: 0, count: 200))
      _ = try? peer.request()
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    #expect(
      failure { try client.next(within: Self.patience) }?.message
        == "what came from the recorder's monitor is no message; reconnect")
  }

  @Test func close_endsAWait() throws {
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      _ = try peer.request()
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    client.close()
    #expect(failure { try client.next(within: .infinity) }?.code == .device)
  }

  // MARK: Snapshots

  @Test func snapshot_isPutTogether_andNeedsNoWordOfUse() throws {
    let requests = Requests()
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      let request = try #require(try peer.agree(bytes: 5)), number = try #require(request.subscription)
      requests.add(request)
      for (place, bytes) in [[1, 2], [3, 4], [5]].enumerated() as EnumeratedSequence<[[UInt8]]> {
        peer.send(Self.piece(number, UInt64(place) + 1, bytes, isLast: place == 2))
      }
      while let (request, id) = try peer.request() {
        requests.add(request)
        peer.say(.answer(request.subscription, id: id))
      }
    }
    let client = try MonitorClient(path: monitor.path, patience: 60), wanted = try SnapshotRequest(format: .png)
    let image = try client.snapshot(wanted, within: Self.patience)
    #expect(image.payload == [1, 2, 3, 4, 5] && image.header.payloadLength == 5)
    #expect(image.header.flags == [.graded, .lastPiece])
    try client.end(8)
    let heard = requests.first(2), number = try #require(heard.first?.subscription)
    #expect(heard == [.snapshot(subscription: number, wanted), .end(subscription: 8)])
  }

  @Test func snapshotOfAnotherLength_isNone() throws {
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      let number = try #require(try peer.agree(bytes: 6)?.subscription)
      peer.send(Self.piece(number, 1, [1, 2], isLast: true))
      _ = try peer.request()
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    #expect(
      failure { try client.snapshot(SnapshotRequest(), within: Self.patience) }?.message
        == "the recorder's snapshot has 2 of 6 bytes")
  }

  @Test func snapshotThatIsEnded_saysWhy() throws {
    let gone = CamrecError(.device, "the camera is gone", reason: .unplugged)
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      let number = try #require(try peer.agree(bytes: 6)?.subscription)
      peer.send(Self.piece(number, 1, [1, 2], isLast: false))
      peer.say(.notice(.ended, number, gone))
      while try peer.request() != nil {}
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    #expect(failure { try client.snapshot(SnapshotRequest(), within: Self.patience) } == gone)
  }

  /// What does not come is given up, and the recorder is told.
  @Test(arguments: [false, true])
  func snapshotThatTakesTooLong_isGivenUp(_ isAnswered: Bool) throws {
    let requests = Requests()
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      _ = try isAnswered ? peer.agree(bytes: 6) : peer.request()?.request
      while let (request, _) = try peer.request() { requests.add(request) }
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    let failure = failure { try client.snapshot(SnapshotRequest(), within: 0.2) }
    #expect(failure?.code == .device)
    #expect(!isAnswered || failure?.cause == "the snapshot is not whole yet")
    guard case .end? = requests.first(1).first else { Issue.record("the recorder was not told"); return }
  }

  @Test func snapshotOfARecorderThatGoes_isNone() throws {
    let monitor = try PretendedMonitor { peer in
      peer.greet()
      try peer.agree(bytes: 6)
    }
    let client = try MonitorClient(path: monitor.path, patience: 60)
    #expect(failure { try client.snapshot(SnapshotRequest(), within: Self.patience) }?.code == .device)
  }
}

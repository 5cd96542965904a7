import Cameras
import ControlCodec
import Foundation
import Frames
import MonitorSocket
import Platform
import Recorder
import RecorderAPI
import RecorderRemote
import Synchronization
import TestKit
import Testing

/// Subscribers of a live monitor.
@Suite(.serialized) struct MonitorServerTests {
  /// The next message of a kind; everything is acknowledged.
  private static func next(
    _ client: MonitorClient, _ kind: MonitorKind = .picture, where holds: (MonitorHeader) -> Bool = { _ in true }
  ) throws -> MonitorMessage {
    for _ in 0..<10_000 {
      guard let message = try client.next(within: 60) else { break }
      client.used(message)
      if message.header.kind == kind, holds(message.header) { return message }
    }
    throw CamrecError(.device, "nothing comes")
  }

  @Test func pictures_showTheFramesThatTheirHeadersName() throws {
    let monitor = try LiveMonitor(size: (640, 360), name: "front")
    let client = try MonitorClient(path: monitor.path, patience: 60)
    #expect(client.greeting.name == "front" && client.greeting.camrec == "1.2.3" && client.greeting.pid == getpid())
    try client.pictures(try PictureRequest(width: 640, rate: 240, quality: 90), subscription: 7)
    var last: Int64 = -1
    for sequence in 1...10 {
      let message = try Self.next(client), header = message.header
      #expect(header.subscription == 7 && header.sequence == UInt64(sequence))
      #expect(header.width == 640 && header.height == 360 && header.frameNumber > last)
      last = header.frameNumber
      let picture = try DecodedPicture(message.payload)
      #expect(picture.width == 640 && picture.height == 360)
      #expect(picture.mark.map { Int64($0.number) } == header.frameNumber)
      let capture = try #require(header.captureTime), tap = try #require(header.tapTime)
      #expect(capture <= tap && tap <= header.sendTime ?? capture)
      #expect(header.colors == MonitorColors(matrix: 6, range: 1, transfer: 13, primaries: 1))
      #expect(header.flags == [.graded, .exposureSettled] && header.capabilities == .all)
    }
    client.close()
    #expect(LiveMonitor.eventually { monitor.session.tap.readerCount == 0 }, "nobody looks any more")
  }

  @Test func sizeAndCropAndColour_areAsAsked_andChangeWithTheSameNumber() throws {
    let monitor = try LiveMonitor(size: (640, 360), options: "rotation=90")
    let client = try MonitorClient(path: monitor.path, patience: 60)
    try client.pictures(try PictureRequest(isGraded: false, width: 180), subscription: 1)
    let upright = try Self.next(client)
    #expect(upright.header.width == 180 && upright.header.height == 320 && !upright.header.flags.contains(.graded))
    let size = try client.pictures(
      try PictureRequest(width: 16384, crop: MonitorCrop(x: 0, y: 0, width: 0.5, height: 0.25)), subscription: 1)
    #expect(size?.width == 180 && size?.height == 160)
    let part = try Self.next(client) { $0.flags.contains(.graded) }
    #expect(part.header.width == 180 && part.header.height == 160)
    #expect(part.header.sequence > upright.header.sequence)
  }

  @Test func withoutLUTAndLook_nothingIsCalledGraded() throws {
    let monitor = try LiveMonitor(isGraded: false), client = try MonitorClient(path: monitor.path, patience: 60)
    try client.pictures(try PictureRequest(), subscription: 1)
    #expect(!(try Self.next(client).header.flags.contains(.graded)))
    #expect(!(try client.snapshot(try SnapshotRequest(), within: 60).header.flags.contains(.graded)))
    let graded = try LiveMonitor(), other = try MonitorClient(path: graded.path, patience: 60)
    #expect(try other.snapshot(try SnapshotRequest(), within: 60).header.flags.contains(.graded))
  }

  @Test func measures_countEveryPixel() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    try client.measures(try MeasuresRequest(isGraded: false), subscription: 3)
    let message = try Self.next(client, .measures)
    let measures = try #require(MeasuresPayload(bytes: message.payload))
    #expect(measures.bitDepth == 8 && message.header.width == 320 && message.header.height == 180)
    for table in [measures.luma, measures.red, measures.green, measures.blue] {
      #expect(table.reduce(0, +) == 320 * 180)
    }
    #expect(measures.levels.count == 1 && abs(measures.levels[0].peak + 6.02) < 0.01 && measures.levels[0].held == 0)
  }

  @Test func twoAreUnderWay_andMoreComeWhenTheyAreUsed() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    try client.pictures(try PictureRequest(rate: 240), subscription: 1)
    var messages: [MonitorMessage] = []
    while messages.count < 2 { messages.append(try #require(try client.next(within: 60))) }
    #expect(try client.next(within: 0.5) == nil, "no third before one is used")
    client.used(messages[0])
    let third = try #require(try client.next(within: 60))
    #expect(third.header.sequence == 3)
  }

  @Test func camera_thatIsAway_isSaid_andPicturesGoOnWhenItIsBack() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    monitor.refuse(MonitorServerTests.awaitingCamera)
    try client.pictures(try PictureRequest(), subscription: 1)
    let notice = try Self.next(client, .text)
    let text = String(decoding: notice.payload, as: UTF8.self)
    #expect(text.contains("\"event\":\"waiting\"") && text.contains("camrec waits for the camera"), "\(text)")
    monitor.refuse(nil)
    #expect(try Self.next(client).header.width == 320)
  }

  /// What a recorder says that waits for its camera.
  private static let awaitingCamera = CamrecError(
    .device, "there is no picture: camrec waits for the camera", reason: .awaitingCamera)

  /// Nothing is awaited any more, so nobody hears of waiting.
  @Test func recorder_thatHasEnded_endsTheConnection_andSaysSo() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    let ended = CamrecError(.usage, "the recorder has ended", reason: .ended)
    monitor.refuse(ended)
    try client.pictures(try PictureRequest(), subscription: 1)
    // The first one has been told by the second.
    #expect(LiveMonitor.eventually { monitor.refusals >= 2 })
    monitor.server.close()
    var texts: [String] = []
    let last = failure {
      while true {
        let message = try client.next(within: 60)
        if let message, message.header.kind == .text { texts.append(String(decoding: message.payload, as: UTF8.self)) }
      }
    }
    #expect(last == ended && last?.reason == .ended && texts == [], "\(texts)")
  }

  private func failure(_ body: () throws -> Void) -> CamrecError? {
    do { try body() } catch { return error as? CamrecError }
    return nil
  }

  @Test func flags_sayWhatIsRecorded() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    try client.pictures(try PictureRequest(), subscription: 1)
    #expect(try !Self.next(client).header.flags.contains(.recording))
    monitor.turn(to: .recording)
    _ = try Self.next(client) { $0.flags.contains(.recording) }
  }

  /// By the recorder's state: a film that begins or is being finished gets frames, too.
  @Test func flags_sayWhetherPreRollIsKept() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    func snapshot() throws -> MonitorFlags { try client.snapshot(try SnapshotRequest(), within: 60).header.flags }
    try client.pictures(try PictureRequest(), subscription: 1)
    #expect(try !Self.next(client).header.flags.contains(.preRoll))
    #expect(try !snapshot().contains(.preRoll))
    monitor.keep(PreRollStatus(seconds: 2))
    _ = try Self.next(client) { $0.flags.contains(.preRoll) }
    #expect(try snapshot().contains(.preRoll))
    monitor.turn(to: .recording)
    _ = try Self.next(client) { $0.flags.contains(.recording) && !$0.flags.contains(.preRoll) }
    #expect(try snapshot().isDisjoint(with: .preRoll))
  }

  // MARK: Refusals

  @Test func wrongRequests_areRefused_andTheConnectionGoesOn() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    for number in 1...UInt32(MonitorProtocol.mostSubscriptions) {
      try client.measures(try MeasuresRequest(), subscription: number)
    }
    #expect(throws: CamrecError.self) { try client.measures(try MeasuresRequest(), subscription: 99) }
    #expect(throws: CamrecError.self) { try client.end(98) }
    for number in 1...UInt32(MonitorProtocol.mostSubscriptions) { try client.end(number) }
    try client.pictures(try PictureRequest(), subscription: 1)
    _ = try Self.next(client)
  }

  @Test func differentPictures_areLimited_andOneThatEndsMakesRoom() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    for number in 0..<MonitorProtocol.mostVariants {
      try client.pictures(try PictureRequest(width: 32 + 2 * number), subscription: UInt32(number + 1))
    }
    let ninth = try PictureRequest(width: 200)
    #expect {
      try client.pictures(ninth, subscription: 20)
    } throws: { error in
      (error as? CamrecError)?.message.hasPrefix("the recorder makes 8 different pictures already") == true
    }
    // A change needs no further place.
    try client.pictures(try PictureRequest(width: 300), subscription: 3)
    // One that is made for somebody else costs nothing.
    let other = try MonitorClient(path: monitor.path, patience: 60)
    try other.pictures(try PictureRequest(width: 32, rate: 5), subscription: 1)
    try client.end(2)
    try client.pictures(ninth, subscription: 20)
    _ = try Self.next(client) { $0.subscription == 20 }
  }

  // MARK: Many, slow and mad ones

  @Test func hundredSubscribers_ofWhichSomeStall_allGetPictures() throws {
    let monitor = try LiveMonitor()
    let stalled = try (0..<3).map { _ in try RawSubscriber(monitor.path) }
    stalled.forEach { $0.send("{\"do\":\"pictures\",\"subscription\":1}\n") }
    let clients = try (0..<100).map { _ in try MonitorClient(path: monitor.path, patience: 60) }
    for client in clients { try client.pictures(try PictureRequest(width: 160, rate: 25), subscription: 1) }
    for client in clients { _ = try Self.next(client) }
    // Whoever acknowledges nothing is let go.
    for subscriber in stalled { #expect(subscriber.endsWithin(seconds: 60)) }
    for client in clients { _ = try Self.next(client) }
  }

  @Test func placesAreLimited_andWhoeverComesTooLateIsToldSo() throws {
    let monitor = try LiveMonitor()
    let all = try (0..<MonitorProtocol.mostSubscribers).map { _ in try MonitorClient(path: monitor.path, patience: 60) }
    #expect {
      _ = try MonitorClient(path: monitor.path, patience: 60)
    } throws: { error in
      (error as? CamrecError)?.message.contains("128 programs look through this recorder already") == true
    }
    all[0].close()
    #expect(LiveMonitor.eventually { (try? MonitorClient(path: monitor.path, patience: 60)) != nil })
    all.forEach { $0.close() }
  }

  @Test func rubbish_isAnswered_andHurtsNobody() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    try client.pictures(try PictureRequest(), subscription: 1)
    let lines = [
      "{\"do\":\"pictures\",\"subscription\":1,\"width\":320,\"crop\":[0,0,0.5,0.5],\"rate\":30,\"quality\":75}",
      "{\"do\":\"used\",\"subscription\":1,\"sequence\":18446744073709551615}",
      "{\"do\":\"measures\",\"subscription\":2}", "{\"do\":\"snapshot\",\"subscription\":9,\"width\":64}",
      "{\"do\":\"hello\",\"version\":2}", "{\"do\":\"end\",\"subscription\":1}",
    ]
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &generator)
    var random = SplitMix(seed: seed)
    // The other one looks on a thread of its own: what holds up the mad one does not keep it from acknowledging.
    final class Looking: Sendable {
      let state = Mutex<(isOver: Bool, pictures: Int, failure: String?)>((false, 0, nil))
    }
    let looking = Looking()
    let eyes = WorkThread(name: "eyes") {
      while !looking.state.withLock({ $0.isOver || $0.failure != nil }) {
        do {
          _ = try Self.next(client)
          looking.state.withLock { $0.pictures += 1 }
        } catch { looking.state.withLock { $0.failure = "\(error)" } }
      }
    }
    var mad = try RawSubscriber(monitor.path)
    for _ in 0..<10_000 {
      var line = Array(lines[Int(random.next() % UInt64(lines.count))].utf8)
      for _ in 0...random.next() % 4 {
        line[Int(random.next() % UInt64(line.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if !mad.send(line + [UInt8(ascii: "\n")]) { mad = try RawSubscriber(monitor.path) }
      mad.drain()
    }
    looking.state.withLock { $0.isOver = true }
    eyes.join()
    let seen = looking.state.withLock { $0 }
    #expect(seen.failure == nil && seen.pictures > 0, "seed \(seed)")
    #expect(try Self.next(client).header.width == 320, "seed \(seed)")
  }

  @Test func line_thatIsTooLong_endsTheConnection() throws {
    let monitor = try LiveMonitor(), mad = try RawSubscriber(monitor.path)
    mad.send([UInt8](repeating: UInt8(ascii: "x"), count: MonitorProtocol.lineLimit + 2))
    #expect(mad.endsWithin(seconds: 60))
  }

  // MARK: Snapshots

  @Test(arguments: [SnapshotRequest.Format.jpeg, .png]) func snapshot_isTheLatestFrame(
    _ format: SnapshotRequest.Format
  ) throws {
    let monitor = try LiveMonitor(size: (640, 360)), client = try MonitorClient(path: monitor.path, patience: 60)
    let message = try client.snapshot(try SnapshotRequest(format: format), within: 60)
    #expect(message.header.width == 640 && message.header.height == 360 && message.header.kind == .snapshot)
    let age = MonotonicTime.now() - (try #require(message.header.captureTime))
    #expect(age < 60_000_000_000)
    if format == .png {
      #expect(message.payload.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    } else {
      let picture = try DecodedPicture(message.payload)
      #expect(picture.mark.map { Int64($0.number) } == message.header.frameNumber)
      #expect(message.payload.prefix(4) == [0xFF, 0xD8, 0xFF, 0xE1])
    }
  }

  @Test func snapshotsOfMany_comeOneByOne() throws {
    let monitor = try LiveMonitor()
    let clients = try (0..<8).map { _ in try MonitorClient(path: monitor.path, patience: 60) }
    let threads = clients.map { client in
      WorkThread(name: "snapshot") { _ = try? client.snapshot(try SnapshotRequest(format: .png), within: 60) }
    }
    // One who asks and reads nothing holds up the others for a while, and not for ever.
    let stalled = try RawSubscriber(monitor.path)
    stalled.send("{\"do\":\"snapshot\",\"subscription\":1,\"format\":\"png\"}\n")
    #expect(threads.allSatisfy { $0.join(within: 60) })
    _ = try clients[0].snapshot(try SnapshotRequest(), within: 60)
  }

  /// A script that sends its request and shuts down its direction reads on.
  @Test func whoeverSaysNoMore_getsWhatWasAskedFor() throws {
    let monitor = try LiveMonitor(), script = try RawSubscriber(monitor.path)
    script.send("{\"do\":\"snapshot\",\"subscription\":1,\"format\":\"jpeg\"}\n")
    script.endSending()
    var reader = MonitorReader(), pieces: [MonitorMessage] = []
    reader.append(script.rest())
    while let message = try reader.next() { if message.header.kind == .snapshot { pieces.append(message) } }
    #expect(pieces.last?.header.flags.contains(.lastPiece) == true)
    #expect(try DecodedPicture(pieces.flatMap(\.payload)).width == 320)
  }

  /// A subscriber that waits for its answer would wait for ever.
  @Test func afterTheAnswerToItsEnd_nothingOfASnapshotComes() throws {
    let monitor = try LiveMonitor(), script = try RawSubscriber(monitor.path)
    script.send(
      """
      {"do":"snapshot","subscription":1,"id":1}
      {"do":"end","subscription":1,"id":2}
      {"do":"snapshot","subscription":3,"id":3}

      """)
    script.endSending()
    var reader = MonitorReader(), later: [MonitorMessage] = [], texts: [MonitorText] = []
    reader.append(script.rest())
    while let message = try reader.next() {
      if texts.last?.id == .integer(2) || !later.isEmpty { later.append(message) }
      if message.header.kind == .text { texts.append(try MonitorText(payload: message.payload)) }
    }
    #expect(texts.dropFirst().map(\.id) == [.integer(2), .integer(3)], "\(texts)")
    #expect(texts.allSatisfy { $0.ok != false }, "\(texts)")
    #expect(later.last?.header.flags.contains(.lastPiece) == true)
    #expect(later.allSatisfy { $0.header.kind == .text || $0.header.subscription == 3 })
  }

  @Test func manyRequestsAtOnce_areAllAnswered() throws {
    let monitor = try LiveMonitor(), script = try RawSubscriber(monitor.path)
    script.send(String(repeating: "{\"do\":\"hello\",\"version\":1}\n", count: 500))
    script.endSending()
    var reader = MonitorReader(), texts = 0
    reader.append(script.rest())
    while let message = try reader.next() { if message.header.kind == .text { texts += 1 } }
    #expect(texts == 501, "the greeting, and an answer for each")
  }

  @Test func motionJPEG_isTheCamerasOwnImage() throws {
    let monitor = try LiveMonitor(size: (640, 360), format: "mjpeg")
    let client = try MonitorClient(path: monitor.path, patience: 60)
    let own = try client.snapshot(try SnapshotRequest(isGraded: false), within: 60)
    #expect(try DecodedPicture(own.payload).mark.map { Int64($0.number) } == own.header.frameNumber)
    #expect(own.payload.prefix(4) == [0xFF, 0xD8, 0xFF, 0xE1])
    let graded = try client.snapshot(try SnapshotRequest(width: 320), within: 60)
    #expect(graded.header.width == 320)
    try client.pictures(try PictureRequest(width: 640), subscription: 1)
    let picture = try Self.next(client)
    #expect(try DecodedPicture(picture.payload).mark.map { Int64($0.number) } == picture.header.frameNumber)
  }

  @Test func oldFrame_isRefused_unlessItIsAskedFor() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    let live = try client.snapshot(try SnapshotRequest(), within: 60)
    monitor.session.close()
    #expect {
      try client.snapshot(try SnapshotRequest(), within: 60)
    } throws: { error in
      let error = error as? CamrecError
      return error?.message.hasSuffix(" sends no more frames; check the camera") == true && error?.reason == .stale
    }
    let stale = try client.snapshot(try SnapshotRequest(takesStale: true), within: 60)
    #expect(stale.header.frameNumber >= live.header.frameNumber)
    monitor.refuse(CamrecError(.device, "the camera is away"))
    _ = try client.snapshot(try SnapshotRequest(takesStale: true), within: 60)
    #expect(throws: CamrecError.self) { try client.snapshot(try SnapshotRequest(), within: 60) }
  }

  /// Whoever has looked at it: with pictures or with measures.
  @Test(arguments: [true, false]) func oldFrame_isTheOneSeenLast(asPicture: Bool) throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    if asPicture {
      try client.pictures(try PictureRequest(), subscription: 1)
    } else {
      try client.measures(try MeasuresRequest(), subscription: 1)
    }
    let seen = try Self.next(client, asPicture ? .picture : .measures).header
    try client.end(1)
    monitor.session.close()
    let away = MonitorServerTests.awaitingCamera
    monitor.refuse(away)
    #expect {
      try client.snapshot(try SnapshotRequest(), within: 60)
    } throws: { error in
      let error = error as? CamrecError
      return error?.message == away.message && error?.reason == .stale
    }
    let stale = try client.snapshot(try SnapshotRequest(takesStale: true), within: 60)
    #expect(stale.header.frameNumber >= seen.frameNumber)
  }

  @Test func anotherRefusal_keepsItsReason() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    _ = try client.snapshot(try SnapshotRequest(), within: 60)
    monitor.refuse(CamrecError(.device, "another program has the camera", reason: .inUse))
    #expect {
      try client.snapshot(try SnapshotRequest(), within: 60)
    } throws: { error in (error as? CamrecError)?.reason == .inUse }
    _ = try client.snapshot(try SnapshotRequest(takesStale: true), within: 60)
  }

  @Test func afterItsCameraHasEnded_nothingStaysPrepared() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    for _ in 0..<2 { _ = try client.snapshot(try SnapshotRequest(), within: 60) }
    #expect(monitor.bakers.value == 1, "while it runs, snapshots share what is prepared")
    monitor.session.close()
    // The first one uses what there is; it is made again for each one from then on.
    for _ in 0..<2 { _ = try client.snapshot(try SnapshotRequest(takesStale: true), within: 60) }
    #expect(monitor.bakers.value == 2)
    monitor.refuse(CamrecError(.device, "the camera is away"))
    for _ in 0..<2 { _ = try client.snapshot(try SnapshotRequest(takesStale: true), within: 60) }
    #expect(monitor.bakers.value == 4)
  }

  /// A film's frames are in a slot of their own.
  @Test func oldFrameOfAFilm_isTaken() throws {
    let monitor = try LiveMonitor(), client = try MonitorClient(path: monitor.path, patience: 60)
    #expect(LiveMonitor.eventually { monitor.session.lastFrame != nil })
    monitor.session.close()
    for takesStale in [false, true] {
      #expect {
        try client.snapshot(try SnapshotRequest(takesStale: takesStale), within: 60)
      } throws: { error in
        let error = error as? CamrecError
        let words = " sends no more frames, and nobody has looked at the last one; check the camera"
        return error?.message.hasSuffix(words) == true && error?.reason == nil
      }
    }
    let slot = monitor.session.tap.baked, reader = try #require(slot.open())
    let pool = FramePool(
      format: FrameFormat(width: 320, height: 180, layout: .nv12, color: .rec709), capacity: 1)
    guard var frame = pool.take() else { throw CamrecError(.defect, "a frame is still out") }
    for plane in 0...1 {
      frame.withMutablePlane(plane) { _ = $0.initializeMemory(as: UInt8.self, repeating: 128) }
    }
    slot.offer(frame, sequence: 77, captureTime: .now(), exposure: nil)
    let snapshot = try client.snapshot(try SnapshotRequest(takesStale: true), within: 60)
    #expect(snapshot.header.frameNumber == 77 && snapshot.header.flags.contains(.graded))
    // Somebody looks at the film again and again.
    #expect(try client.snapshot(try SnapshotRequest(takesStale: true), within: 60).header.frameNumber == 77)
    withExtendedLifetime(reader) {}
  }

  @Test func refusal_saysHowOldTheNewestFrameIs() throws {
    let folder = try TemporaryFolder()
    try "hang 9 deaf\n".write(toFile: folder.path("faults"), atomically: true, encoding: .utf8)
    let monitor = try LiveMonitor(options: "faults=\(folder.path("faults"))")
    let client = try MonitorClient(path: monitor.path, patience: 60)
    #expect(
      LiveMonitor.eventually { monitor.session.lastFrame.map { MonotonicTime.now() - $0 > 2_100_000_000 } ?? false })
    #expect {
      try client.snapshot(try SnapshotRequest(), within: 60)
    } throws: { error in
      let words = (error as? CamrecError)?.message.split(separator: " ") ?? []
      return words.firstIndex(of: "for").flatMap { Double(words[$0 + 1]) }.map { $0 > 2 } == true
    }
  }

  // MARK: The file

  @Test func socket_isForOwnerAndGroup_andGoes() throws {
    let monitor = try LiveMonitor()
    let attributes = try FileManager.default.attributesOfItem(atPath: monitor.path)
    #expect(attributes[.posixPermissions] as? Int == 0o660)
    let client = try MonitorClient(path: monitor.path, patience: 60)
    monitor.server.close()
    #expect(!FileManager.default.fileExists(atPath: monitor.path))
    #expect(throws: CamrecError.self) { while true { _ = try client.next(within: 60) } }
  }
}

import CameraV4L2
import Cameras
import Frames
import Glibc
import Platform
import Testing

/// What a camera said, in words that compare.
private enum Said: Equatable {
  case frame(UInt64, Int64)
  case damaged(UInt64)
  case nothing
  case ended(CameraEnd)
}

extension V4L2Camera {
  fileprivate func say() throws -> Said {
    switch try next() {
    case .frame(let frame): return .frame(frame.sequence, frame.captureTime.nanoseconds)
    case .damaged(let sequence, _): return .damaged(sequence)
    case .nothing: return .nothing
    case .ended(let end): return .ended(end)
    }
  }

  /// The next event, which has to be a frame.
  fileprivate func frame() throws -> CapturedFrame {
    guard case .frame(let frame) = try next() else { throw NoFrame() }
    return frame
  }

  fileprivate func failure() -> CamrecError? {
    do throws(CamrecError) {
      _ = try next()
      return nil
    } catch {
      return error
    }
  }
}

private struct NoFrame: Error {}

@Suite struct V4L2CameraTests {
  private func time(_ sequence: Int64) -> Int64 { 1_000_000_000 + sequence * ScriptedRig.frameNanoseconds }

  @Test func frames_carryTheDriversCountFromZeroAndItsStamps() throws {
    let rig = try ScriptedRig([
      .buffer(.whole(0, sequence: 7)), .buffer(.whole(1, sequence: 8)), .buffer(.whole(2, sequence: 12)),
    ])
    try rig.camera.start()
    #expect(try rig.camera.say() == .frame(0, time(7)))
    #expect(try rig.camera.say() == .frame(1, time(8)))
    #expect(try rig.camera.say() == .frame(5, time(12)))
  }

  @Test func start_queuesEveryBufferFirst() throws {
    let rig = try ScriptedRig([])
    try rig.camera.start()
    #expect(rig.stream.log == ["start with 4"])
    #expect(rig.stream.queued == [0, 1, 2, 3])
  }

  @Test func framesEnd_theirBuffersAreQueuedAgain() throws {
    let rig = try ScriptedRig([.buffer(.whole(0, sequence: 0)), .buffer(.whole(1, sequence: 1))])
    try rig.camera.start()
    let first = try rig.camera.frame()
    let second = try rig.camera.frame()
    #expect(rig.stream.queued == [2, 3])
    _ = consume second
    #expect(rig.stream.queued == [2, 3, 1])
    _ = consume first
    #expect(rig.stream.queued == [2, 3, 1, 0])
  }

  @Test func streamThatIsStartedAgain_hasTheBuffersThatAreNotOut_andCountsWhatWasDue() throws {
    let rig = try ScriptedRig([
      .buffer(.whole(0, sequence: 0)), .buffer(.whole(1, sequence: 1)),
      // The driver counts anew; its clock has gone on.
      .buffer(.whole(2, sequence: 0, time: time(51))), .buffer(.whole(3, sequence: 1, time: time(52))),
    ])
    try rig.camera.start()
    let first = try rig.camera.frame()
    #expect(try rig.camera.say() == .frame(1, time(1)))
    #expect(try rig.camera.restart())
    #expect(rig.stream.log == ["start with 4", "halt", "start with 3"])
    #expect(rig.stream.queued == [1, 2, 3])
    _ = consume first
    #expect(rig.stream.queued == [1, 2, 3, 0])
    #expect(try rig.camera.say() == .frame(51, time(51)))
    #expect(try rig.camera.say() == .frame(52, time(52)))
  }

  @Test func framesThatAreOut_stayReadableAfterTheStop_andAreNotQueued() throws {
    var rig: ScriptedRig? = try ScriptedRig([.buffer(.whole(3, sequence: 0))])
    let stream = try #require(rig).stream, released = try #require(rig).released
    try rig?.camera.start()
    let frame = try #require(rig).camera.frame()
    rig?.camera.stop()
    rig = nil
    #expect(released.count == 0)
    #expect(firstBytes(of: frame) == [3, 3])
    _ = consume frame
    #expect(released.count == 1)
    #expect(stream.log.filter { $0.hasPrefix("queued") } == [])
  }

  private func firstBytes(of frame: borrowing CapturedFrame) -> [UInt8] {
    switch frame.image {
    case .frame(let picture): [picture.withPlane(0) { $0[0] }, picture.withPlane(1) { $0[0] }]
    case .encoded(let image): [image.withBytes { $0[0] }]
    }
  }

  @Test func errorFlaggedBuffers_areDamaged_andQueuedAgain() throws {
    var bad = FilledBuffer.whole(0, sequence: 3)
    bad.isDamaged = true
    let rig = try ScriptedRig([.buffer(bad), .buffer(.whole(1, sequence: 4))])
    try rig.camera.start()
    #expect(try rig.camera.say() == .damaged(0))
    #expect(rig.stream.queued == [1, 2, 3, 0])
    #expect(try rig.camera.say() == .frame(1, time(4)))
  }

  @Test func shortPictures_areDamaged() throws {
    let rig = try ScriptedRig([
      .buffer(.whole(0, sequence: 0, bytes: 95)), .buffer(.whole(1, sequence: 1, bytes: 0)),
      .buffer(.whole(2, sequence: 2, bytes: 96)),
    ])
    try rig.camera.start()
    #expect(try rig.camera.say() == .damaged(0))
    #expect(try rig.camera.say() == .damaged(1))
    #expect(try rig.camera.say() == .frame(2, time(2)))
  }

  @Test func picturesBehindTheStartOfABuffer_areReadWhereTheyAre() throws {
    var moved = FilledBuffer.whole(2, sequence: 0, bytes: 96 + 64)
    moved.offsets = PlaneBytes(64)
    var tooFar = FilledBuffer.whole(1, sequence: 1, bytes: 4096)
    tooFar.offsets = PlaneBytes(4000)
    let rig = try ScriptedRig([.buffer(moved), .buffer(tooFar)], format: "YU12")
    try rig.camera.start()
    let frame = try rig.camera.frame()
    #expect(firstBytes(of: frame) == [2, 2])
    #expect(try rig.camera.say() == .damaged(1))
  }

  @Test func stampsOfTheEnd_areOneIntervalLate() throws {
    var atEnd = FilledBuffer.whole(0, sequence: 0)
    atEnd.isStampedAtEnd = true
    let rig = try ScriptedRig([.buffer(atEnd)])
    try rig.camera.start()
    #expect(try rig.camera.say() == .frame(0, time(-1)))
  }

  @Test func stampsOnNoKnownClock_areReplacedByTheArrival() throws {
    var unstamped = FilledBuffer.whole(0, sequence: 0)
    unstamped.timestamp = nil
    let rig = try ScriptedRig([.buffer(unstamped)])
    try rig.camera.start()
    let before = MonotonicTime.now()
    let frame = try rig.camera.frame()
    #expect(frame.captureTime >= before.advanced(by: -ScriptedRig.frameNanoseconds))
    #expect(frame.captureTime <= MonotonicTime.now().advanced(by: -ScriptedRig.frameNanoseconds))
  }

  @Test func encodedPictures_lendTheirBytes() throws {
    let rig = try ScriptedRig([.buffer(.whole(1, sequence: 0, bytes: 77))], format: "MJPG")
    try rig.camera.start()
    #expect(rig.camera.format.image == .encoded(FourCC("MJPG")))
    let frame = try rig.camera.frame()
    guard case .encoded(let image) = frame.takeImage() else { throw NoFrame() }
    #expect(image.byteCount == 77 && image.stride == 0 && image.width == 16 && image.height == 4)
    #expect(image.withBytes { $0.allSatisfy { $0 == 1 } && $0.count == 77 })
  }

  @Test func silenceAndEAGAIN_areNothing() throws {
    let rig = try ScriptedRig([.silence, .again, .event(.other), .buffer(.whole(0, sequence: 0))])
    try rig.camera.start()
    #expect(try rig.camera.say() == .nothing)
    #expect(try rig.camera.say() == .nothing)
    #expect(try rig.camera.say() == .nothing)
    #expect(try rig.camera.say() == .frame(0, time(0)))
  }

  @Test func sourceChange_ends() throws {
    let rig = try ScriptedRig([.buffer(.whole(0, sequence: 0)), .event(.sourceChange)])
    try rig.camera.start()
    #expect(try rig.camera.say() == .frame(0, time(0)))
    #expect(try rig.camera.say() == .ended(.sourceChanged))
    #expect(try rig.camera.say() == .ended(.sourceChanged))
  }

  @Test(arguments: [ScriptedStream.Step.failure(ENODEV), .failingWait(ENODEV)])
  func goneDevice_ends(how: ScriptedStream.Step) throws {
    let rig = try ScriptedRig([.buffer(.whole(0, sequence: 0)), how, .buffer(.whole(1, sequence: 1))])
    try rig.camera.start()
    #expect(try rig.camera.say() == .frame(0, time(0)))
    #expect(try rig.camera.say() == .ended(.unplugged))
    #expect(try rig.camera.say() == .ended(.unplugged))
  }

  @Test func fatalStreamingError_throws() throws {
    let rig = try ScriptedRig([.failure(EIO)])
    try rig.camera.start()
    let error = try #require(rig.camera.failure())
    #expect(error.code == .device)
    #expect(error.message == "cam failed while streaming; plug it in again, in another port or without a hub")
    #expect(error.cause == "VIDIOC_DQBUF: Input/output error")
  }

  @Test func startThatFails_isExplained() throws {
    let rig = try ScriptedRig([], startFailure: ENOSPC)
    let error = #expect(throws: CamrecError.self) { try rig.camera.start() }
    #expect(error?.message.contains("no bandwidth left for cam") == true)
  }
}

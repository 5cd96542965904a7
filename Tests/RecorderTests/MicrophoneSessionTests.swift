import Audio
import Cameras
import Frames
import Platform
import Recorder
import Synchronization
import Testing

/// A microphone that runs on, and what films get of it.
struct MicrophoneSessionTests {
  /// Delivers blocks as large as fit, whose samples count on; can be unplugged.
  private final class Counting: Microphone {
    let name = "counting microphone"
    let format = AudioFormat(sampleRate: 48_000, channels: 1, sample: .s32)
    let isPulled = false
    private let state = Mutex((next: Int32(0), isAway: false, starts: 0))

    var isAway: Bool {
      get { state.withLock { $0.isAway } }
      set { state.withLock { $0.isAway = newValue } }
    }
    var starts: Int { state.withLock { $0.starts } }

    func start() throws(CamrecError) { state.withLock { $0.starts += 1 } }
    func stop() {}
    func reopen() throws(CamrecError) { if isAway { throw CamrecError(.device, "it is away") } }

    func read(into buffer: inout AudioBuffer) throws(CamrecError) -> Bool {
      WorkThread.sleep(.milliseconds(5))
      let (first, isAway) = state.withLock { state in
        defer { state.next += Int32(buffer.capacity) }
        return (state.next, state.isAway)
      }
      if isAway { throw CamrecError(.device, "it was unplugged") }
      buffer.count = buffer.capacity
      buffer.lostBefore = 0
      buffer.time = MonotonicTime(nanoseconds: Int64(first) * 1_000_000_000 / 48_000)
      let count = buffer.count
      unsafe buffer.withMutableBytes { bytes in
        let samples = unsafe bytes.bindMemory(to: Int32.self)
        for index in 0..<count { unsafe samples[index] = first + Int32(index) }
      }
      return true
    }
  }

  /// - Returns: the samples of so many reads that delivered something.
  private static func samples(_ microphone: FilmMicrophone, room: Int, reads: Int) throws -> [Int32] {
    var buffer = AudioBuffer(format: microphone.format, capacity: room), samples: [Int32] = [], done = 0
    while done < reads {
      #expect(try microphone.read(into: &buffer))
      guard buffer.count > 0 else { continue }
      unsafe buffer.withBytes { bytes in unsafe samples += Array(bytes.bindMemory(to: Int32.self)) }
      done += 1
    }
    return samples
  }

  private static func follow(_ samples: [Int32]) -> Bool {
    zip(samples, samples.dropFirst()).allSatisfy { $1 == $0 + 1 }
  }

  /// A film of a faster camera has room for less than the blocks of the camera that began the session.
  @Test func aFilmOfAFasterCameraReadsSmallerBlocks() throws {
    let session = MicrophoneSession(Counting(), frameRate: try FrameRate(argument: "24"))
    session.begin()
    defer { session.end() }
    let slow = FilmMicrophone(session), fast = FilmMicrophone(session)
    try slow.start()
    try fast.start()
    let first = try Self.samples(fast, room: 400, reads: 30), second = try Self.samples(slow, room: 960, reads: 10)
    #expect(first.count > 30 * 200 && Self.follow(first) && Self.follow(second))
    slow.stop()
    fast.stop()
  }

  /// It is started once, and the film that comes later has sound from before its start.
  @Test func filmsShareIt() throws {
    let counting = Counting(), session = MicrophoneSession(counting, frameRate: try FrameRate(argument: "25"))
    session.begin()
    session.begin()
    let first = FilmMicrophone(session)
    try first.start()
    let early = try Self.samples(first, room: 960, reads: 20)
    let second = FilmMicrophone(session)
    try second.start()
    let late = try Self.samples(second, room: 960, reads: 2)
    #expect(try #require(late.first) < (try #require(early.last)), "the last second is remembered")
    first.stop()
    session.end()
    #expect(Self.follow(late + (try Self.samples(second, room: 960, reads: 20))), "it runs for the other camera")
    second.stop()
    session.end()
    #expect(counting.starts == 1)
  }

  /// Both films hear once that it is gone, and go on when it is back.
  @Test func anAbsenceIsHeardOnce() throws {
    let counting = Counting(), session = MicrophoneSession(counting, frameRate: try FrameRate(argument: "25"))
    session.begin()
    defer { session.end() }
    let films = [FilmMicrophone(session), FilmMicrophone(session)]
    for film in films { try film.start() }
    for film in films { _ = try Self.samples(film, room: 960, reads: 3) }
    counting.isAway = true
    for film in films {
      #expect(throws: CamrecError(.device, "it was unplugged")) {
        while true { _ = try Self.samples(film, room: 960, reads: 1) }
      }
      #expect(throws: CamrecError.self) { try film.reopen() }
    }
    counting.isAway = false
    for film in films {
      while (try? film.reopen()) == nil { WorkThread.sleep(.milliseconds(5)) }
      #expect(Self.follow(try Self.samples(film, room: 960, reads: 5)))
      film.stop()
    }
  }
}

import Foundation
import Frames
import MediaFFmpeg
import Movies
import Platform
import Synchronization
import Testing

/// The limit on memory for clips that are opened, beside writers that want none.
@Suite struct LibavMemoryTests {
  private static let (limit, unlimited) = (LibavMemory.limit, LibavMemory.unlimited)

  /// What FFmpeg's libraries were told last; 0 before that.
  private final class Told: Sendable {
    private let value = Mutex(0)
    private(set) var bytes: Int {
      get { value.withLock { $0 } }
      set { value.withLock { $0 = newValue } }
    }

    func memory() -> LibavMemory { LibavMemory { self.bytes = $0 } }
  }

  @Test func theLimitHoldsUntilTheLastOfTwoReadersHasOpened() {
    let told = Told(), memory = told.memory()
    memory.beginOpening()
    #expect(told.bytes == Self.limit)
    let lift = memory.lift()
    #expect(told.bytes == Self.limit, "a writer lifts no limit of a clip that is being opened")
    memory.beginOpening()
    memory.endOpening()
    #expect(told.bytes == Self.limit)
    memory.endOpening()
    #expect(told.bytes == Self.unlimited)
    memory.beginOpening()
    #expect(told.bytes == Self.limit)
    memory.endOpening()
    #expect(told.bytes == Self.unlimited)
    withExtendedLifetime(lift) {}
  }

  @Test func theLimitComesBackBehindTheLastWriter() {
    let told = Told(), memory = told.memory()
    memory.beginOpening()
    memory.endOpening()
    #expect(told.bytes == Self.limit, "packets are read with it")
    var lifts = [memory.lift(), memory.lift()]
    #expect(told.bytes == Self.unlimited)
    lifts.removeLast()
    #expect(told.bytes == Self.unlimited)
    lifts.removeLast()
    #expect(told.bytes == Self.limit)
  }

  @Test func withoutClipsThereIsNoLimit() {
    let told = Told(), memory = told.memory()
    var lift: LibavMemory.Lift? = memory.lift()
    #expect(told.bytes == Self.unlimited)
    lift = nil
    #expect(lift == nil && told.bytes == Self.unlimited)
  }

  @Test(.timeLimit(.minutes(1))) func neitherReadersNorWritersMeetTheOthersLimit() {
    let told = Told(), memory = told.memory()
    let wrong = Mutex<[String]>([])
    let readers = (0..<3).map { number in
      WorkThread(name: "reader-\(number)") {
        for _ in 0..<500 {
          memory.beginOpening()
          if told.bytes != Self.limit { wrong.withLock { $0.append("a clip was opened without a limit") } }
          memory.endOpening()
        }
      }
    }
    let writers = (0..<3).map { number in
      WorkThread(name: "writer-\(number)") {
        for _ in 0..<100 {
          let lift = memory.lift()
          for _ in 0..<5 {
            lift.beginUse()
            if told.bytes != Self.unlimited { wrong.withLock { $0.append("a writer met the limit") } }
            lift.endUse()
          }
        }
      }
    }
    (readers + writers).forEach { $0.join() }
    #expect(wrong.withLock { $0 } == [])
    #expect(told.bytes == Self.limit)
  }

  /// Two damaged films are opened again and again while a third thread writes a film whose table may be large. A
  /// fragment of a few bytes promises 80 million samples.
  @Test(.timeLimit(.minutes(1))) func damagedClipsAreRefusedWhileAFilmIsWritten() throws {
    let clips = try ClipMaker()
    let whole = try clips.make(
      "whole.mp4", "-f lavfi -i testsrc=size=64x36:rate=24 -frames:v 8 -c:v libx264 -movflags frag_keyframe+empty_moov")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    let run = try #require(bytes.range(of: Data("trun".utf8))).upperBound
    let count = withUnsafeBytes(of: UInt32(80_000_000).bigEndian, Array.init)
    bytes.replaceSubrange(run..<run + 8, with: [0, 0, 0, 1] + count)
    let paths = (0..<2).map { clips.path("bad-\($0).mp4") }
    for path in paths { try bytes.write(to: URL(fileURLWithPath: path)) }

    let refusals = Mutex<[String]>([])
    let writing = Atomic<Bool>(true)
    let movies = try MovieDirectory()
    let take = MovieTake(MovieTake.settings(movies.path("take.mov"), isLive: false), frames: 40)
    let sink = try MovieWriter.open(take.settings)
    defer { withExtendedLifetime((clips, movies)) {} }
    let readers = paths.map { path in
      WorkThread(name: "reader") {
        repeat {
          do throws(CamrecError) {
            _ = try ClipCamera.open(path: path, paced: false)
            refusals.withLock { $0.append("\(path) was opened") }
          } catch { refusals.withLock { $0.append(error.message) } }
        } while writing.load(ordering: .acquiring)
      }
    }
    defer { readers.forEach { $0.join() } }
    let report = Result { try take.record(to: sink) }
    writing.store(false, ordering: .releasing)
    #expect(try report.get().frames == 40)
    readers.forEach { $0.join() }
    let sentences = refusals.withLock { $0 }
    #expect(sentences.count >= 2)
    #expect(sentences.allSatisfy { $0.contains("needs more memory than a clip's index should") }, "\(sentences)")
  }
}

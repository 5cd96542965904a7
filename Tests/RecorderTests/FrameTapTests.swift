import CameraTestKit
import Cameras
import Foundation
import Frames
import Platform
import Recorder
import Synchronization
import Testing

/// Whoever looks gets the latest frame, whole, and nobody waits for anybody.
struct FrameTapTests {
  private static let format = FrameFormat(width: 61, height: 37, layout: .nv12, color: .rec709)

  /// A slot that is filled with frames whose every byte is their number.
  private final class Filler: Sendable {
    let tap = FrameTap(
      CameraFormat(
        width: 61, height: 37, image: .raw(.nv12), frameRate: RecordingSessionTests.rate, color: .rec709))
    private let pool = FramePool(format: FrameTapTests.format, capacity: 1)

    func offer(_ number: UInt64) {
      guard var frame = pool.take() else {
        Issue.record("the tap holds a frame of the camera's")
        return
      }
      for plane in 0..<frame.format.planeCount {
        unsafe frame.withMutablePlane(plane) { bytes in
          unsafe bytes.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: number))
          return
        }
      }
      tap.captured.offer(
        frame, sequence: number, captureTime: MonotonicTime(nanoseconds: Int64(number)), exposure: nil)
    }
  }

  @Test func aReaderGetsTheLatestFrame_once() throws {
    let filler = Filler()
    filler.offer(1)
    let reader = try #require(filler.tap.captured.open())
    var bytes: [UInt8] = []
    #expect(reader.copy(into: &bytes, within: 0) == nil, "nothing was kept while nobody read")
    for number: UInt64 in 2...4 { filler.offer(number) }
    let facts = try #require(reader.copy(into: &bytes, within: 0))
    #expect(facts.sequence == 4 && facts.content == .frame(Self.format))
    #expect(facts.captureTime == MonotonicTime(nanoseconds: 4) && facts.tapTime <= .now())
    #expect(bytes == [UInt8](repeating: 4, count: Self.format.byteCount))
    #expect(reader.copy(into: &bytes, within: 0) == nil, "it has had that one")
    filler.offer(5)
    #expect(reader.copy(into: &bytes, within: 0)?.sequence == 5)
  }

  @Test func aReaderIsWokenByTheNextFrame() throws {
    let filler = Filler(), reader = try #require(filler.tap.captured.open())
    let thread = WorkThread(name: "filler") {
      WorkThread.sleep(.milliseconds(20))
      filler.offer(7)
    }
    var bytes: [UInt8] = []
    #expect(reader.copy(into: &bytes, within: 60)?.sequence == 7)
    thread.join()
  }

  /// A borrower that never lets go costs its memory; the others get each frame all the same.
  @Test func aBorrowerHoldsUpNobody() throws {
    let filler = Filler()
    let first = try #require(filler.tap.captured.open()), second = try #require(filler.tap.captured.open())
    filler.offer(1)
    let seen = unsafe first.borrow(within: 0) { facts, held in
      var bytes: [UInt8] = []
      for number: UInt64 in 2...20 {
        filler.offer(number)
        #expect(second.copy(into: &bytes, within: 0)?.sequence == number)
        #expect(bytes.allSatisfy { $0 == UInt8(number) })
      }
      #expect(unsafe second.borrow(within: 0) { _, _ in } == nil, "one borrower at a time")
      #expect(unsafe held.allSatisfy { $0 == 1 }, "the borrowed frame stays as it is")
      return facts.sequence
    }
    #expect(seen == 1)
    filler.offer(21)
    #expect(unsafe second.borrow(within: 0) { facts, _ in facts.sequence } == 21)
  }

  @Test func placesAreFreeAgainWhenAReaderEnds() throws {
    let slot = Filler().tap.captured
    var readers: [TapReader] = []
    for _ in 0..<TapSlot.mostReaders { readers.append(try #require(slot.open())) }
    #expect(slot.open() == nil && slot.readerCount == TapSlot.mostReaders)
    readers.removeLast()
    #expect(slot.open() != nil)
    readers.removeAll()
    #expect(slot.readerCount == 0)
  }

  /// Frames are never torn, and never go back, however the threads meet.
  @Test func everyFrameIsWhole() throws {
    let filler = Filler(), isOver = Atomic<Bool>(false), readers = 4
    let failures = Mutex<[String]>([]), seen = Atomic<Int>(0)
    let threads = try (0..<readers).map { index in
      let held = Held(try #require(filler.tap.captured.open()))
      return WorkThread(name: "reader") {
        var bytes: [UInt8] = [], last: UInt64 = 0
        func look(_ facts: TappedFrame, _ bytes: some Sequence<UInt8>) {
          if facts.sequence <= last { failures.withLock { $0.append("\(facts.sequence) behind \(last)") } }
          last = facts.sequence
          let value = UInt8(truncatingIfNeeded: facts.sequence)
          if !bytes.allSatisfy({ $0 == value }) { failures.withLock { $0.append("torn: \(facts.sequence)") } }
          seen.add(1, ordering: .relaxed)
        }
        while !isOver.load(ordering: .acquiring) {
          if index == 0 {
            unsafe held.reader.borrow(within: 0.01) { facts, bytes in unsafe look(facts, bytes) }
          } else if let facts = held.reader.copy(into: &bytes, within: 0.01) {
            look(facts, bytes)
          }
        }
      }
    }
    for number: UInt64 in 1...20_000 { filler.offer(number) }
    // At least one frame is seen by somebody, even on a machine that runs one thread at a time.
    while seen.load(ordering: .relaxed) == 0 { filler.offer(20_001) }
    isOver.store(true, ordering: .releasing)
    threads.forEach { $0.join() }
    #expect(failures.withLock { $0 } == [])
  }

  private static let isMeasured = ProcessInfo.processInfo.environment["CAMREC_MEASURE"] != nil

  /// Prints what the frame path pays for a frame, without a reader and with one that keeps up.
  @Test(.enabled(if: FrameTapTests.isMeasured)) func cost() throws {
    for (width, height) in [(1280, 720), (1920, 1080), (3840, 2160)] {
      for layout in [PixelLayout.nv12, .yuyv, .p010] {
        let format = FrameFormat(width: width, height: height, layout: layout, color: .rec709)
        // Two frames in turn, as a camera's buffers are: neither stays in the cache.
        let pool = FramePool(format: format, capacity: 8)
        let tap = FrameTap(
          CameraFormat(
            width: width, height: height, image: .raw(layout), frameRate: RecordingSessionTests.rate, color: .rec709))
        func median(_ count: UInt64, _ begin: UInt64) -> Double {
          var times: [Double] = []
          for number in begin..<begin + count {
            guard let frame = pool.take() else {
              Issue.record("the tap holds a frame of the camera's")
              return .nan
            }
            let start = MonotonicTime.now()
            tap.captured.offer(frame, sequence: number, captureTime: start, exposure: nil)
            times.append(Double(MonotonicTime.now() - start) / 1000)
          }
          return times.sorted()[times.count / 2]
        }
        let alone = median(300, 1)
        let reader = try #require(tap.captured.open())
        let read = median(300, 1000)
        withExtendedLifetime(reader) {}
        print("\(width)x\(height) \(layout.rawValue): \(alone) µs without a reader, \(read) µs with one")
      }
    }
  }

  /// - Note: a reader is used by one thread, which gets it here.
  private final class Held: @unchecked Sendable {
    let reader: TapReader
    init(_ reader: TapReader) { self.reader = reader }
  }
}

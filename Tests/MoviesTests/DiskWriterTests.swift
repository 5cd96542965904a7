import Foundation
import Frames
import MovieTestKit
import Movies
import Platform
import RecorderAPI
import Synchronization
import TestKit
import Testing

struct DiskWriterTests {
  private static func append(_ bytes: [UInt8], at offset: Int, to writer: DiskWriter) throws {
    try bytes.withUnsafeBytes { try writer.append($0.bytes, at: Int64(offset)) }
  }

  /// Waits for what a thread is about to do.
  private static func until(_ isSo: () -> Bool) { while !isSo() { WorkThread.sleep(.milliseconds(1)) } }

  /// Appended pieces, with jumps back as muxers make them, through buffers that are smaller than a piece, to a disk
  /// that takes as little as a byte at a time.
  @Test(arguments: [(1, 1, 40), (7, 3, 400), (64, 5, 4000), (4096, 1 << 20, 100_000)])
  func whatIsAppendedIsTheFile(capacity: Int, most: Int, total: Int) throws {
    var random = SplitMix(seed: UInt64(total))
    let file = MemoryFile(most: most)
    var expected: [UInt8] = []
    do {
      let writer = DiskWriter(file, capacity: capacity, allowance: 1) { _ in }
      while expected.count < total {
        let piece = (0..<Int.random(in: 1...max(2, total / 50), using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        let isJump = Int.random(in: 0..<8, using: &random) == 0 && !expected.isEmpty
        let offset = isJump ? Int.random(in: 0..<expected.count, using: &random) : expected.count
        let end = offset + piece.count
        if expected.count < end { expected += [UInt8](repeating: 0, count: end - expected.count) }
        expected.replaceSubrange(offset..<end, with: piece)
        try Self.append(piece, at: offset, to: writer)
        if Bool.random(using: &random) { try writer.mark(DiskMark(size: Int64(expected.count), frames: 1)) }
        #expect(writer.status.waitingBytes <= capacity)
      }
      try writer.synchronize()
      #expect(file.contents.confirmed == expected)
      #expect(writer.length == Int64(expected.count) && writer.status.waitingBytes == 0)
      #expect(writer.status.synchronizations == file.contents.synchronizations)
      #expect(file.contents.folders == 1, "the file's name is on the medium with its first bytes")
      try Self.append([1, 2, 3], at: expected.count, to: writer)
    }
    #expect(file.contents.bytes == expected + [1, 2, 3], "what waits at the end is written")
  }

  /// Marks that the disk is behind with share one synchronisation.
  @Test func whatWaitsTogetherIsSynchronisedTogether() throws {
    let gate = Gate(), file = MemoryFile(), confirmed = Mutex<[Int64]>([])
    let slow = FaultyFile(file) { call in
      if case .synchronize = call { gate.pass() }
      return .works
    }
    let writer = DiskWriter(slow, capacity: 1000, allowance: 1) { length in confirmed.withLock { $0.append(length) } }
    gate.close()
    for number in 0..<50 {
      try Self.append([UInt8(number)], at: number, to: writer)
      try writer.mark(DiskMark(size: Int64(number + 1), frames: Int64(number)))
      if number == 0 { gate.awaitSomebody() }
    }
    gate.open()
    try writer.synchronize()
    #expect(file.contents.synchronizations == 2)
    #expect(confirmed.withLock { $0 }.last == 50)
    #expect(writer.whole.size == 50 && writer.whole.frames == 49)
  }

  @Test func fullBufferHoldsUpAndSaysSo() throws {
    let gate = Gate(), file = MemoryFile()
    let stuck = FaultyFile(file) { _ in
      gate.pass()
      return .works
    }
    let writer = DiskWriter(stuck, capacity: 16, allowance: 0.01) { _ in }
    let before = MonotonicTime.now()
    gate.close()
    let appending = WorkThread(name: "append") {
      for number in 0..<64 {
        try? Self.append([UInt8(number)], at: number, to: writer)
        try? writer.mark(DiskMark(size: Int64(number + 1), frames: Int64(number + 1)))
      }
    }
    Self.until { writer.isHeldUp(since: .now()) }
    Self.until { writer.status.stalledSeconds > 0 }
    let stalled = writer.status
    #expect(stalled.waitingBytes == 16 && stalled.capacityBytes == 16 && stalled.stalledCall == .write)
    #expect(stalled.bytesWritten == 0 && file.contents.bytes == [])
    gate.open()
    appending.join()
    try writer.synchronize()
    #expect(file.contents.confirmed == (0..<64).map { UInt8($0) })
    #expect(writer.status.stalledSeconds == 0 && writer.status.stalledCall == nil)
    #expect(writer.isHeldUp(since: before) && !writer.isHeldUp(since: .now().advanced(by: 1_000_000_000)))
  }

  /// A thread that hangs in the kernel cannot be ended: whoever waits for it gives up, and leaves it behind.
  @Test func aDiskThatDoesNotAnswerIsLeftBehind() throws {
    let gate = Gate(), file = MemoryFile()
    let stuck = FaultyFile(file) { _ in
      gate.pass()
      return .works
    }
    gate.close()
    do {
      let writer = DiskWriter(stuck, capacity: 16, allowance: .infinity, patience: 0.05) { _ in }
      #expect(!writer.isStalled)
      #expect(([1, 2, 3] as [UInt8]).withUnsafeBytes { writer.offer($0.bytes, at: 0) })
      gate.awaitSomebody()
      let failure = #expect(throws: FileFailure.self) { try writer.synchronize() }
      #expect(failure?.number == ETIMEDOUT && writer.isStalled && writer.failure == nil)
    }
    #expect(file.contents.bytes == [])
    gate.open()
    Self.until { file.contents.confirmed.count == 3 }
  }

  /// What is held back is taken at once, and asks the disk for nothing.
  @Test func whatIsHeldBackWaitsForItsRelease() throws {
    let file = MemoryFile(), calls = Mutex(0)
    let counted = FaultyFile(file) { _ in
      calls.withLock { $0 += 1 }
      return .works
    }
    let writer = DiskWriter(counted, capacity: 16, allowance: .infinity, isHeldBack: true) { _ in }
    #expect(([7] as [UInt8]).withUnsafeBytes { writer.offer($0.bytes, at: 0) })
    #expect(calls.withLock { $0 } == 0 && writer.status.waitingBytes == 1)
    writer.release()
    try writer.synchronize()
    #expect(file.contents.confirmed == [7])
  }

  @Test func afterARefusedWriteTheFileIsWholeUpToItsLastMark() throws {
    let file = MemoryFile()
    let full = FaultyFile(file) { call in
      if case .write(let number, _, _) = call, number >= 3 { return .refused(ENOSPC) }
      return .works
    }
    let writer = DiskWriter(full, capacity: 100, allowance: 1) { _ in }
    var failure: FileFailure?
    for number in 0..<10 where failure == nil {
      do {
        try Self.append([1, 1, 1, 1, 1], at: 5 * number, to: writer)
        try writer.mark(DiskMark(size: Int64(5 * number + 5), frames: Int64(number + 1)))
        try writer.synchronize()
      } catch {
        failure = error as? FileFailure
      }
    }
    #expect(failure?.number == ENOSPC && writer.failure?.number == ENOSPC)
    #expect(writer.whole.size == 15 && writer.whole.frames == 3 && writer.length == 15)
    #expect(throws: FileFailure.self) { try Self.append([1], at: 15, to: writer) }
    #expect(throws: FileFailure.self) { try writer.mark(DiskMark(size: 16, frames: 4)) }
    #expect(writer.status.waitingBytes == 0)
    #expect(!([1] as [UInt8]).withUnsafeBytes { writer.offer($0.bytes, at: 15) })
  }

  /// What had been taken since the last confirmation may be lost, whatever the system says later.
  @Test func afterARefusedSynchronisationOnlyWhatIsConfirmedCounts() throws {
    let file = MemoryFile()
    let broken = FaultyFile(file) { $0 == .synchronize(2) ? .refused(EIO) : .works }
    let writer = DiskWriter(broken, capacity: 100, allowance: 1) { _ in }
    for number in 0..<3 {
      try Self.append([1, 2], at: 2 * number, to: writer)
      try writer.mark(DiskMark(size: Int64(2 * number + 2), frames: Int64(number + 1)))
      if number < 2 { try writer.synchronize() }
    }
    #expect(throws: FileFailure.self) { try writer.synchronize() }
    #expect(writer.failure?.losesWhatWasTaken == true)
    #expect(file.contents.bytes.count == 6 && writer.whole.size == 4 && writer.whole.frames == 2)
  }

  @Test func offerThatFindsNoRoomTakesNothing() throws {
    let gate = Gate(), file = MemoryFile()
    let stuck = FaultyFile(file) { _ in
      gate.pass()
      return .works
    }
    let writer = DiskWriter(stuck, capacity: 8, allowance: 1) { _ in }
    gate.close()
    let ten = [UInt8](0..<10)
    #expect(ten.withUnsafeBytes { !writer.offer($0.bytes, at: 0) })
    #expect(ten[..<6].withUnsafeBytes { writer.offer($0.bytes, at: 0) })
    #expect(ten[6...].withUnsafeBytes { !writer.offer($0.bytes, at: 6) })
    gate.open()
    try writer.synchronize()
    #expect(file.contents.confirmed == [0, 1, 2, 3, 4, 5])
    #expect(ten[6...].withUnsafeBytes { writer.offer($0.bytes, at: 6) })
    try writer.synchronize()
    #expect(file.contents.confirmed == ten)
  }
}

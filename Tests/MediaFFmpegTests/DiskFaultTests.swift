import Audio
import Foundation
import Frames
import MediaFFmpeg
import MovieBoxes
import MovieTestKit
import Movies
import Platform
import RecorderAPI
import Synchronization
import TestKit
import Testing

/// What a film is after the disk has failed at any of its calls.
struct DiskFaultTests {
  private static let frames = 72

  private struct Outcome {
    let path: String
    let report: MovieReport
    let failure: CamrecError?
    let calls: [FaultyFile.Call]
    /// All bytes that the disk took.
    let taken: [UInt8]
    let ticksPerFrame: Int64
  }

  /// A short film, its fragments on the disk before the next picture comes, so that the calls are the same each time.
  private static func record(
    _ directory: MovieDirectory, _ name: String, container: Container = .mov, isLive: Bool = true,
    encoding: VideoEncoding = VideoEncoding(), _ script: @escaping @Sendable (FaultyFile.Call) -> FaultyFile.Answer
  ) throws -> Outcome {
    var settings = MovieTake.settings(
      directory.path("\(name).\(container.rawValue)"), container: container, width: 96, height: 64, audio: .standard,
      encoding: encoding, isLive: isLive)
    settings.staysPlayable = !isLive
    let calls = Mutex<[FaultyFile.Call]>([])
    let collecting: @Sendable (FaultyFile.Call) -> FaultyFile.Answer = { call in
      calls.withLock { $0.append(call) }
      return script(call)
    }
    let disk = Mutex<FaultyFile?>(nil)
    let writer = try MovieWriter.open(settings) { file in
      disk.withLock { disk in
        let faulty = FaultyFile(file, collecting)
        disk = faulty
        return faulty
      }
    }
    let take = MovieTake(settings, frames: frames)
    var failure: CamrecError?
    var report: MovieReport?
    do {
      report = try take.record(to: writer) { _ in writer.settle() }
    } catch {
      failure = error as? CamrecError
    }
    return Outcome(
      path: settings.path, report: try report ?? writer.finish(at: take.endTime), failure: failure,
      calls: calls.withLock { $0 }, taken: disk.withLock { $0?.taken } ?? [], ticksPerFrame: MovieTake.ticks(settings))
  }

  /// Plays, as a player finds it, or was not kept.
  private static func check(_ outcome: Outcome, _ name: Comment) throws {
    guard outcome.report.frames > 0 else {
      #expect(!FileManager.default.fileExists(atPath: outcome.path), name)
      return
    }
    let times = try MovieProbe.decodedTimes(outcome.path), ticks = outcome.ticksPerFrame
    #expect(times.count == outcome.report.frames, name)
    // The times of a .mkv are milliseconds.
    let last = times.max() ?? 0
    let number = outcome.path.hasSuffix("mkv") ? Int64((Double(last) * 0.024).rounded()) : last / ticks
    #expect(outcome.report.end == (outcome.failure == nil ? nil : (number + 1) * ticks), name)
    let samples = try MovieProbe.samples(outcome.path).count / AudioFormat.standard.channels
    #expect(outcome.report.samples == Int64(samples), name)
    // Behind the last cluster of a .mkv there is an index, without which it plays.
    #expect(outcome.failure == nil || outcome.report.frames < frames || outcome.path.hasSuffix("mkv"), name)
  }

  /// A disk with room for `size` bytes of the file.
  private static func full(at size: Int64) -> @Sendable (FaultyFile.Call) -> FaultyFile.Answer {
    { call in
      guard case .write(_, let offset, let count) = call, offset + Int64(count) > size else { return .works }
      return offset < size ? .some(Int(size - offset)) : .refused(ENOSPC)
    }
  }

  /// The disk is full where one of the writes begins, or in its middle, in turn.
  @Test(arguments: [Container.mov, .mkv])
  func everyWriteMayFindTheDiskFull(container: Container) throws {
    let directory = try MovieDirectory()
    let whole = try Self.record(directory, "whole", container: container) { _ in .works }
    #expect(whole.failure == nil && whole.report.frames == Self.frames)
    let places = whole.calls.compactMap { call -> Int64? in
      guard case .write(let number, let offset, let count) = call else { return nil }
      return number % 2 == 0 ? offset : offset + Int64(count) / 2
    }
    var kept: [Int64] = []
    for size in Set(places).sorted() {
      let outcome = try Self.record(directory, "full-\(size)", container: container, Self.full(at: size))
      try Self.check(outcome, "the disk is full at byte \(size)")
      kept.append(outcome.report.frames)
      guard let failure = outcome.failure else {
        // Only the index did not fit.
        #expect(outcome.report.frames == Self.frames && outcome.report.warnings.count == 1)
        continue
      }
      #expect(failure.code == .output && failure.message.hasPrefix("the disk of '\(outcome.path)' is full. "))
      let frames = outcome.report.frames
      #expect(failure.message.contains(
        frames == 0
          ? ". No part of the film plays, so it is not kept; "
          : ". The film plays, with \(frames) frame\(frames == 1 ? "" : "s") ("))
      let warning = "'\(outcome.path)' ends early, after \(frames) frame\(frames == 1 ? "" : "s"); it plays"
      #expect(frames == 0 || outcome.report.warnings.contains(warning), "\(outcome.report.warnings)")
      let isRecoverable = failure.message.hasSuffix("; make room, then run camrec recover \(outcome.path)")
      #expect(isRecoverable == (frames > 0 && container == .mov), "\(failure.message)")
      guard container == .mov && frames > 0 else { continue }
      // What was whole is kept, to the last fragment. One that ends exactly where the disk is full may not have been
      // confirmed before the next was refused, nor one that a disk behind its film got in the same write as the next.
      let writes = outcome.calls.compactMap { if case .write(_, let offset, _) = $0 { offset } else { nil as Int64? } }
      let refused = try #require(writes.last), whole = Self.wholeEnd(outcome.taken)
      #expect(outcome.taken.count == size)
      #expect(
        outcome.report.bytes == whole || (size == whole || refused < whole) && outcome.report.bytes < whole,
        "the disk was full at byte \(size); refused at \(refused), \(outcome.report.bytes) of \(whole)")
    }
    #expect(kept == kept.sorted() && kept.first == 0 && Set(kept).count > 10, "\(kept)")
  }

  /// Where the last whole fragment ends.
  private static func wholeEnd(_ bytes: [UInt8]) -> Int64 {
    var scanner = FragmentScanner()
    scanner.advance(to: UInt64(bytes.count)) { (offset, count) in
      Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
    return Int64(scanner.wholeEnd)
  }

  /// A disk that is full among B-frames leaves the frame that is shown last, and not all of those before it.
  @Test func aFilmCutAmongBFrames_endsBehindTheFrameShownLast() throws {
    let directory = try MovieDirectory(), encoding = VideoEncoding(preset: "medium")
    let whole = try Self.record(directory, "whole", encoding: encoding) { _ in .works }
    let places = whole.calls.compactMap { if case .write(_, let offset, _) = $0 { offset } else { nil as Int64? } }
    var isCutAmongThem = false
    for size in Set(places).sorted() {
      let outcome = try Self.record(directory, "full-\(size)", encoding: encoding, Self.full(at: size))
      try Self.check(outcome, "the disk is full at byte \(size)")
      if let end = outcome.report.end, end > outcome.report.frames * outcome.ticksPerFrame { isCutAmongThem = true }
    }
    #expect(isCutAmongThem)
  }

  /// A bake is written straight to the system, in longer fragments.
  @Test func aBakeThatStaysPlayableKeepsItsFragments() throws {
    let directory = try MovieDirectory()
    let whole = try Self.record(directory, "whole", isLive: false) { _ in .works }
    #expect(whole.failure == nil && whole.report.frames == Self.frames && whole.report.warnings == [])
    #expect(try FilmBoxes(whole.path).topLevel == ["ftyp", "mdat", "moov"])
    let places = whole.calls.compactMap { call -> Int64? in
      if case .write(_, let offset, let count) = call { offset + Int64(count) / 2 } else { nil }
    }
    var kept: [Int64] = []
    for size in Set(places).sorted() {
      let outcome = try Self.record(directory, "full-\(size)", isLive: false, Self.full(at: size))
      try Self.check(outcome, "the disk is full at byte \(size)")
      kept.append(outcome.report.frames)
    }
    #expect(kept == kept.sorted() && kept.first == 0 && kept.last == Int64(Self.frames), "\(kept)")
    #expect(kept.contains { (1..<Int64(Self.frames)).contains($0) }, "\(kept)")
  }

  /// Bytes that the kernel has taken are given up when it cannot write them, and it says so once.
  @Test func everySynchronisationMayFail() throws {
    let directory = try MovieDirectory()
    var kept: [Int64] = []
    for fault in 0... {
      // Two marks that come at once may share one: at the end there may be one less than in another take.
      var hit: Outcome?
      for attempt in 0..<10 where hit == nil {
        let outcome = try Self.record(directory, "broken-\(fault)-\(attempt)") {
          $0 == .synchronize(fault) ? .refused(EIO) : .works
        }
        if outcome.calls.contains(.synchronize(fault)) { hit = outcome }
      }
      guard let outcome = hit else { break }
      try Self.check(outcome, "synchronisation \(fault) fails")
      kept.append(outcome.report.frames)
      guard let failure = outcome.failure else {
        #expect(outcome.report.frames == Self.frames && outcome.report.warnings.count == 1)
        continue
      }
      #expect(failure.code == .output && failure.cause == "fdatasync: Input/output error")
      #expect(
        failure.message.hasPrefix("the disk of '\(outcome.path)' does not confirm what was written. "))
      #expect(
        outcome.report.frames == 0 || outcome.calls.last != .synchronize(fault),
        "what is kept is synchronised once more")
    }
    #expect(kept.count > 10 && kept.first == 0 && kept.contains(Int64(Self.frames)), "\(kept)")
  }

  @Test func brokenDiskIsToldInItsOwnWords() throws {
    let directory = try MovieDirectory()
    let outcome = try Self.record(directory, "broken") { call in
      if case .write(let number, _, _) = call, number >= 8 { return .refused(EIO) }
      return .works
    }
    try Self.check(outcome, "a broken disk")
    let failure = try #require(outcome.failure)
    #expect(failure.message.hasPrefix("cannot continue writing '\(outcome.path)'. The film plays, with "))
    #expect(failure.cause == "pwrite: Input/output error")
  }

  /// A write fails where fragments in front of it are written and not confirmed: they count as kept only once they are.
  @Test func whatIsNeverConfirmedIsNotToldToBeKept() throws {
    let directory = try MovieDirectory()
    func record(_ name: String, isConfirmedLater: Bool) throws -> MovieReport {
      let settings = MovieTake.settings(directory.path("\(name).mov"), width: 96, height: 64, audio: .standard)
      let gate = Gate(), lateWrites = Mutex<Int?>(nil)
      let writer = try MovieWriter.open(settings) {
        FaultyFile($0) { call in
          if case .write = call { gate.pass() }
          guard let late = lateWrites.withLock({ $0 }) else { return .works }
          guard case .write(_, _, let count) = call else {
            return late < 3 || isConfirmedLater ? .works : .refused(EIO)
          }
          lateWrites.withLock { $0 = late + 1 }
          // The one that waited, then some of all the others in one piece.
          return late == 0 ? .works : late == 1 ? .some(count * 2 / 3) : .refused(EIO)
        }
      }
      let take = MovieTake(settings, frames: Self.frames)
      var isWaited = false
      let failure = #expect(throws: CamrecError.self) {
        try take.record(to: writer) { number in
          if number <= Self.frames / 2 { writer.settle() }
          if number == Self.frames / 2 { gate.close() }
          // The first bytes behind it wait alone, however late their thread is; all others come behind them.
          if number > Self.frames / 2, !isWaited, writer.disk.waitingBytes > 0 {
            gate.awaitSomebody()
            isWaited = true
          }
          if number == Self.frames - 1 {
            #expect(isWaited)
            lateWrites.withLock { $0 = 0 }
            gate.open()
          }
        }
      }
      let report = try writer.finish(at: take.endTime)
      #expect(
        failure?.message.contains(". The film plays, with \(report.frames) frames (") == true,
        "\(failure?.message ?? "")")
      #expect(try MovieProbe.decodedTimes(settings.path).count == report.frames)
      return report
    }
    let kept = try record("kept", isConfirmedLater: true), lost = try record("lost", isConfirmedLater: false)
    #expect(lost.frames > Self.frames / 3 && kept.frames > lost.frames && kept.bytes > lost.bytes)
  }

  /// Straight to the system, or through the buffer and its thread: the same calls of the muxer, the same bytes.
  @Test(arguments: [Container.mov, .mkv], [700, 5000, 1 << 22])
  func bufferChangesNoByte(container: Container, room: Int) throws {
    let directory = try MovieDirectory()
    func film(_ name: String, _ room: Int) throws -> (path: String, bytes: Data) {
      let settings = MovieTake.settings(
        directory.path("\(name).\(container.rawValue)"), container: container, width: 96, height: 64, audio: .standard)
      let writer = try MovieWriter.open(settings, room: DiskRoom(bytes: room, seconds: 1)) { $0 }
      let report = try MovieTake(settings, frames: 48).record(to: writer)
      #expect(report.warnings == [] && report.frames == 48)
      #expect(writer.disk.bytesSynchronized == writer.disk.bytesWritten && writer.disk.capacityBytes == room)
      return (settings.path, try Data(contentsOf: URL(fileURLWithPath: settings.path)))
    }
    let small = try film("small", room), large = try film("large", 1 << 24)
    #expect(small.bytes.count == large.bytes.count)
    // A .mkv has random numbers in it that name it.
    if container == .mov { #expect(small.bytes == large.bytes) }
    #expect(try MovieProbe.packets(small.path) == MovieProbe.packets(large.path))
    #expect(try MovieProbe.samples(small.path) == MovieProbe.samples(large.path))
  }

  /// From its first byte on, or in the middle: what waits is bounded, whoever asks is told, and nothing that waited is
  /// lost.
  @Test(arguments: [0, 9])
  func stalledDiskHoldsUpAndLosesNothing(write: Int) throws {
    let directory = try MovieDirectory(), gate = Gate()
    let settings = MovieTake.settings(directory.path("take.mov"), width: 96, height: 64, audio: .standard)
    let room = 20_000
    let writer = try MovieWriter.open(settings, room: DiskRoom(bytes: room, seconds: 1)) {
      FaultyFile($0) { call in
        if case .write(write, _, _) = call { gate.pass() }
        return .works
      }
    }
    gate.close()
    let report = Mutex<MovieReport?>(nil)
    let recording = WorkThread(name: "record") {
      let result = try? MovieTake(settings, frames: Self.frames).record(to: writer)
      report.withLock { $0 = result }
    }
    gate.awaitSomebody()
    while writer.disk.stalledSeconds == 0 || !writer.isHeldUp(since: .now()) {
      #expect(writer.disk.waitingBytes <= room)
      WorkThread.sleep(.milliseconds(5))
    }
    #expect(writer.disk.stalledCall == .write && writer.disk.waitingBytes > room / 2)
    gate.open()
    recording.join()
    let result = try #require(report.withLock { $0 })
    #expect(result.frames == Self.frames && result.warnings == [])
    #expect(try MovieProbe.decodedTimes(settings.path).count == Self.frames)
    #expect(writer.disk.stalledSeconds == 0)
  }

  @Test func filesAreForOwnerAndGroup() throws {
    let directory = try MovieDirectory()
    let path = directory.path("take.mov")
    _ = try FileCreationMask.with(0) {
      try MovieTake(MovieTake.settings(path, width: 96, height: 64), frames: 3).record()
    }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }
}

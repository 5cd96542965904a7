import Foundation
import Frames
import Platform
import RecorderAPI

/// What a `DiskWriter` and its thread share.
///
/// `@unchecked Sendable`: every `var` is touched only while `condition` is locked; no call of the system is made then.
final class DiskLane: @unchecked Sendable {
  /// A place where the file is whole.
  private struct Mark {
    /// Bytes appended until then.
    var position: Int64
    var place: DiskMark
    var time: MonotonicTime
  }

  private let port: any FilePort
  private let memory: DiskMemory
  private let allowance: Double
  private let isConfirmed: @Sendable (Int64) -> Void
  private let look: @Sendable () -> Void
  private let condition = MonotonicCondition()

  private var buffer: DiskBuffer
  /// Marks whose bytes wait, and those whose bytes are not confirmed.
  private var unwritten: FixedRing<Mark>
  private var unconfirmed: FixedRing<Mark>
  private var written: Mark
  private var confirmed: Mark
  /// Bytes since the beginning: appended, written, to be confirmed, confirmed.
  private var appendedBytes: Int64 = 0
  private var writtenBytes: Int64 = 0
  private var requestedBytes: Int64 = 0
  private var confirmedBytes: Int64 = 0
  private var highest: Int64 = 0
  private var problem: FileFailure?
  private var hasEnded = false
  /// Nothing is asked of the disk before somebody has said so.
  private var isHeldBack: Bool
  /// Since when the disk's thread waits for what it has asked.
  private var asked: MonotonicTime?
  private var totals = DiskStatus()
  private var call: (kind: DiskStatus.Call, begin: MonotonicTime)?
  /// Somebody waits for room, or did until then.
  private var isWaiting = false
  private var waitedUntil: MonotonicTime?

  /// Bytes of one call, so that what the disk has taken is known while it takes more.
  private static let longestWrite = 1 << 20
  /// Marks that may wait: three minutes of fragments, which small films reach before their bytes fill the buffer.
  private static let mostMarks = 1024

  /// Nanoseconds from one look at the file's name to the next.
  private static let lookInterval: Int64 = 1_000_000_000

  init(
    _ port: any FilePort, capacity: Int, allowance: Double, isHeldBack: Bool,
    isConfirmed: @escaping @Sendable (Int64) -> Void, look: @escaping @Sendable () -> Void
  ) {
    self.isHeldBack = isHeldBack
    self.look = look
    self.port = port
    self.allowance = allowance
    self.isConfirmed = isConfirmed
    memory = DiskMemory(capacity: capacity)
    buffer = DiskBuffer(capacity: capacity)
    unwritten = FixedRing(capacity: DiskLane.mostMarks)
    unconfirmed = FixedRing(capacity: DiskLane.mostMarks)
    let beginning = Mark(position: 0, place: DiskMark(), time: .now())
    (written, confirmed) = (beginning, beginning)
    totals.capacityBytes = capacity
  }

  // MARK: Who appends

  func append(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) {
    condition.lock()
    defer { condition.unlock() }
    var done = 0
    while done < bytes.byteCount {
      if let problem { throw problem }
      let taken = buffer.append(bytes.extracting(done..<bytes.byteCount), at: offset + Int64(done), in: memory)
      if taken == 0 { waitForRoom() }
      done += taken
      appendedBytes += Int64(taken)
      condition.broadcast()
    }
  }

  func offer(_ bytes: RawSpan, at offset: Int64) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard problem == nil, buffer.capacity - buffer.count >= bytes.byteCount else { return false }
    guard buffer.append(bytes, at: offset, in: memory) == bytes.byteCount else { return false }
    appendedBytes += Int64(bytes.byteCount)
    requestedBytes = appendedBytes
    condition.broadcast()
    return true
  }

  func mark(_ place: DiskMark) throws(FileFailure) {
    condition.lock()
    defer { condition.unlock() }
    while problem == nil, unwritten.count + unconfirmed.count >= DiskLane.mostMarks { waitForRoom() }
    if let problem { throw problem }
    unwritten.append(Mark(position: appendedBytes, place: place, time: .now()))
    requestedBytes = appendedBytes
    passMarks()
    condition.broadcast()
  }

  func synchronize(patience: Double) throws(FileFailure) {
    condition.lock()
    defer { condition.unlock() }
    requestedBytes = appendedBytes
    condition.broadcast()
    while problem == nil, confirmedBytes < requestedBytes {
      if isStalled(for: patience) { throw FileFailure(FileFailure.synchronization, ETIMEDOUT) }
      if patience == .infinity {
        condition.wait()
      } else {
        // A call that hangs wakes nobody.
        condition.unlock()
        WorkThread.sleep(.milliseconds(20))
        condition.lock()
      }
    }
    if let problem { throw problem }
  }

  func release() {
    condition.lock()
    isHeldBack = false
    condition.broadcast()
    condition.unlock()
  }

  func end() {
    condition.lock()
    hasEnded = true
    isHeldBack = false
    condition.broadcast()
    condition.unlock()
  }

  /// Whether the disk's thread has waited for so many seconds for one call.
  func isStalled(since seconds: Double) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    return isStalled(for: seconds)
  }

  private func isStalled(for seconds: Double) -> Bool {
    asked.map { Double(MonotonicTime.now() - $0) * 1e-9 >= seconds } ?? false
  }

  func truncated(to size: Int64) {
    condition.lock()
    highest = size
    condition.unlock()
  }

  private func waitForRoom() {
    isWaiting = true
    condition.wait()
    isWaiting = false
    waitedUntil = .now()
  }

  // MARK: Who asks

  var whole: DiskMark {
    condition.lock()
    defer { condition.unlock() }
    return problem?.losesWhatWasTaken == true ? confirmed.place : written.place
  }

  var confirmedMark: DiskMark {
    condition.lock()
    defer { condition.unlock() }
    return confirmed.place
  }

  var failure: FileFailure? {
    condition.lock()
    defer { condition.unlock() }
    return problem
  }

  var length: Int64 {
    condition.lock()
    defer { condition.unlock() }
    return highest
  }

  func isHeldUp(since instant: MonotonicTime) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    return isWaiting || waitedUntil.map { $0 >= instant } ?? false
  }

  var status: DiskStatus {
    condition.lock()
    defer { condition.unlock() }
    var status = totals
    status.bytesWritten = writtenBytes
    status.bytesSynchronized = confirmedBytes
    status.waitingBytes = buffer.count
    status.stalledCall = call?.kind
    let now = MonotonicTime.now()
    let oldest = unconfirmed.withFirst { $0.time } ?? unwritten.withFirst { $0.time }
    let behind = [oldest, call?.begin].compactMap { $0.map { Double(now - $0) * 1e-9 } }.max() ?? 0
    // After a failure nothing is waited for.
    status.stalledSeconds = problem == nil && behind > allowance ? behind : 0
    return status
  }

  // MARK: The disk's thread

  /// Up to a place that was asked for: writes, then has it confirmed; what was asked for meanwhile shares the next
  /// turn.
  func run() {
    var turn: Int64?
    var nextLook = MonotonicTime.now().advanced(by: DiskLane.lookInterval)
    while true {
      let now = MonotonicTime.now()
      if now >= nextLook {
        nextLook = now.advanced(by: DiskLane.lookInterval)
        asks(true)
        look()
        asks(false)
      }
      condition.lock()
      if !hasWork, !hasEnded {
        guard condition.wait(until: nextLook), hasWork || hasEnded else {
          condition.unlock()
          continue
        }
      }
      guard hasWork else {
        condition.unlock()
        return
      }
      if turn == nil, requestedBytes > confirmedBytes { turn = requestedBytes }
      let rest = turn.map { $0 - writtenBytes } ?? .max
      let piece = rest > 0 ? buffer.first(Int(min(rest, Int64(DiskLane.longestWrite)))) : nil
      call = (piece == nil ? .synchronize : .write, .now())
      asked = .now()
      condition.unlock()
      if let piece {
        write(piece)
      } else if let goal = turn {
        confirm(goal)
        turn = nil
      }
      asks(false)
    }
  }

  private func asks(_ isAsked: Bool) {
    condition.lock()
    asked = isAsked ? .now() : nil
    condition.unlock()
  }

  private var hasWork: Bool {
    problem == nil && !isHeldBack && (buffer.count > 0 || requestedBytes > confirmedBytes)
  }

  private func write(_ piece: DiskBuffer.Piece) {
    do throws(FileFailure) {
      let count = try memory.withBytes(piece.memory) { (bytes) throws(FileFailure) in
        try port.write(bytes, at: piece.offset)
      }
      guard count > 0 else { throw FileFailure("pwrite", ENOSPC) }
      condition.lock()
      buffer.removeFirst(count)
      writtenBytes += Int64(count)
      highest = max(highest, piece.offset + Int64(count))
      passMarks()
      if !hasWork { call = nil }
      condition.broadcast()
      condition.unlock()
    } catch {
      fail(error)
    }
  }

  private func confirm(_ goal: Int64) {
    let begin = MonotonicTime.now()
    do throws(FileFailure) { try port.synchronize() } catch { return fail(error) }
    let seconds = Double(MonotonicTime.now() - begin) * 1e-9
    // A file whose name is not on the medium is lost with all that is in it. Some file systems have no such call, and
    // one that is broken fails the next synchronisation, too.
    if isFirst { try? port.synchronizeFolder() }
    isConfirmed(length)
    condition.lock()
    totals.synchronizations += 1
    totals.synchronizationTimes.add(seconds)
    totals.longestSynchronization = max(totals.longestSynchronization, seconds)
    confirmedBytes = goal
    while let mark = unconfirmed.withFirst({ $0 }), mark.position <= goal {
      confirmed = mark
      _ = unconfirmed.popFirst()
    }
    call = nil
    condition.broadcast()
    condition.unlock()
  }

  private var isFirst: Bool {
    condition.lock()
    defer { condition.unlock() }
    return totals.synchronizations == 0
  }

  /// Marks whose bytes are written.
  private func passMarks() {
    while let mark = unwritten.withFirst({ $0 }), mark.position <= writtenBytes {
      written = mark
      _ = unwritten.popFirst()
      unconfirmed.append(mark)
    }
  }

  private func fail(_ failure: FileFailure) {
    condition.lock()
    problem = failure
    buffer.removeAll()
    call = nil
    condition.broadcast()
    condition.unlock()
  }
}

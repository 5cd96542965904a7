import Foundation
import Frames
import Kernels

/// Threads that share the rows of one frame at a time: made once, asleep between frames.
///
/// A frame is cut into strips of whole chroma blocks; whoever is free takes the next one. Strips do not overlap and a
/// strip's bits do not depend on who bakes it, so the result is the same for any number of threads.
///
/// Completion counts strips, not threads: a worker that the scheduler has not woken yet holds nobody up.
///
/// `@unchecked Sendable`: every stored `var` is touched only while `condition` is locked.
final class StripCrew: @unchecked Sendable {
  private let kernel: BakeKernel
  private let stripRows: Int
  private let condition = NSCondition()
  private let finished = MonotonicSemaphore()
  private var source: FrameStorage?
  private var target: FrameStorage?
  private var sourceFormat: FrameFormat
  private var targetFormat: FrameFormat
  /// Rows handed out and rows done, of the frame at hand.
  private var nextRow: Int
  private var rowsDone: Int
  private var callerWaits = false
  private var isClosed = false
  /// Threads that take strips, the caller of `bake` among them.
  private var active: Int
  private let height: Int

  private struct Strip {
    let rows: Range<Int>
    let source: FrameStorage
    let sourceFormat: FrameFormat
    let target: FrameStorage
    let targetFormat: FrameFormat
  }

  /// - Parameter workers: threads that share a frame, the caller of `bake` among them.
  init(kernel: BakeKernel, input: FrameFormat, output: FrameFormat, workers: Int) {
    self.kernel = kernel
    active = workers
    height = input.height
    sourceFormat = input
    targetFormat = output
    nextRow = input.height
    rowsDone = input.height
    // Some strips for each thread, so that one that is held up leaves its share to the others.
    let share = workers == 1 ? height : max(16, height / (workers * 6))
    stripRows = (share + 1) & ~1
  }

  /// Bakes `source` into `target`, which the caller holds meanwhile. One caller at a time; allocates nothing.
  func bake(
    _ source: FrameStorage, _ sourceFormat: FrameFormat, into target: FrameStorage, _ targetFormat: FrameFormat
  ) {
    condition.lock()
    self.source = source
    self.target = target
    self.sourceFormat = sourceFormat
    self.targetFormat = targetFormat
    nextRow = 0
    rowsDone = 0
    if stripRows < height { condition.broadcast() }
    condition.unlock()

    while let strip = takeStrip(waits: false) { bakeStrip(strip) }

    condition.lock()
    let others = rowsDone < height
    callerWaits = others
    self.source = nil
    self.target = nil
    condition.unlock()
    if others { finished.wait() }
  }

  /// What worker `index`, from 1, does until the crew is closed.
  func work(_ index: Int) {
    while let strip = takeStrip(waits: true, index) { bakeStrip(strip) }
  }

  /// So many threads take strips from now on; a strip that another one has in hand, it finishes.
  func limit(to workers: Int) {
    condition.lock()
    let wakes = workers > active
    active = workers
    if wakes { condition.broadcast() }
    condition.unlock()
  }

  /// Ends the workers. The frame at hand is finished first.
  func close() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    condition.unlock()
  }

  /// - Parameters:
  ///   - waits: for the next frame when this one has no strip left, and for its turn.
  ///   - index: of who asks.
  private func takeStrip(waits: Bool, _ index: Int = 0) -> Strip? {
    condition.lock()
    defer { condition.unlock() }
    while waits, nextRow >= height || index >= active, !isClosed { condition.wait() }
    guard nextRow < height, let source, let target else { return nil }
    let end = min(nextRow + stripRows, height)
    defer { nextRow = end }
    return Strip(
      rows: nextRow..<end, source: source, sourceFormat: sourceFormat, target: target, targetFormat: targetFormat)
  }

  private func bakeStrip(_ strip: Strip) {
    kernel.bake(rows: strip.rows, of: strip.source, strip.sourceFormat, into: strip.target, strip.targetFormat)
    condition.lock()
    rowsDone += strip.rows.count
    let wakesCaller = rowsDone == height && callerWaits
    if wakesCaller { callerWaits = false }
    condition.unlock()
    if wakesCaller { finished.signal() }
  }
}

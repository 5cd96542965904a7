import Foundation
import Frames
import Kernels

/// Threads that share the rows of one frame at a time: started once, asleep between frames.
///
/// A frame is cut into strips of whole chroma blocks, and a free thread takes the next one. Strips do not overlap, and
/// a strip's bits do not depend on the thread, so the result is the same for any number of threads.
///
/// Completion counts strips, not threads: a worker that the scheduler has not woken yet delays nobody.
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
  /// Rows assigned and rows finished, of the current frame.
  private var nextRow: Int
  private var rowsDone: Int
  private var callerWaits = false
  private var isClosed = false
  /// Threads that take strips, including the caller of `bake`.
  private var active: Int
  private let height: Int

  private struct Strip {
    let rows: Range<Int>
    let source: FrameStorage
    let sourceFormat: FrameFormat
    let target: FrameStorage
    let targetFormat: FrameFormat
  }

  /// - Parameter workers: threads that share a frame, including the caller of `bake`.
  init(kernel: BakeKernel, input: FrameFormat, output: FrameFormat, workers: Int) {
    self.kernel = kernel
    active = workers
    height = input.height
    sourceFormat = input
    targetFormat = output
    nextRow = input.height
    rowsDone = input.height
    // Several strips per thread, so that the others can take over the share of a delayed one.
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

  /// The work of worker `index`, from 1, until the crew is closed.
  func work(_ index: Int) {
    while let strip = takeStrip(waits: true, index) { bakeStrip(strip) }
  }

  /// From now on, this many threads take strips. Other threads finish their current strip.
  func limit(to workers: Int) {
    condition.lock()
    let wakes = workers > active
    active = workers
    if wakes { condition.broadcast() }
    condition.unlock()
  }

  /// Ends the workers after the current frame.
  func close() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    condition.unlock()
  }

  /// - Parameters:
  ///   - waits: whether to wait for the next frame if this one has no strips left, and while the thread is not active.
  ///   - index: of the asking thread.
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

import Foundation
import Frames
import Kernels
import Platform

/// Threads that share the rows of one frame at a time, to bake them and to add grain. They are started once, and sleep
/// between frames.
///
/// A frame is cut into strips of whole chroma blocks, and a free thread takes the next one. Strips do not overlap, and
/// a strip's bits do not depend on the thread, so the result is the same for any number of threads.
///
/// Completion counts strips, not threads: a worker that the scheduler has not woken yet delays nobody.
///
/// `@unchecked Sendable`: every stored `var` is touched only while `condition` is locked.
final class StripCrew: @unchecked Sendable {
  private let kernel: BakeKernel
  private let grain: GrainKernel?
  private let stripRows: Int
  private let condition = NSCondition()
  private let finished = MonotonicSemaphore()
  private var source: FrameStorage?
  private var target: FrameStorage?
  private var sourceFormat: FrameFormat
  private var targetFormat: FrameFormat
  private var number: Int64 = 0
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
    /// `nil`: the target is baked already, and only its grain is missing.
    let source: FrameStorage?
    let sourceFormat: FrameFormat
    let target: FrameStorage
    let targetFormat: FrameFormat
    let number: Int64
  }

  /// - Parameter workers: threads that share a frame, including the caller of `bake`.
  init(kernel: BakeKernel, grain: GrainKernel?, input: FrameFormat, output: FrameFormat, workers: Int) {
    self.kernel = kernel
    self.grain = grain
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

  /// Bakes `source` into `target`, with the grain of frame `number`. The caller holds both meanwhile. One caller at a
  /// time; allocates nothing.
  func bake(
    _ source: FrameStorage, _ sourceFormat: FrameFormat, into target: FrameStorage, _ targetFormat: FrameFormat,
    number: Int64
  ) {
    share((source, sourceFormat), target, targetFormat, number)
  }

  /// Adds the grain of frame `number` to a frame that is baked already, if the crew has grain to add. As `bake`.
  func addGrain(to target: FrameStorage, _ targetFormat: FrameFormat, number: Int64) {
    if grain != nil { share(nil, target, targetFormat, number) }
  }

  private func share(
    _ source: (storage: FrameStorage, format: FrameFormat)?, _ target: FrameStorage, _ targetFormat: FrameFormat,
    _ number: Int64
  ) {
    condition.lock()
    self.source = source?.storage
    if let source { sourceFormat = source.format }
    self.target = target
    self.targetFormat = targetFormat
    self.number = number
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
    guard nextRow < height, let target else { return nil }
    let end = min(nextRow + stripRows, height)
    defer { nextRow = end }
    return Strip(
      rows: nextRow..<end, source: source, sourceFormat: sourceFormat, target: target, targetFormat: targetFormat,
      number: number)
  }

  private func bakeStrip(_ strip: Strip) {
    if let source = strip.source {
      kernel.bake(rows: strip.rows, of: source, strip.sourceFormat, into: strip.target, strip.targetFormat)
    }
    grain?.add(rows: strip.rows, of: strip.target, strip.targetFormat, number: strip.number)
    condition.lock()
    rowsDone += strip.rows.count
    let wakesCaller = rowsDone == height && callerWaits
    if wakesCaller { callerWaits = false }
    condition.unlock()
    if wakesCaller { finished.signal() }
  }
}

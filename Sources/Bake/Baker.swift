public import Color
public import Frames
import Kernels

/// Bakes frames: YCbCr → R'G'B' → LUT → R'G'B' → YCbCr, or only the change of layout, range and matrix without a LUT.
///
/// What changes nothing but the description may pass the frame itself through. Without a LUT and with the same matrix,
/// codes are rescaled one by one, exactly; R'G'B' comes in only with a LUT or another matrix.
///
/// Thread: `bake` on one thread at a time; it spreads a frame over its workers and returns when all have finished.
public final class Baker: Sendable {
  /// What `bake` returns. Where frames pass through, they keep the strides that they came with.
  public let outputFormat: FrameFormat

  private let pool: FramePool?
  private let crew: StripCrew?
  private let threads: [WorkThread]

  /// - Parameters:
  ///   - dither: how codes of fewer bits than the input's are rounded.
  ///   - workers: threads that share a frame, at least 1; the result has the same bits for any number.
  ///   - frames: output frames that may be out at once.
  ///   - passesThrough: false copies also what would not change: for who keeps frames longer than their source can
  ///     spare them.
  /// - Throws: code `usage` for an instruction set in `CAMREC_CPU` that is not there, code `input` for a table that cannot be applied to within one code.
  public init(
    input: FrameFormat, outputLayout: PixelLayout, outputColor: ColorDescription, lut: LookupTable?,
    interpolation: Interpolation, dither: Dither = .none, workers: Int, frames: Int, passesThrough: Bool = true
  ) throws(CamrecError) {
    precondition(workers >= 1, "at least one thread bakes")
    let level = try KernelLevel.chosen()
    let keepsCodes = input.layout == outputLayout && input.color.matrix == outputColor.matrix
      && input.color.range == outputColor.range
    if passesThrough && lut == nil && keepsCodes {
      var format = input
      format.color = outputColor
      outputFormat = format
      pool = nil
      crew = nil
      threads = []
      return
    }
    let output = FrameFormat(width: input.width, height: input.height, layout: outputLayout, color: outputColor)
    let kernel = try BakeKernel(
      input: input, output: output, lut: lut, interpolation: interpolation, dither: dither, level: level)
    let crew = StripCrew(kernel: kernel, input: input, output: output, workers: workers)
    outputFormat = output
    pool = FramePool(format: output, capacity: frames)
    self.crew = crew
    threads = (1..<workers).map { index in WorkThread(name: "camrec-bake-\(index)") { crew.work() } }
  }

  deinit {
    crew?.close()
    for thread in threads { thread.join() }
  }

  /// Returns a baked frame; `frame` goes back to its owner. Allocates nothing.
  ///
  /// - Precondition: `frame` has the size and layout that the baker was made for.
  /// - Throws: code `defect` when more frames are out than `frames` said.
  public func bake(_ frame: consuming Frame) throws(CamrecError) -> Frame {
    guard let pool, let crew else {
      frame.describe(as: outputFormat.color)
      return frame
    }
    guard let baked = pool.take() else {
      throw CamrecError(.defect, "all \(pool.capacity) frames of the bake are out; whoever holds them keeps too many")
    }
    crew.bake(frame.storage, frame.format, into: baked.storage, baked.format)
    return baked
  }
}

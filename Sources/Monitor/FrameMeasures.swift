public import Frames
public import Kernels

/// Measures frames of one format at their full resolution, however small the pictures are that are made of them.
///
/// Only the initializer and the first histogram allocate, unless the caller keeps one until the next.
///
/// Thread: one at a time.
///
/// `@unchecked Sendable`: one thread at a time uses it (above).
public final class FrameMeasures: @unchecked Sendable {
  /// How many pixels have each code, 2ⁿ numbers for the n bits of a code. Luma is the frame's own; red, green and blue
  /// are R'G'B' in full range, by the frame's matrix.
  public typealias Histogram = HistogramKernel.Counts

  /// The frames' format.
  public let source: FrameFormat
  private let kernel: HistogramKernel
  private var counts = Histogram()

  /// - Parameters:
  ///   - source: the frames' format; strides do not matter.
  ///   - level: a supported instruction set; `nil` for `KernelLevel.chosen()`. The counts do not depend on it.
  /// - Throws: code `usage` for a level that `KernelLevel.chosen` refuses.
  public init(_ source: FrameFormat, level: KernelLevel? = nil) throws(CamrecError) {
    self.source = source
    kernel = try HistogramKernel(source, .lumaAndRGB, level: level)
  }

  /// - Precondition: the frame has the size and layout of `source`.
  public func histogram(of frame: borrowing Frame) -> Histogram {
    kernel.count(frame, into: &counts)
    return counts
  }
}

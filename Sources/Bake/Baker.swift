// Replaced by the bake.
public import Color
public import Frames

/// Bakes frames: YCbCr → R'G'B' → LUT → R'G'B' → YCbCr, or only the change of layout, range and matrix without a LUT.
///
/// Thread: `bake` on one thread at a time; it spreads a frame over its workers and returns when all have finished.
public final class Baker: Sendable {
  public let outputFormat: FrameFormat

  /// - Parameters:
  ///   - workers: threads that share a frame, at least 1; the result has the same bits for any number.
  ///   - frames: output frames that may be out at once.
  /// - Throws: code `usage` for a pair of formats that the bake does not have.
  public init(
    input: FrameFormat, outputLayout: PixelLayout, outputColor: ColorDescription, lut: LookupTable?,
    interpolation: Interpolation, workers: Int, frames: Int
  ) throws(CamrecError) {
    throw CamrecError(.defect, "no bake")
  }

  /// Returns a baked frame; `frame` goes back to its owner. Allocates nothing.
  ///
  /// - Throws: code `defect` when more frames are out than `frames` said.
  public func bake(_ frame: consuming Frame) throws(CamrecError) -> Frame {
    throw CamrecError(.defect, "no bake")
  }
}

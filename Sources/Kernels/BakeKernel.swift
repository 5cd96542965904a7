import CKernels
public import Color
public import Frames

/// A prepared bake from one frame format to another, with its tables in integers and its operations chosen.
///
/// Thread: any number at once, also on different rows of one frame. Only the initializer allocates.
///
/// `@unchecked Sendable`: only the initializer writes `bake` and the memory that it points to, which `memory` owns.
public final class BakeKernel: @unchecked Sendable {
  private let bake: UnsafeMutablePointer<ck_bake>
  private let memory: [any Sendable]
  /// The input format; strides do not matter.
  public let input: FrameFormat
  /// The output format; strides do not matter.
  public let output: FrameFormat
  /// The dither if bits are dropped; else `none`.
  let dither: Dither

  /// - Parameters:
  ///   - input: the input format; strides do not matter.
  ///   - output: the output format, of the same size; strides do not matter. With a table, `color` describes the
  ///     table's output; without one, only range and matrix change.
  ///   - dither: applies if the output has fewer bits than the input and is not 4:4:4; otherwise results are rounded.
  ///   - level: a supported instruction set; `nil` for `KernelLevel.chosen()`. The resulting bits do not depend on it.
  ///   - exchangesChroma: exchanges the input's Cb and Cr, to test whether they are mixed up.
  /// - Throws: code `usage` for sizes that differ, for a reduction of 4:4:4 and for a level that `KernelLevel.chosen`
  ///   refuses, code `input` for a table that cannot be applied to within one code.
  public init(
    input: FrameFormat, output: FrameFormat, lut: LookupTable?, interpolation: Interpolation, dither: Dither = .none,
    level: KernelLevel? = nil, exchangesChroma: Bool = false
  ) throws(CamrecError) {
    guard input.width == output.width, input.height == output.height else {
      throw CamrecError(
        .usage,
        "the bake keeps the size: \(input.width)×\(input.height) cannot become \(output.width)×\(output.height)")
    }
    guard input.layout.isBaked(into: output.layout) else {
      throw CamrecError(
        .usage, "the bake does not reduce chroma of 4:4:4: \(input.layout.rawValue) cannot become "
          + output.layout.rawValue)
    }
    let from = TableStage.Side(
      scale: CodeScale(range: input.color.range, bitDepth: input.layout.bitDepth), matrix: input.color.matrix)
    let to = TableStage.Side(
      scale: CodeScale(range: output.color.range, bitDepth: output.layout.bitDepth), matrix: output.color.matrix)
    let level: KernelLevel = if let level { level } else { try .chosen() }
    let kernels = level.kernels
    var prepared = ck_bake()
    prepared.kernels = kernels
    let dropsBits = output.layout.bitDepth < input.layout.bitDepth
    self.dither = dropsBits && output.layout.chroma != .yuv444 ? dither : .none
    prepared.rounding = self.dither.rounding
    prepared.input = input.layout.components
    if exchangesChroma { (prepared.input.cb, prepared.input.cr) = (prepared.input.cr, prepared.input.cb) }
    prepared.output = output.layout.components
    prepared.width = Int32(input.width)
    prepared.height = Int32(input.height)
    var memory: [any Sendable] = []
    if let lut {
      let stage = try TableStage(
        lut: lut, interpolation: interpolation, from: from, to: to, takesCells: kernels.pointee.takes_cells != 0)
      prepared.operation = CK_TABLE
      prepared.coordinates = stage.coordinates
      if let shaper = stage.shaper {
        prepared.has_shaper = 1
        prepared.shaper = shaper
      }
      prepared.interpolation = stage.interpolation
      prepared.table = stage.table
      prepared.result = stage.result
      memory = stage.memory
    } else if from.matrix != to.matrix {
      prepared.operation = CK_MATRIX
      prepared.matrix = LinearOperation.matrix(from: from.scale, from.matrix, to: to.scale, to.matrix)
    } else {
      prepared.operation = CK_RESCALE
      prepared.keeps_codes = from.scale == to.scale && input.layout.chroma == output.layout.chroma ? 1 : 0
      prepared.luma = LinearOperation.rescale(
        from: (from.scale.lumaOffset, from.scale.lumaSpan), to: (to.scale.lumaOffset, to.scale.lumaSpan),
        maximum: to.scale.maximum)
      prepared.chroma = LinearOperation.rescale(
        from: (from.scale.chromaOffset, from.scale.chromaSpan), to: (to.scale.chromaOffset, to.scale.chromaSpan),
        maximum: to.scale.maximum)
    }
    self.input = input
    self.output = output
    self.memory = memory
    bake = .allocate(capacity: 1)
    bake.initialize(to: prepared)
  }

  deinit { bake.deallocate() }

  /// Calls `body` with the structure that the kernels take, valid for the duration of the call.
  func withPrepared<R>(_ body: (ck_bake) throws -> R) rethrows -> R {
    try withExtendedLifetime(self) { try body(bake.pointee) }
  }

  /// Bakes the whole of `source` into `target`. Bytes between a row's end and its stride stay as they are.
  ///
  /// - Precondition: both have the size and layout that the kernel was prepared for.
  public func bake(_ source: borrowing Frame, into target: inout Frame) {
    bake(
      rows: 0..<input.height, of: source.storage, source.format, into: target.storage, target.format)
  }

  /// Bakes some rows of a frame, while other threads bake other rows. The caller holds both frames meanwhile.
  ///
  /// - Precondition: `rows` begins at an even row and ends at an even row or the last one; both formats have the size
  ///   and layout that the kernel was prepared for.
  public func bake(
    rows: Range<Int>, of source: FrameStorage, _ sourceFormat: FrameFormat, into target: FrameStorage,
    _ targetFormat: FrameFormat
  ) {
    precondition(sourceFormat.hasShape(of: input) && targetFormat.hasShape(of: output), "a frame of another format")
    precondition(
      rows.lowerBound >= 0 && rows.lowerBound % 2 == 0 && rows.upperBound <= input.height
        && (rows.upperBound % 2 == 0 || rows.upperBound == input.height), "strips consist of whole chroma blocks")
    var from = source.picture(sourceFormat), to = target.picture(targetFormat)
    ck_bake_rows(bake, &from, &to, Int32(rows.lowerBound), Int32(rows.upperBound))
  }
}

extension Dither {
  /// The dither pattern in the form that the kernels take.
  fileprivate var rounding: ck_rounding {
    var result = ck_rounding()
    withUnsafeMutableBytes(of: &result) { bytes in
      let width = Int(CK_PIECE)
      for index in bytes.indices { bytes[index] = UInt8(threshold(x: index % width, y: index / width)) }
    }
    return result
  }
}

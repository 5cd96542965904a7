import CKernels
public import Color
public import Frames

/// A bake of one kind of frame into another, prepared: tables in integers, operations chosen.
///
/// Thread: any number at once, on different rows of one frame as well. Nothing but the initializer allocates.
///
/// `@unchecked Sendable`: `bake` and what it points at are written by the initializer only; `memory` holds that.
public final class BakeKernel: @unchecked Sendable {
  private let bake: UnsafeMutablePointer<ck_bake>
  private let memory: [any Sendable]
  /// What comes in; strides do not matter.
  public let input: FrameFormat
  /// What goes out; strides do not matter.
  public let output: FrameFormat
  /// What is done where bits are dropped; `none` where they are not.
  let dither: Dither

  /// - Parameters:
  ///   - input: what comes in; strides do not matter.
  ///   - output: what goes out, of the same size; strides do not matter. With a table, `color` names what the table
  ///     makes; without one only range and matrix change.
  ///   - dither: applies where the output has fewer bits than the input and is not 4:4:4; elsewhere results are
  ///     rounded.
  ///   - level: the instruction set, one that is supported; `nil` for `KernelLevel.chosen()`. The bits do not depend on
  ///     it.
  ///   - exchangesChroma: takes the input's Cb for Cr and its Cr for Cb, to see whether that is what is wrong.
  /// - Throws: code `usage` for sizes that differ, for 4:4:4 that is to be reduced and for what `KernelLevel.chosen` refuses, code `input` for a table
  ///   that cannot be applied within one code.
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

  /// For the duration of `body`, what the kernels are given.
  func withPrepared<R>(_ body: (ck_bake) throws -> R) rethrows -> R {
    try withExtendedLifetime(self) { try body(bake.pointee) }
  }

  /// Bakes the whole of `source` into `target`. Bytes between a row's end and its stride stay as they are.
  ///
  /// - Precondition: both have the sizes and layouts that the kernel was prepared for.
  public func bake(_ source: borrowing Frame, into target: inout Frame) {
    bake(
      rows: 0..<input.height, of: source.storage, source.format, into: target.storage, target.format)
  }

  /// Bakes some rows of a frame, while other threads bake others of the same. The caller holds both frames meanwhile.
  ///
  /// - Precondition: `rows` begins at an even row and ends at an even one or at the last; both formats have the sizes
  ///   and layouts that the kernel was prepared for.
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
  /// The pattern as the kernels take it.
  fileprivate var rounding: ck_rounding {
    var result = ck_rounding()
    withUnsafeMutableBytes(of: &result) { bytes in
      let width = Int(CK_PIECE)
      for index in bytes.indices { bytes[index] = UInt8(threshold(x: index % width, y: index / width)) }
    }
    return result
  }
}

extension FrameFormat {
  fileprivate func hasShape(of other: FrameFormat) -> Bool {
    width == other.width && height == other.height && layout == other.layout
  }
}

extension FrameStorage {
  fileprivate func picture(_ format: FrameFormat) -> ck_picture {
    func plane(_ index: Int) -> ck_plane {
      guard index < format.planeCount else { return ck_plane() }
      return ck_plane(
        data: pointer(plane: index).assumingMemoryBound(to: UInt8.self), stride: format.stride(plane: index))
    }
    return ck_picture(planes: (plane(0), plane(1), plane(2)))
  }
}

import CKernels
import Color
public import Frames

/// Makes pictures of frames of one format: a part of them, turned, scaled by area averages, with other colours. The
/// result is 4:2:0 of 8 bits, or R'G'B'.
///
/// Luma and chroma are scaled apart, each sample of the result as the mean of the pixels that it covers, rounded once,
/// halves up; a pixel's chroma is that of its block. The colours are converted after that.
///
/// Thread: one at a time. Only the initializer allocates.
///
/// `@unchecked Sendable`: whoever uses it has it alone (above); the initializer writes `view`, and all else but its
/// `room` stays as it is.
public final class PictureKernel: @unchecked Sendable {
  /// What is made of a frame.
  public struct View: Hashable, Sendable {
    /// Pixels of the frame that the picture shows.
    public var left: Int
    public var top: Int
    public var columns: Int
    public var rows: Int
    /// How far it is turned, clockwise.
    public var rotation: Rotation
    /// Pixels of the picture, turned.
    public var width: Int
    public var height: Int

    public init(left: Int, top: Int, columns: Int, rows: Int, rotation: Rotation, width: Int, height: Int) {
      self.left = left
      self.top = top
      self.columns = columns
      self.rows = rows
      self.rotation = rotation
      self.width = width
      self.height = height
    }
  }

  public let source: FrameFormat
  public let view: View
  /// The format of the 4:2:0 pictures.
  public let output: FrameFormat
  private let prepared: UnsafeMutablePointer<ck_view>
  private let axes: [ScaleAxis]
  private let conversion: RGBConversion?
  private let room: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - source: the frames' format; strides do not matter.
  ///   - color: of the 4:2:0 pictures.
  ///   - conversion: of R'G'B', if not only matrix and range change.
  ///   - level: a supported instruction set; `nil` for `KernelLevel.chosen()`. The resulting bits do not depend on it.
  ///   - takesBoxes: false makes no use of the loops for halves and quarters, to test that they give the same.
  /// - Precondition: the view lies within the frame, begins at a whole block of 2×2 pixels, and ends at one or at the
  ///   frame's end; the picture has a size that is not larger.
  /// - Throws: code `usage` for a level that `KernelLevel.chosen` refuses.
  public init(
    _ source: FrameFormat, _ view: View, color: ColorDescription, conversion: RGBConversion? = nil,
    level: KernelLevel? = nil, takesBoxes: Bool = true
  ) throws(CamrecError) {
    let level: KernelLevel = if let level { level } else { try .chosen() }
    precondition(
      view.left >= 0 && view.top >= 0 && view.left % 2 == 0 && view.top % 2 == 0
        && (view.columns % 2 == 0 || view.left + view.columns == source.width)
        && (view.rows % 2 == 0 || view.top + view.rows == source.height)
        && view.left + view.columns <= source.width && view.top + view.rows <= source.height,
      "a view consists of whole blocks")
    // As the rows and columns lie in the frame.
    let (width, height) = view.rotation.isTurnedByQuarter ? (view.height, view.width) : (view.width, view.height)
    precondition(
      width >= 1 && height >= 1 && width <= view.columns && height <= view.rows,
      "a picture is not larger than its part")
    self.source = source
    self.view = view
    self.conversion = conversion
    output = FrameFormat(width: view.width, height: view.height, layout: .yuv420p, color: color)
    let mirrorsColumns = view.rotation == .half || view.rotation == .threeQuarters
    let mirrorsRows = view.rotation == .half || view.rotation == .quarter
    let chroma = source.layout.chroma
    func axis(_ pixels: Int, _ shared: Int, _ isMirrored: Bool, to result: Int, _ resultShared: Int) -> ScaleAxis {
      ScaleAxis(
        from: ScaleAxis.Line(pixels: pixels, shared: shared, isMirrored: isMirrored),
        to: ScaleAxis.Line(pixels: result, shared: resultShared), takesBoxes: takesBoxes)
    }
    func across(_ shared: Int, to resultShared: Int) -> ScaleAxis {
      axis(view.columns, shared, mirrorsColumns, to: width, resultShared)
    }
    func down(_ shared: Int, to resultShared: Int) -> ScaleAxis {
      axis(view.rows, shared, mirrorsRows, to: height, resultShared)
    }
    let axes = [
      across(1, to: 1), down(1, to: 1), across(chroma.across, to: 2), down(chroma.down, to: 2),
      across(chroma.across, to: 1), down(chroma.down, to: 1),
    ]
    self.axes = axes
    func plane(_ across: Int, _ sharedAcross: Int, _ sharedDown: Int) -> ck_view_plane {
      ck_view_plane(
        left: Int32(view.left / sharedAcross), top: Int32(view.top / sharedDown), across: axes[across].axis,
        down: axes[across + 1].axis)
    }
    var made = ck_view()
    made.kernels = level.kernels
    made.input = source.layout.components
    made.luma = plane(0, 1, 1)
    made.chroma = plane(2, chroma.across, chroma.down)
    made.single = plane(4, chroma.across, chroma.down)
    made.mirrors_columns = mirrorsColumns ? 1 : 0
    made.mirrors_rows = mirrorsRows ? 1 : 0
    made.transposes = view.rotation.isTurnedByQuarter ? 1 : 0
    made.convert(source, to: color, conversion)
    room = .allocate(byteCount: ck_view_room(&made), alignment: 64)
    room.initializeMemory(as: UInt8.self, repeating: 0, count: ck_view_room(&made))
    made.room = room
    prepared = .allocate(capacity: 1)
    prepared.initialize(to: made)
  }

  deinit {
    prepared.deallocate()
    room.deallocate()
  }

  /// The picture of a frame. Bytes between a row's end and its stride stay as they are.
  ///
  /// - Parameter format: of the storage, with the size and layout of `source`.
  /// - Precondition: `target` has the size and layout of `output`.
  public func make(of storage: FrameStorage, _ format: FrameFormat, into target: inout Frame) {
    precondition(format.hasShape(of: source) && target.format.hasShape(of: output), "a frame of another format")
    var from = storage.picture(format), to = target.storage.picture(target.format)
    ck_view_frame(prepared, &from, &to)
  }

  /// Some rows of the picture, as red, green and blue of 8 or 16 bits without gaps, the latter in the machine's byte
  /// order. All divisions give the same.
  ///
  /// - Parameters:
  ///   - format: of the storage, with the size and layout of `source`.
  ///   - bits: of each code, 8 or 16.
  /// - Precondition: `result` has room for the rows, and is aligned to two bytes for 16 bits.
  public func makeRGB(
    rows: Range<Int>, of storage: FrameStorage, _ format: FrameFormat, bits: Int,
    into result: UnsafeMutableRawBufferPointer
  ) {
    precondition(format.hasShape(of: source), "a frame of another format")
    precondition(rows.lowerBound >= 0 && rows.upperBound <= view.height, "rows outside the picture")
    precondition(result.count >= rows.count * view.width * 3 * bits / 8, "too little room for the rows")
    guard !rows.isEmpty, let base = result.baseAddress else { return }
    precondition(bits == 8 || Int(bitPattern: base) % 2 == 0, "codes of 16 bits lie at even places")
    var from = storage.picture(format)
    ck_view_rgb(prepared, &from, Int32(rows.lowerBound), Int32(rows.upperBound), Int32(bits / 8), base)
  }
}

extension ck_view {
  /// Chooses how the colours are converted.
  fileprivate mutating func convert(_ source: FrameFormat, to color: ColorDescription, _ conversion: RGBConversion?) {
    let from = CodeScale(range: source.color.range, bitDepth: source.layout.bitDepth)
    let to = CodeScale(range: color.range, bitDepth: 8)
    withUnsafeMutableBytes(of: &rounding) { for index in $0.indices { $0[index] = 1 << (UInt8(CK_ROUNDING_BITS) - 1) } }
    to_rgb = ck_to_rgb(from: from, source.color.matrix)
    from_rgb = ck_from_rgb(to: to, color.matrix)
    self.conversion = conversion.map { UnsafePointer($0.conversion) }
    if conversion != nil {
      operation = CK_VIEW_RGB
    } else if source.color.matrix != color.matrix {
      operation = CK_VIEW_MATRIX
      matrix = LinearOperation.matrix(from: from, source.color.matrix, to: to, color.matrix)
    } else if from == to {
      operation = CK_VIEW_KEEP
    } else {
      operation = CK_VIEW_RESCALE
      rescale_luma = LinearOperation.rescale(
        from: (from.lumaOffset, from.lumaSpan), to: (to.lumaOffset, to.lumaSpan), maximum: to.maximum)
      rescale_chroma = LinearOperation.rescale(
        from: (from.chromaOffset, from.chromaSpan), to: (to.chromaOffset, to.chromaSpan), maximum: to.maximum)
    }
  }
}

extension ck_to_rgb {
  /// Grey stays grey: red, green and blue have the same weight of luma, and chroma's middle adds nothing.
  fileprivate init(from scale: CodeScale, _ matrix: ColorMatrix) {
    let unit = Double(65535 << CK_TO_RGB_SHIFT)
    let luma = Int32((unit / Double(scale.lumaSpan)).rounded())
    func weights(cb: Double, cr: Double) -> [Int32] {
      let made = matrix.rgb(luma: 0, cb: cb, cr: cr) * (unit / Double(scale.chromaSpan))
      return (0..<3).map { Int32(made[$0].rounded()) }
    }
    let blue = weights(cb: 1, cr: 0), red = weights(cb: 0, cr: 1)
    let add = (0..<3).map { channel in
      (Int32(1) << (CK_TO_RGB_SHIFT - 1)) - luma * Int32(scale.lumaOffset)
        - (blue[channel] + red[channel]) * Int32(scale.chromaOffset)
    }
    self.init(
      y: luma, cb: (blue[0], blue[1], blue[2]), cr: (red[0], red[1], red[2]), add: (add[0], add[1], add[2]))
  }
}

extension ck_from_rgb {
  /// Of grey, luma has the whole weight, and chroma none.
  fileprivate init(to scale: CodeScale, _ matrix: ColorMatrix) {
    let unit = Double(1 << CK_FROM_RGB_SHIFT) / 65535
    func weights(_ component: Int, _ span: Double) -> [Int32] {
      let red = matrix.yCbCr([1, 0, 0])[component], green = matrix.yCbCr([0, 1, 0])[component]
      let blue = matrix.yCbCr([0, 0, 1])[component]
      let whole = Int32(((red + green + blue) * span * unit).rounded())
      let byRed = Int32((red * span * unit).rounded()), byBlue = Int32((blue * span * unit).rounded())
      return [byRed, whole - byRed - byBlue, byBlue]
    }
    let half = Int32(1) << (CK_FROM_RGB_SHIFT - 1)
    let y = weights(0, Double(scale.lumaSpan))
    // For the sums of four pixels.
    let cb = weights(1, Double(scale.chromaSpan) / 4), cr = weights(2, Double(scale.chromaSpan) / 4)
    let middle = Int32(scale.chromaOffset) << CK_FROM_RGB_SHIFT + half
    self.init(
      y: (y[0], y[1], y[2]), y_add: Int32(scale.lumaOffset) << CK_FROM_RGB_SHIFT + half, cb: (cb[0], cb[1], cb[2]),
      cb_add: middle, cr: (cr[0], cr[1], cr[2]), cr_add: middle)
  }
}

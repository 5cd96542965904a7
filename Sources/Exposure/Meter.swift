public import Frames

/// Measures the brightness of a frame from its luma.
///
/// It samples 5184 places in the frame (1024 for a spot), so that the cost does not depend on the size: a few tens of
/// microseconds. Black bars at the edges are ignored. A frame causes an allocation only if its format differs from the
/// last frame's.
///
/// Thread: one at a time.
public struct Meter: Sendable {
  /// Takes effect with the next frame.
  public var mode: MeteringMode {
    didSet { if mode != oldValue { prepare(format) } }
  }
  private let saturation: Double?
  private var format: FrameFormat
  private var grid: MeterGrid
  private var histogram: LuminanceHistogram
  private var border = SteadyBorder()
  /// The codes of the grid in one frame, and the greatest of each row and column.
  private var codes: [Int]
  private var brightestOfRows: [Int]
  private var brightestOfColumns: [Int]

  /// - Parameters:
  ///   - format: of the frames.
  ///   - saturation: the scene-linear value at which the sensor clips, if that is below the top of the curve.
  public init(format: FrameFormat, mode: MeteringMode = .centreWeighted, saturation: Double? = nil) {
    self.mode = mode
    self.saturation = saturation
    self.format = format
    histogram = LuminanceHistogram(
      curve: MeterCurve(color: format.color, bitDepth: format.layout.bitDepth, saturation: saturation))
    grid = MeterGrid(format: format, mode: mode)
    codes = Array(repeating: 0, count: grid.weights.count)
    brightestOfRows = Array(repeating: 0, count: grid.rows)
    brightestOfColumns = Array(repeating: 0, count: grid.columns)
  }

  public mutating func read(_ frame: borrowing Frame) -> MeterReading {
    if frame.format != format { prepare(frame.format) }
    sample(frame)
    var counted = BlackBorder.none
    if case .spot = mode {
    } else {
      border.take(
        BlackBorder(
          brightestOfRows: brightestOfRows, brightestOfColumns: brightestOfColumns,
          limit: histogram.curve.borderUpTo))
      counted = border.border
    }
    // Copies of references: the spans below must not come from a value that is changed beside them.
    let codes = codes, weights = grid.weights
    histogram.clear()
    for row in counted.top..<grid.rows - counted.bottom {
      let first = row * grid.columns
      let places = first + counted.left..<first + grid.columns - counted.right
      histogram.add(codes.span.extracting(places), weights: weights.span.extracting(places))
    }
    var reading = histogram.reading(average)
    if case .spot = mode {} else { reading.cells = cells(within: counted) }
    return reading
  }

  /// The parts of the frame, without its border.
  private func cells(within border: BlackBorder) -> MeterCells {
    let levels = histogram.curve.levels.span, codes = codes.span, clipped = histogram.curve.clippedFrom
    var cells = MeterCells()
    for index in 0..<MeterCells.count {
      let (x, y) = (index % MeterCells.across, index / MeterCells.across)
      let left = max(border.left, grid.columns * x / MeterCells.across)
      let right = min(grid.columns - border.right, grid.columns * (x + 1) / MeterCells.across)
      let top = max(border.top, grid.rows * y / MeterCells.down)
      let bottom = min(grid.rows - border.bottom, grid.rows * (y + 1) / MeterCells.down)
      guard left < right, top < bottom else { continue }
      var sum = 0, blind = 0
      for row in top..<bottom {
        for place in row * grid.columns + left..<row * grid.columns + right {
          let code = min(codes[place], levels.count - 1), level = levels[code]
          sum += level.units
          if code >= clipped || level <= MeterCurve.floor { blind += 1 }
        }
      }
      let count = (right - left) * (bottom - top)
      if blind * 2 <= count { cells[index] = Stops(units: sum / count) }
    }
    return cells
  }

  private var average: LuminanceHistogram.Average {
    switch mode {
    case .average, .spot: .mean
    case .centreWeighted: .bounded
    case .highlightWeighted: .byLuminance
    }
  }

  /// The codes of the grid's samples.
  private mutating func sample(_ frame: borrowing Frame) {
    // Held here for now, so that spans of both can be written at the same time.
    var codes: [Int] = [], columns: [Int] = []
    swap(&codes, &self.codes)
    swap(&columns, &brightestOfColumns)
    for column in columns.indices { columns[column] = 0 }
    let grid = grid, isWide = format.layout.bytesPerSample == 2, shift = format.layout.codeShift
    // The bytes are lent for the duration of the call; each load is checked against their end.
    unsafe frame.withPlane(0) { plane in
      let bytes = unsafe plane.bytes
      var codes = codes.mutableSpan, brightestOfColumns = columns.mutableSpan
      let columnOffsets = grid.columnOffsets.span
      for row in 0..<grid.rows {
        let rowOffset = grid.rowOffsets[row], first = row * grid.columns
        var brightest = 0
        for column in columnOffsets.indices {
          let offset = rowOffset + columnOffsets[column]
          let code: Int
          if isWide {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
            code = Int(UInt16(littleEndian: word)) >> shift
          } else {
            code = Int(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
          }
          codes[first + column] = code
          brightest = max(brightest, code)
          brightestOfColumns[column] = max(brightestOfColumns[column], code)
        }
        brightestOfRows[row] = brightest
      }
    }
    swap(&codes, &self.codes)
    swap(&columns, &brightestOfColumns)
  }

  /// Prepares for another frame format, or another part of the frame. The border starts afresh.
  private mutating func prepare(_ format: FrameFormat) {
    self = Meter(format: format, mode: mode, saturation: saturation)
  }
}

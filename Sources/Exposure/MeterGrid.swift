import Frames

/// The places in a frame that a meter samples, and their weights.
struct MeterGrid {
  /// Columns and rows over the whole frame: 5184 samples, one for each 20 × 20 pixels of a 1080p frame. An object that
  /// covers 5 % of it covers 259 samples, and noise of a third of an EV leaves 1/200 EV in their average.
  static let size = (columns: 96, rows: 54)
  /// Columns and rows of a spot's square.
  static let spotSize = (columns: 32, rows: 32)
  /// A spot is an eighth as high as the frame.
  static let spotShare = 8
  /// The weight of the centre; a corner weighs a third of it.
  static let centreWeight = 768

  let columns: Int
  let rows: Int
  /// Byte offsets in the luma plane: of each row, and of each column within a row.
  let rowOffsets: [Int]
  let columnOffsets: [Int]
  /// By row and column.
  let weights: [Int]

  init(format: FrameFormat, mode: MeteringMode) {
    var (x, y, width, height) = (0, 0, format.width, format.height)
    var size = Self.size
    if case .spot(let spotX, let spotY) = mode {
      let side = max(1, format.height / Self.spotShare)
      (width, height) = (min(side, format.width), side)
      x = Self.start(of: width, around: spotX, in: format.width)
      y = Self.start(of: height, around: spotY, in: format.height)
      size = Self.spotSize
    }
    let columns = min(size.columns, width), rows = min(size.rows, height)
    let (first, step) = format.layout.lumaPlace
    (self.columns, self.rows) = (columns, rows)
    columnOffsets = (0..<columns).map { first + (x + (2 * $0 + 1) * width / (2 * columns)) * step }
    rowOffsets = (0..<rows).map { (y + (2 * $0 + 1) * height / (2 * rows)) * format.stride(plane: 0) }
    weights = (0..<rows * columns).map { index in
      guard mode == .centreWeighted else { return Self.centreWeight }
      return Self.weight(column: index % columns, of: columns, row: index / columns, of: rows, format)
    }
  }

  /// 3 − 2r², with r the distance from the centre in half diagonals, times 256.
  private static func weight(column: Int, of columns: Int, row: Int, of rows: Int, _ format: FrameFormat) -> Int {
    let x = (Double(2 * column + 1) / Double(columns) - 1) * Double(format.width)
    let y = (Double(2 * row + 1) / Double(rows) - 1) * Double(format.height)
    let diagonal = Double(format.width * format.width + format.height * format.height)
    return Int(((3 - 2 * (x * x + y * y) / diagonal) * Double(centreWeight / 3)).rounded())
  }

  /// The start of a span of `length` inside `whole`, with its middle as near to `centre` (0…1) as possible.
  private static func start(of length: Int, around centre: Double, in whole: Int) -> Int {
    let centre = centre.isNaN ? 0.5 : max(0, min(centre, 1))
    return max(0, min(Int(centre * Double(whole)) - length / 2, whole - length))
  }
}

extension PixelLayout {
  /// The byte of the first luma sample in plane 0, and the bytes from one sample to the next.
  var lumaPlace: (first: Int, step: Int) {
    switch self {
    case .nv12, .nv21, .yuv420p, .yv12, .yuv422p, .yuv444p: (0, 1)
    case .yuyv: (0, 2)
    case .uyvy: (1, 2)
    case .p010, .p210, .yuv420p10, .yuv422p10, .yuv444p10: (0, 2)
    case .y210: (0, 4)
    }
  }
}

public import Frames

/// The colour of each block of 8×8 pixels of a frame, for comparing two frames place by place.
///
/// A block's colour is that of its mean codes: of its luma samples, and of the chroma samples that belong to it (4×4 in
/// 4:2:0, 4×8 in 4:2:2). Blocks at the right and the bottom edge hold what is left. Blocks are counted row by row from
/// the top left: block n begins at pixel (n % columns · 8, n / columns · 8).
///
/// A block of one colour is exact; the mean of several colours is a mean of codes, not of light.
public struct BlockColors: Hashable, Sendable {
  /// Pixels across and down a block.
  public static let edge = 8

  /// Pixels of the frame.
  public let width: Int
  public let height: Int
  /// By row and column. Not clamped: light outside a display's gamut, or above a perfect diffuser, keeps its value.
  public let colors: [LabColor]

  /// Blocks in a row.
  public var columns: Int { (width + Self.edge - 1) / Self.edge }
  public var rows: Int { (height + Self.edge - 1) / Self.edge }

  /// Reads a whole frame as its format describes it. Unspecified primaries are read as BT.709's, and so are transfer
  /// functions that have no scene value by themselves (PQ, HLG, unspecified).
  ///
  /// - Parameter range: that of the codes; `nil`: the format's.
  public init(_ frame: borrowing Frame, range: ColorRange? = nil) {
    let format = frame.format
    let color = format.color
    let scale = CodeScale(range: range ?? color.range, bitDepth: format.layout.bitDepth)
    let transfer = TransferFunction(color.transfer) ?? TransferFunction(.rec709)!
    // Every one of these spaces has D65 as its white.
    let toXYZ = (RGBSpace(color.primaries) ?? .rec709).toXYZ
    let places = format.layout.samplePlaces
    let luma = Self.means(of: places.luma, in: frame)
    let cb = Self.means(of: places.cb, in: frame)
    let cr = Self.means(of: places.cr, in: frame)
    var colors: [LabColor] = []
    colors.reserveCapacity(luma.count)
    for block in luma.indices {
      let signal = color.matrix.rgb(
        luma: (luma[block] - Double(scale.lumaOffset)) / Double(scale.lumaSpan),
        cb: (cb[block] - Double(scale.chromaOffset)) / Double(scale.chromaSpan),
        cr: (cr[block] - Double(scale.chromaOffset)) / Double(scale.chromaSpan))
      colors.append(LabColor(xyzD65: toXYZ * transfer.decode(signal)))
    }
    (width, height, self.colors) = (format.width, format.height, colors)
  }

  /// How two frames differ, in ΔE00 (`ColorDifference.ciede2000`).
  public struct Differences: Hashable, Sendable {
    /// Over all blocks with equal weight.
    public let mean: Double
    public let largest: Double
    /// The first block that differs by `largest`.
    public let block: Int
  }

  /// `nil` for frames of different sizes.
  public func differences(to other: BlockColors) -> Differences? {
    guard width == other.width, height == other.height else { return nil }
    var sum = 0.0
    var largest = 0.0
    var block = 0
    for index in colors.indices {
      let difference = ColorDifference.ciede2000(colors[index], other.colors[index])
      sum += difference
      if difference > largest { (largest, block) = (difference, index) }
    }
    return Differences(mean: sum / Double(colors.count), largest: largest, block: block)
  }

  /// The mean code of one component in each block.
  private static func means(of place: SamplePlace, in frame: borrowing Frame) -> [Double] {
    let format = frame.format
    let sums =
      format.layout.bytesPerSample == 2
      ? Self.sums(of: place, as: UInt16.self, in: frame) : Self.sums(of: place, as: UInt8.self, in: frame)
    let (width, height) = place.size(in: format)
    let (across, down) = (edge / place.across, edge / place.down)
    let columns = (width + across - 1) / across
    return sums.indices.map { block in
      let (column, row) = (block % columns, block / columns)
      let count = min(across, width - column * across) * min(down, height - row * down)
      return Double(sums[block]) / Double(count)
    }
  }

  /// The sum of the codes of one component in each block.
  private static func sums<Word: FixedWidthInteger & BitwiseCopyable>(
    of place: SamplePlace, as _: Word.Type, in frame: borrowing Frame
  ) -> [Int] {
    let format = frame.format
    let stride = format.stride(plane: place.plane)
    let shift = format.layout.codeShift
    let wordBytes = Word.bitWidth / 8
    let (width, height) = place.size(in: format)
    let (across, down) = (edge / place.across, edge / place.down)
    let columns = (width + across - 1) / across
    let rows = (height + down - 1) / down
    var sums = Array(repeating: 0, count: columns * rows)
    // The bytes are lent for the duration of the call; each load is checked against their end.
    unsafe frame.withPlane(place.plane) { plane in
      let bytes = unsafe plane.bytes
      var sums = sums.mutableSpan
      for y in 0..<height {
        let firstBlock = y / down * columns
        var offset = y * stride + place.first * wordBytes
        for column in 0..<columns {
          var sum = 0
          for _ in 0..<min(across, width - column * across) {
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self)
            sum &+= Int(Word(littleEndian: word)) &>> shift
            offset &+= place.step &* wordBytes
          }
          sums[firstBlock + column] += sum
        }
      }
    }
    return sums
  }
}

public import Frames

/// Reads the simulated camera's marks from the luma of a frame in any of the four orientations.
public struct FrameNumberReader: Sendable {
  /// The content of one frame's mark.
  public struct Reading: Hashable, Sendable {
    public let mark: SimulatedMark
    /// How far clockwise the frame is turned from the camera's own orientation.
    public let rotation: Rotation
  }

  public let width: Int
  public let height: Int
  /// The least difference between black and white cells, in code values of 8 bits.
  static let smallestContrast = 24

  /// - Parameters:
  ///   - width: of the frame as it is in memory, turned or not.
  ///   - height: the same for the height.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The mark of a frame of width × height bytes; `nil` if no orientation shows one.
  public func read(luma: UnsafeRawBufferPointer) -> Reading? {
    precondition(luma.count >= width * height, "a picture has \(width)×\(height) bytes")
    for rotation in Rotation.allCases {
      if let mark = unsafe read(luma: luma, rotation: rotation) { return Reading(mark: mark, rotation: rotation) }
    }
    return nil
  }

  private func read(luma: UnsafeRawBufferPointer, rotation: Rotation) -> SimulatedMark? {
    let lies = rotation == .none || rotation == .half
    guard let layout = SimulatedMarkLayout(width: lies ? width : height, height: lies ? height : width) else {
      return nil
    }
    let levels = (0..<SimulatedMark.cellCount).map { unsafe level(ofCell: $0, layout, luma, rotation) }
    let white = SimulatedMark.whiteReferences.map { levels[$0] }
    let black = SimulatedMark.blackReferences.map { levels[$0] }
    let whiteMean = white.reduce(0, +) / white.count
    let blackMean = black.reduce(0, +) / black.count
    let contrast = abs(whiteMean - blackMean)
    guard contrast >= FrameNumberReader.smallestContrast,
      abs(white[0] - white[1]) < contrast / 2, abs(black[0] - black[1]) < contrast / 2
    else { return nil }
    var cells: UInt64 = 0
    for (cell, level) in levels.enumerated() where abs(level - whiteMean) < abs(level - blackMean) {
      cells |= 1 << UInt64(cell)
    }
    return SimulatedMark(cells: cells)
  }

  /// The mean of a cell without its rim.
  private func level(
    ofCell cell: Int, _ layout: SimulatedMarkLayout, _ luma: UnsafeRawBufferPointer, _ rotation: Rotation
  ) -> Int {
    let columns = layout.columns(ofCell: cell)
    let rimX = max(1, layout.cellWidth / 4)
    let rimY = max(1, layout.cellHeight / 4)
    var sum = 0
    var count = 0
    for y in rimY..<layout.cellHeight - rimY {
      for x in columns.lowerBound + rimX..<columns.upperBound - rimX {
        sum += unsafe Int(luma[index(x, y, rotation)])
        count += 1
      }
    }
    return sum / count
  }

  /// The index of the camera's pixel (x, y) in the turned frame.
  private func index(_ x: Int, _ y: Int, _ rotation: Rotation) -> Int {
    switch rotation {
    case .none: y * width + x
    case .quarter: x * width + (width - 1 - y)
    case .half: (height - 1 - y) * width + (width - 1 - x)
    case .threeQuarters: (height - 1 - x) * width + y
    }
  }
}

/// The positions of the cells of a `SimulatedMark`: one row from the top left corner, at most 1 % of the frame.
///
/// Cell i covers the columns i·cellWidth ..< (i+1)·cellWidth of the rows 0 ..< cellHeight. The whole row begins and
/// ends on even columns and rows, so that it shares no chroma sample with the scene. Metering ignores it.
public struct SimulatedMarkLayout: Hashable, Sendable {
  public let cellWidth: Int
  public let cellHeight: Int

  /// The smallest cell that survives HEVC at CRF 28.
  static let smallestCell = (width: 3, height: 4)

  /// - Returns: `nil` if 1 % of the frame has no room for 48 cells of 3×4 pixels: such a frame has no marks. 320×180 is
  ///   the smallest 16:9 frame with marks.
  public init?(width: Int, height: Int) {
    let area = Double(width * height) / 100 / Double(SimulatedMark.cellCount)
    let cellHeight = max(SimulatedMarkLayout.smallestCell.height, 2 * Int((area.squareRoot() / 2).rounded()))
    let cellWidth = min(Int(area / Double(cellHeight)), width / SimulatedMark.cellCount)
    guard cellWidth >= SimulatedMarkLayout.smallestCell.width, cellHeight <= height else { return nil }
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
  }

  public var width: Int { cellWidth * SimulatedMark.cellCount }
  public var height: Int { cellHeight }

  /// The columns of `cell`.
  public func columns(ofCell cell: Int) -> Range<Int> { cell * cellWidth..<(cell + 1) * cellWidth }
}

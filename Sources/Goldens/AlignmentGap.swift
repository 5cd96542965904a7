/// The frames of two clips between two matches.
struct AlignmentGap {
  let first: Range<Int>
  let second: Range<Int>

  /// How far from an even course to look for the pairs of a long gap, in frames, plus the surplus of one side.
  static let reach = 512
  private static let widest = 2048

  private enum Step: UInt8 {
    case both, first, second
  }

  /// The pairs that cost least, in order. Frames that only one side has are left out.
  func pairs(
    _ pictures: [PictureAlignment.Picture], _ others: [PictureAlignment.Picture], _ costs: AlignmentCosts
  ) -> [(Int, Int)] {
    let (rows, columns) = (first.count, second.count)
    guard rows > 0, columns > 0 else { return [] }
    let reach = min(AlignmentGap.widest, AlignmentGap.reach + abs(rows - columns))
    func window(_ row: Int) -> ClosedRange<Int> {
      let middle = row * columns / rows
      return max(0, middle - reach)...min(columns, middle + reach)
    }
    // `sums[n]` is the least cost of a row's place n of its window; `steps` leads back from each place of each row.
    var steps: [[UInt8]] = []
    var sums: [Float] = []
    var before = 0...0
    for row in 0...rows {
      let range = window(row)
      var next = [Float](repeating: .infinity, count: range.count)
      var taken = [UInt8](repeating: Step.second.rawValue, count: range.count)
      for column in range {
        var least = row == 0 && column == 0 ? 0 : Float.infinity
        var step = Step.both
        func offer(_ cost: Float, _ other: Step) { if cost < least { (least, step) = (cost, other) } }
        if row > 0, column > 0, before.contains(column - 1) {
          let pair = costs.pair(pictures[first.lowerBound + row - 1], others[second.lowerBound + column - 1])
          offer(sums[column - 1 - before.lowerBound] + pair, .both)
        }
        if row > 0, before.contains(column) { offer(sums[column - before.lowerBound] + AlignmentCosts.gap, .first) }
        if column > range.lowerBound {
          offer(next[column - 1 - range.lowerBound] + AlignmentCosts.gap, .second)
        }
        next[column - range.lowerBound] = least
        taken[column - range.lowerBound] = step.rawValue
      }
      steps.append(taken)
      (sums, before) = (next, range)
    }
    var pairs: [(Int, Int)] = []
    var (row, column) = (rows, columns)
    while row > 0 || column > 0 {
      switch Step(rawValue: steps[row][column - window(row).lowerBound]) ?? .both {
      case .both:
        (row, column) = (row - 1, column - 1)
        pairs.append((first.lowerBound + row, second.lowerBound + column))
      case .first: row -= 1
      case .second: column -= 1
      }
    }
    return pairs.reversed()
  }
}

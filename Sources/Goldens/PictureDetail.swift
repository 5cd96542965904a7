/// The local detail of a frame: each block of its signature minus the mean of the nine around it. Grading changes
/// brightness and contrast, but hardly this.
struct PictureDetail {
  /// A part of a frame, as in a crop that was scaled up again.
  struct Window: Hashable {
    /// Width and height as a fraction of the frame's; `x` and `y`: the place in the room that is left, 0 left or top, 1
    /// right or bottom.
    let size: Float
    let x: Float
    let y: Float

    static let whole = Window(size: 1, x: 0.5, y: 0.5)
    /// A twentieth less from the centre, and a tenth less from the centre and from each corner.
    static let crops =
      [Window(size: 0.95, x: 0.5, y: 0.5), Window(size: 0.9, x: 0.5, y: 0.5)]
      + [(0, 0), (0, 1), (1, 0), (1, 1)].map { Window(size: 0.9, x: $0.0, y: $0.1) }
  }

  /// Scaled to length 1; `nil` for a frame without detail, such as black or a soft gradient.
  private let values: [Float]?

  /// Least deviation of blocks from those around them (root mean square), in 8-bit code values: an encoder's rounding
  /// is below this, and frames that show anything are above 5.
  private static let least: Float = 1

  init(_ signature: PictureSignature, in window: Window = .whole) {
    let count = PictureSignature.blocks
    let means = window == .whole ? PictureDetail.blocks(signature) : PictureDetail.blocks(signature, in: window)
    var values = [Float](repeating: 0, count: count * count)
    for row in 0..<count {
      for column in 0..<count {
        var sum: Float = 0
        for y in row - 1...row + 1 {
          for x in column - 1...column + 1 {
            sum += means[min(max(y, 0), count - 1) * count + min(max(x, 0), count - 1)]
          }
        }
        values[row * count + column] = means[row * count + column] - sum / 9
      }
    }
    let mean = values.reduce(0, +) / Float(values.count)
    let length = values.reduce(Float(0)) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
    // 1/64 of a code value is the signature's unit.
    let isThere = length / Float(count) >= PictureDetail.least * 64
    self.values = isThere ? values.map { ($0 - mean) / length } : nil
  }

  /// The magnitude of the correlation, 0 to 1: a negative counts as the same. 0 if only one of them has detail, `nil`
  /// if neither has.
  func likeness(to other: PictureDetail) -> Float? {
    guard let values, let others = other.values else { return values == nil && other.values == nil ? nil : 0 }
    return min(1, abs(zip(values, others).reduce(Float(0)) { $0 + $1.0 * $1.1 }))
  }

  private static func blocks(_ signature: PictureSignature) -> [Float] {
    signature.means.flatMap { row in row.indices.map { Float(row[$0]) } }
  }

  /// Interpolated between the centres of the two nearest blocks, in each direction.
  private static func blocks(_ signature: PictureSignature, in window: Window) -> [Float] {
    let count = PictureSignature.blocks, means = blocks(signature)
    func places(_ offset: Float) -> [(Int, Float)] {
      (0..<count).map { block in
        let place = (Float(block) + 0.5) * window.size + offset * (1 - window.size) * Float(count) - 0.5
        let clamped = min(max(place, 0), Float(count) - 1.001)
        return (Int(clamped), clamped - Float(Int(clamped)))
      }
    }
    let columns = places(window.x)
    return places(window.y).flatMap { (row, down) in
      columns.map { (column, across) in
        func pair(_ row: Int) -> Float {
          means[row * count + column] * (1 - across) + means[row * count + column + 1] * across
        }
        return pair(row) * (1 - down) + pair(row + 1) * down
      }
    }
  }
}

/// What in a picture is lighter and darker than what is around it: each block of its signature less the mean of the
/// nine about it. Grading changes light and contrast, and hardly that.
struct PictureDetail {
  /// A part of a picture that is taken for the whole, as a crop that was scaled up again has it.
  struct Window: Hashable {
    /// Its width and height, of the picture's; and where it lies in the room that is left: 0 left or top, 1 right or
    /// bottom.
    let size: Float
    let x: Float
    let y: Float

    static let whole = Window(size: 1, x: 0.5, y: 0.5)
    /// The whole, a twentieth less around, and a tenth less around and towards each corner.
    static let crops =
      [Window(size: 0.95, x: 0.5, y: 0.5), Window(size: 0.9, x: 0.5, y: 0.5)]
      + [(0, 0), (0, 1), (1, 0), (1, 1)].map { Window(size: 0.9, x: $0.0, y: $0.1) }
  }

  /// Of length 1; `nil` for a picture without any, as a black one or a soft gradient.
  private let values: [Float]?

  /// What blocks deviate by from those around them at least (root mean square), in 8-bit code values: an encoder's
  /// rounding is below that, and pictures of anything are above 5.
  private static let least: Float = 1

  init(_ signature: PictureSignature, in window: Window = .whole) {
    let count = PictureSignature.blocks
    let means = window == .whole ? PictureDetail.blocks(signature) : PictureDetail.blocks(signature, in: window)
    var values = [Float](repeating: 0, count: count * count)
    for row in 0..<count {
      for column in 0..<count {
        var sum: Float = 0
        for y in row - 1...row + 1 {
          for x in column - 1...column + 1 { sum += means[min(max(y, 0), count - 1) * count + min(max(x, 0), count - 1)] }
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

  /// The magnitude of the correlation, 0 to 1: a negative shows the same. 0 where one of them shows nothing, `nil` where
  /// neither does.
  func likeness(to other: PictureDetail) -> Float? {
    guard let values, let others = other.values else { return values == nil && other.values == nil ? nil : 0 }
    return min(1, abs(zip(values, others).reduce(Float(0)) { $0 + $1.0 * $1.1 }))
  }

  private static func blocks(_ signature: PictureSignature) -> [Float] {
    signature.means.flatMap { row in row.indices.map { Float(row[$0]) } }
  }

  /// Between the centres of blocks by the two nearest, in each direction.
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

import CKernels

/// How one axis of a plane is scaled: each sample of the result is the mean of what it covers of the source, counted in
/// pixels.
struct ScaleAxis {
  /// Samples of the source, and of the result.
  let source: Int
  let count: Int
  private let taps: Int
  private let box: Int32
  private let first: TableMemory<Int32>
  private let weights: TableMemory<UInt32>

  /// A line of pixels that share samples, the last ones at its end, or at its beginning if it is mirrored.
  struct Line {
    var pixels: Int
    /// Pixels that share a sample.
    var shared: Int
    var isMirrored = false

    var samples: Int { (pixels + shared - 1) / shared }
    /// Pixels in front of a sample.
    func begin(_ sample: Int) -> Int {
      isMirrored ? pixels - min((samples - sample) * shared, pixels) : min(sample * shared, pixels)
    }
  }

  /// - Parameter takesBoxes: false treats whole samples as any others.
  init(from source: Line, to result: Line, takesBoxes: Bool) {
    self.source = source.samples
    count = result.samples
    // Both lines in parts of a pixel that both have a whole number of.
    func from(_ sample: Int) -> Int { source.begin(sample) * result.pixels }
    func to(_ sample: Int) -> Int { result.begin(sample) * source.pixels }
    var first: [Int32] = [], ends: [Int] = [], at = 0
    for sample in 0..<result.samples {
      while from(at + 1) <= to(sample) { at += 1 }
      var end = at + 1
      while end < source.samples, from(end) < to(sample + 1) { end += 1 }
      first.append(Int32(at))
      ends.append(end)
    }
    let taps = zip(first, ends).map { $1 - Int($0) }.max() ?? 1, count = self.count
    self.taps = taps
    self.first = TableMemory(count: count) { elements in _ = elements.update(fromContentsOf: first) }
    let one = 1 << CK_SCALE_BITS
    weights = TableMemory(count: taps * count) { elements in
      for sample in 0..<count {
        let begin = to(sample), length = to(sample + 1) - begin
        // What is covered up to here, rounded, so that the weights add up to 1.
        var covered = 0
        for tap in 0..<ends[sample] - Int(first[sample]) {
          let end = min(from(Int(first[sample]) + tap + 1), begin + length) - begin
          let total = (2 * end * one + length) / (2 * length)
          elements[tap * count + sample] = UInt32(total - covered)
          covered = total
        }
      }
    }
    let whole = !takesBoxes ? nil : (0...Int(CK_LARGEST_BOX)).first { box in
      let size = 1 << box
      return source.samples == count * size
        && (0..<count).allSatisfy { sample in
          let begin = sample * size
          return Int(first[sample]) == begin && ends[sample] == begin + size
            && (begin..<begin + size).allSatisfy { from($0 + 1) - from($0) == from(begin + 1) - from(begin) }
        }
    }
    box = whole.map { Int32($0) } ?? Int32(CK_NO_BOX)
  }

  /// The axis for the kernels, which lasts as long as this value.
  var axis: ck_axis {
    ck_axis(
      source: Int32(source), count: Int32(count), taps: Int32(taps), box: box, first: UnsafePointer(first.address),
      weights: UnsafePointer(weights.address))
  }
}

import Frames

/// Luma with the last column and the last row once more, where the frame has an odd number: libjpeg-turbo reads as many
/// samples as belong to whole chroma samples.
///
/// Thread: one at a time.
final class EvenPlane {
  /// Samples, without padding.
  let width: Int
  let height: Int
  let samples: UnsafeMutablePointer<UInt8>

  /// - Returns: `nil` if the frames need none.
  init?(_ format: FrameFormat) {
    let chroma = format.layout.chroma
    width = chroma.samples(width: format.width) * chroma.across
    height = chroma.rows(height: format.height) * chroma.down
    guard width != format.width || height != format.height else { return nil }
    samples = .allocate(capacity: width * height)
    samples.initialize(repeating: 0, count: width * height)
  }

  deinit { samples.deallocate() }

  func fill(with frame: borrowing Frame) {
    let own = frame.format.width, last = frame.format.height - 1, stride = frame.format.stride(plane: 0)
    frame.withPlane(0) { luma in
      for y in 0..<height {
        let row = UnsafeMutableRawBufferPointer(start: samples + y * width, count: width), start = min(y, last) * stride
        row.copyMemory(from: UnsafeRawBufferPointer(rebasing: luma[start..<start + own]))
        if own < width { row[own] = row[own - 1] }
      }
    }
  }
}

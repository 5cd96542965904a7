import Frames

/// The position of one component's samples in memory.
struct SamplePlace {
  let plane: Int
  /// The first sample of a row, and the step from one to the next, counted in samples of any component.
  let first: Int
  let step: Int
  /// Pixels that share a sample.
  let across: Int
  let down: Int

  /// In samples. Odd sizes round up.
  func size(in format: FrameFormat) -> (width: Int, height: Int) {
    ((format.width + across - 1) / across, (format.height + down - 1) / down)
  }
}

extension PixelLayout {
  var samplePlaces: (luma: SamplePlace, cb: SamplePlace, cr: SamplePlace) {
    let (across, down) = (self.chroma.across, self.chroma.down)
    func luma(first: Int = 0, step: Int = 1) -> SamplePlace {
      SamplePlace(plane: 0, first: first, step: step, across: 1, down: 1)
    }
    func chroma(_ plane: Int, first: Int = 0, step: Int = 1) -> SamplePlace {
      SamplePlace(plane: plane, first: first, step: step, across: across, down: down)
    }
    switch self {
    case .yuv420p, .yuv422p, .yuv420p10, .yuv422p10, .yuv444p, .yuv444p10: return (luma(), chroma(1), chroma(2))
    case .yv12: return (luma(), chroma(2), chroma(1))
    case .nv12, .p010, .p210: return (luma(), chroma(1, first: 0, step: 2), chroma(1, first: 1, step: 2))
    case .nv21: return (luma(), chroma(1, first: 1, step: 2), chroma(1, first: 0, step: 2))
    case .yuyv, .y210: return (luma(step: 2), chroma(0, first: 1, step: 4), chroma(0, first: 3, step: 4))
    case .uyvy: return (luma(first: 1, step: 2), chroma(0, first: 0, step: 4), chroma(0, first: 2, step: 4))
    }
  }
}

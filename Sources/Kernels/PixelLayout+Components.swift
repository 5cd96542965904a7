import CKernels
import Frames

extension PixelLayout {
  /// The positions of each component's samples, for the kernels.
  var components: ck_layout {
    let places = places
    return ck_layout(
      y: places.y, cb: places.cb, cr: places.cr, sample_bytes: UInt8(bytesPerSample), shift: UInt8(codeShift),
      chroma_columns: UInt8(chroma.across), chroma_rows: UInt8(chroma.down), max_code: UInt16(1 << bitDepth) - 1)
  }

  private var places: (y: ck_component, cb: ck_component, cr: ck_component) {
    func at(_ plane: UInt8, _ offset: UInt8, every step: UInt8) -> ck_component {
      ck_component(plane: plane, offset: offset, step: step)
    }
    switch self {
    case .yuv420p, .yuv422p, .yuv444p: return (at(0, 0, every: 1), at(1, 0, every: 1), at(2, 0, every: 1))
    case .yv12: return (at(0, 0, every: 1), at(2, 0, every: 1), at(1, 0, every: 1))
    case .nv12: return (at(0, 0, every: 1), at(1, 0, every: 2), at(1, 1, every: 2))
    case .nv21: return (at(0, 0, every: 1), at(1, 1, every: 2), at(1, 0, every: 2))
    case .yuyv: return (at(0, 0, every: 2), at(0, 1, every: 4), at(0, 3, every: 4))
    case .uyvy: return (at(0, 1, every: 2), at(0, 0, every: 4), at(0, 2, every: 4))
    case .y210: return (at(0, 0, every: 4), at(0, 2, every: 8), at(0, 6, every: 8))
    case .yuv420p10, .yuv422p10, .yuv444p10: return (at(0, 0, every: 2), at(1, 0, every: 2), at(2, 0, every: 2))
    case .p010, .p210: return (at(0, 0, every: 2), at(1, 0, every: 4), at(1, 2, every: 4))
    }
  }
}

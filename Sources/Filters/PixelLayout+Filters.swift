import Frames

extension PixelLayout {
  /// FFmpeg's name of the layout, with `yv12`'s planes in the order of `yuv420p`.
  var filterName: String {
    switch self {
    case .nv12: "nv12"
    case .nv21: "nv21"
    case .yuv420p, .yv12: "yuv420p"
    case .yuyv: "yuyv422"
    case .uyvy: "uyvy422"
    case .yuv422p: "yuv422p"
    case .p010: "p010le"
    case .p210: "p210le"
    case .y210: "y210le"
    case .yuv420p10: "yuv420p10le"
    case .yuv422p10: "yuv422p10le"
    case .yuv444p: "yuv444p"
    case .yuv444p10: "yuv444p10le"
    }
  }
}

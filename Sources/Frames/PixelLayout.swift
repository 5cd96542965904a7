/// How the samples of a frame lie in memory: the layouts that the bake reads and writes directly.
///
/// Ten-bit layouts hold little-endian 16-bit words. `p010`, `p210` and `y210` (packed like `yuyv`) keep the ten bits in
/// the high end of the word, the `…p10` planar ones in the low end.
public enum PixelLayout: String, Hashable, Sendable, CaseIterable {
  case nv12, nv21, yuv420p, yv12
  case yuyv, uyvy, yuv422p
  case p010, p210, y210, yuv420p10, yuv422p10
  case yuv444p, yuv444p10

  public var bitDepth: Int {
    switch self {
    case .nv12, .nv21, .yuv420p, .yv12, .yuyv, .uyvy, .yuv422p, .yuv444p: 8
    case .p010, .p210, .y210, .yuv420p10, .yuv422p10, .yuv444p10: 10
    }
  }

  public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  /// Unused low bits of a word: its value is the code << `codeShift`.
  public var codeShift: Int {
    switch self {
    case .p010, .p210, .y210: 6
    case .nv12, .nv21, .yuv420p, .yv12, .yuyv, .uyvy, .yuv422p, .yuv420p10, .yuv422p10, .yuv444p, .yuv444p10: 0
    }
  }

  public var chroma: ChromaSubsampling {
    switch self {
    case .nv12, .nv21, .yuv420p, .yv12, .p010, .yuv420p10: .yuv420
    case .yuyv, .uyvy, .yuv422p, .p210, .y210, .yuv422p10: .yuv422
    case .yuv444p, .yuv444p10: .yuv444
    }
  }

  public var planeCount: Int {
    switch self {
    case .yuyv, .uyvy, .y210: 1
    case .nv12, .nv21, .p010, .p210: 2
    case .yuv420p, .yv12, .yuv422p, .yuv420p10, .yuv422p10, .yuv444p, .yuv444p10: 3
    }
  }

  /// Bytes of one row of plane `plane` without padding, for a frame `width` samples wide.
  ///
  /// An odd width rounds its chroma up, and a packed 4:2:2 row up to a whole pair.
  public func rowBytes(plane: Int, width: Int) -> Int {
    let pairs = (width + 1) / 2
    switch (planeCount, plane) {
    case (1, _): return pairs * 4 * bytesPerSample
    case (_, 0): return width * bytesPerSample
    case (2, _): return pairs * 2 * bytesPerSample
    default: return chroma.samples(width: width) * bytesPerSample
    }
  }

  /// Rows of plane `plane` for a frame `height` rows high; an odd height rounds 4:2:0 chroma up.
  public func rows(plane: Int, height: Int) -> Int {
    plane == 0 ? height : chroma.rows(height: height)
  }

  /// Whether the bake can convert it to `other`. It can do everything but reduce 4:4:4 chroma, which is left to the
  /// reader of such frames.
  public func isBaked(into other: PixelLayout) -> Bool { chroma != .yuv444 || other.chroma == .yuv444 }
}

/// 4:2:0 shares a chroma sample among 2×2 pixels, 4:2:2 among 2×1; in 4:4:4 each pixel has its own.
public enum ChromaSubsampling: Hashable, Sendable {
  case yuv420, yuv422, yuv444

  /// Pixels side by side that share a chroma sample: 1 or 2.
  public var across: Int { self == .yuv444 ? 1 : 2 }
  /// Rows of pixels that share a row of chroma samples: 1 or 2.
  public var down: Int { self == .yuv420 ? 2 : 1 }

  /// Chroma samples in a row of a frame `width` pixels wide; the last column of an odd width has its own.
  public func samples(width: Int) -> Int { (width + across - 1) / across }
  /// Rows of a chroma plane of a frame `height` rows high.
  public func rows(height: Int) -> Int { (height + down - 1) / down }
}

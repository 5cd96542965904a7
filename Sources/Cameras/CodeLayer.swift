import Frames

/// A picture before its last step: fractional code values, each with the deviation of its noise, in the sample order of
/// a pixel layout.
///
/// A code value is 64 units at 8 bits and 16 units at 10 bits, so that both fill 14 bits. A deviation of 1 is
/// 2^`deviationShift` / 32 code values of 8 bits.
///
/// `@unchecked Sendable`: it belongs to the one camera that draws in it, which is driven by one thread at a time.
@safe final class CodeLayer: @unchecked Sendable {
  struct Plane {
    let codes: PixelPlane<Int16>
    let deviations: PixelPlane<UInt8>
  }

  /// The position of a component: every `step`-th sample of a row of `plane`, from `first` on.
  struct Component {
    let plane: Int
    let first: Int
    let step: Int
  }

  let format: FrameFormat
  let planes: [Plane]
  let luma: Component
  let blueDifference: Component
  let redDifference: Component

  /// The highest sample in the layer's units.
  static let highest: Int16 = 16383

  init(format: FrameFormat) {
    self.format = format
    planes = (0..<format.planeCount).map { plane in
      let samples = format.layout.rowBytes(plane: plane, width: format.width) / format.layout.bytesPerSample
      let rows = format.layout.rows(plane: plane, height: format.height)
      return Plane(
        codes: PixelPlane(width: samples, height: rows, repeating: 0),
        deviations: PixelPlane(width: samples, height: rows, repeating: 0))
    }
    func component(_ plane: Int, _ first: Int, _ step: Int) -> Component {
      Component(plane: plane, first: first, step: step)
    }
    switch format.layout {
    case .nv12, .p010, .p210:
      (luma, blueDifference, redDifference) = (component(0, 0, 1), component(1, 0, 2), component(1, 1, 2))
    case .nv21:
      (luma, blueDifference, redDifference) = (component(0, 0, 1), component(1, 1, 2), component(1, 0, 2))
    case .yuv420p, .yuv422p, .yuv420p10, .yuv422p10, .yuv444p, .yuv444p10:
      (luma, blueDifference, redDifference) = (component(0, 0, 1), component(1, 0, 1), component(2, 0, 1))
    case .yv12:
      (luma, blueDifference, redDifference) = (component(0, 0, 1), component(2, 0, 1), component(1, 0, 1))
    case .yuyv, .y210:
      (luma, blueDifference, redDifference) = (component(0, 0, 2), component(0, 1, 4), component(0, 3, 4))
    case .uyvy:
      (luma, blueDifference, redDifference) = (component(0, 1, 2), component(0, 0, 4), component(0, 2, 4))
    }
  }

  /// Rows of pixels that share a row of chroma samples.
  var chromaRows: Int { format.layout.chroma.down }

  /// A row of one component: sample x is at `step` · x from either pointer; valid while the layer lives.
  @unsafe struct Row {
    let codes: UnsafeMutablePointer<Int16>
    let deviations: UnsafeMutablePointer<UInt8>
    let step: Int
  }

  func row(_ component: Component, _ y: Int) -> Row {
    let plane = planes[component.plane]
    return unsafe Row(
      codes: plane.codes.row(y) + component.first, deviations: plane.deviations.row(y) + component.first,
      step: component.step)
  }

  /// Sets `count` samples of a component without noise.
  func set(_ component: Component, row: Int, from first: Int, count: Int, to code: Int16) {
    let row = unsafe self.row(component, row)
    for sample in first..<first + count {
      unsafe row.codes[row.step * sample] = code
      unsafe row.deviations[row.step * sample] = 0
    }
  }

  /// Copies the samples of the pixels in `box` (even edges) from a layer of the same format.
  func copy(_ box: PixelBox, from other: CodeLayer) {
    guard !box.isEmpty else { return }
    for (index, plane) in planes.enumerated() {
      // Samples for a pair of pixels: 4 if packed, 2 of luma or of interleaved chroma, 1 of separate chroma.
      let perPair = planes.count == 1 ? 4 : index == 0 || planes.count == 2 ? 2 : 1
      let first = box.columns.lowerBound / 2 * perPair
      let count = min((box.columns.upperBound + 1) / 2 * perPair, plane.codes.width) - first
      let rows = index == 0 ? 1 : chromaRows
      let source = other.planes[index]
      for row in box.rows.lowerBound / rows..<(box.rows.upperBound + rows - 1) / rows {
        unsafe (plane.codes.row(row) + first).update(from: source.codes.row(row) + first, count: count)
        unsafe (plane.deviations.row(row) + first).update(from: source.deviations.row(row) + first, count: count)
      }
    }
  }
}

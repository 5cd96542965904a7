import Frames
import Kernels
import RecorderAPI

extension PictureKernel.View {
  /// What a request shows of a frame, in whole blocks of 2×2 pixels or up to the frame's end.
  init(of source: FrameFormat, _ request: PictureMaker.Request) {
    let crop = request.crop, right = 1 - crop.x - crop.width, bottom = 1 - crop.y - crop.height
    // The upright picture's crop as it lies in the frame.
    let (across, down) =
      switch request.rotation {
      case .none: ((crop.x, crop.width), (crop.y, crop.height))
      case .quarter: ((crop.y, crop.height), (right, crop.width))
      case .half: ((right, crop.width), (bottom, crop.height))
      case .threeQuarters: ((bottom, crop.height), (crop.x, crop.width))
      }
    let (left, columns) = Self.pixels(from: across.0, part: across.1, of: source.width)
    let (top, rows) = Self.pixels(from: down.0, part: down.1, of: source.height)
    let isTurned = request.rotation.isTurnedByQuarter
    let (whole, tall) = isTurned ? (rows, columns) : (columns, rows)
    var (width, height) = (whole, tall)
    if let wanted = request.width, wanted < whole {
      width = Self.even(Double(wanted / 2), upTo: whole)
      height = Self.even(Double(tall) * Double(width) / Double(whole) / 2, upTo: tall)
    }
    self.init(
      left: left, top: top, columns: columns, rows: rows, rotation: request.rotation, width: width, height: height)
  }

  /// An even number of pixels, at least 2 where there are as many.
  private static func even(_ pairs: Double, upTo most: Int) -> Int {
    most < 2 ? most : 2 * min(max(Int(pairs.rounded()), 1), most / 2)
  }

  /// A part of one side of a frame. Parts of one size have the same number of pixels wherever they begin, unless they
  /// reach the end of an odd side.
  private static func pixels(from: Double, part: Double, of side: Int) -> (first: Int, count: Int) {
    let size = Double(side)
    if part * size > size - 0.5 { return (0, side) }
    let count = even(part * size / 2, upTo: side), first = 2 * Int((max(from, 0) * size / 2).rounded())
    if side % 2 == 1, (from + part) * size > size - 0.5 {
      let begin = min(first, side - 1)
      return (begin, side - begin)
    }
    return (min(first, side / 2 * 2 - count), count)
  }
}

import CFFmpeg
import Frames

/// What pictures of one stream have in common as long as its format does not change.
struct ClipPictureShape: Hashable {
  let width: Int32
  let height: Int32
  let format: Int32

  init(_ picture: UnsafePointer<AVFrame>) {
    width = picture.pointee.width
    height = picture.pointee.height
    format = picture.pointee.format
  }

  var pixelFormat: AVPixelFormat { AVPixelFormat(format) }
  /// `1920x1080 yuv420p`.
  var words: String { "\(width)x\(height) \(pixelFormat.name)" }
}

extension FrameFormat {
  /// The format of `picture`, rows as they lie there, in a layout that has its samples as they are.
  init(_ picture: UnsafePointer<AVFrame>, layout: PixelLayout, color: ColorDescription) {
    let strides = picture.pointee.linesize
    self.init(
      width: Int(picture.pointee.width), height: Int(picture.pointee.height), layout: layout, color: color,
      strides: [Int(strides.0), Int(strides.1), Int(strides.2)])
  }

  /// Whether the rows of `picture` lie as this format says.
  func hasStrides(of picture: UnsafePointer<AVFrame>) -> Bool {
    let strides = picture.pointee.linesize
    return stride(plane: 0) == strides.0 && (planeCount < 2 || stride(plane: 1) == strides.1)
      && (planeCount < 3 || stride(plane: 2) == strides.2)
  }
}

import CFFmpeg
import Frames

/// What the frames of a stream have in common until its format changes.
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
  /// The format of `picture` with its strides, in a layout that holds its samples as they are.
  init(_ picture: UnsafePointer<AVFrame>, layout: PixelLayout, color: ColorDescription) {
    let strides = picture.pointee.linesize
    self.init(
      width: Int(picture.pointee.width), height: Int(picture.pointee.height), layout: layout, color: color,
      strides: [Int(strides.0), Int(strides.1), Int(strides.2)])
  }

  /// Whether `picture` has the strides of this format.
  func hasStrides(of picture: UnsafePointer<AVFrame>) -> Bool {
    let strides = picture.pointee.linesize
    return stride(plane: 0) == strides.0 && (planeCount < 2 || stride(plane: 1) == strides.1)
      && (planeCount < 3 || stride(plane: 2) == strides.2)
  }
}

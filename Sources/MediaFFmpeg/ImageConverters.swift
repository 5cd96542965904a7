public import Cameras
public import Frames

/// Chooses the converter for a camera's images.
public enum ImageConverters {
  /// The converter for images of `format`; `nil` if the bake reads them as they are.
  ///
  /// - Parameter frames: converted frames that may be out at once.
  /// - Throws: code `device` for a pixel format that cannot be converted.
  public static func make(for format: CameraFormat, frames: Int) throws(CamrecError) -> (any ImageConverter)? {
    switch format.image {
    case .raw: nil
    case .encoded(let code) where code == FourCC("MJPG") || code == FourCC("JPEG"):
      try JPEGDecoder(width: format.width, height: format.height, color: format.color, frames: frames)
    case .encoded(let code):
      try SwscaleConverter(
        encoding: code, width: format.width, height: format.height, color: format.color, frames: frames)
    }
  }
}

import Cameras
import Frames
import MediaFFmpeg

/// Chooses what makes pictures of a camera's encoded images.
enum ImageConverters {
  static func make(
    _ encoding: FourCC, _ camera: CameraFormat, cameraName: String, frames: Int
  ) throws(CamrecError) -> any ImageConverter {
    throw CamrecError(.device, "\(cameraName) delivers \(encoding), which camrec does not read; choose another --pixel-format")
  }
}

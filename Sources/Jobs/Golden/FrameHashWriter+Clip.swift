import Cameras
package import Frames
package import MediaFFmpeg
import Movies

extension FrameHashWriter {
  /// Creates the hash recording of a clip's frames, as they are decoded.
  ///
  /// - Throws: code `output`.
  package static func open(of clip: ClipCamera, to path: String) throws(CamrecError) -> FrameHashWriter {
    let format = clip.format
    guard case .raw(let layout) = format.image else { throw CamrecError(.defect, "a clip delivers encoded frames") }
    return try FrameHashWriter.open(
      MovieSettings(
        path: path, container: .framemd5,
        format: FrameFormat(width: format.width, height: format.height, layout: layout, color: format.color),
        frameRate: clip.frameRate, timeBase: format.timeBase, audio: nil, encoding: VideoEncoding(), creationTime: 0,
        isLive: false), together: true)
  }
}

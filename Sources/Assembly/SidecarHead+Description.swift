import Audio
import Foundation
import Frames
import Movies
import Platform
package import Reporting
package import Sidecar

extension SidecarHead {
  /// The head for a recording's film.
  package init(_ description: RecordingDescription, _ dated: FirstFrameSettings.Dated) {
    self.init(
      software: "camrec \(Product.version)", film: PathText(description.output).name,
      camera: description.camera, width: description.width, height: description.height,
      pixelFormat: description.pixelFormat, frameRate: description.frameRate, timeBase: dated.settings.timeBase,
      colorIn: description.colorIn, colorOut: description.colorOut, lutTitle: description.lutTitle,
      lutSHA256: description.lutSHA256, look: description.look, bakedOn: description.bakedOn, codec: description.codec,
      microphone: description.microphone, sampleRate: dated.settings.audio?.sampleRate, start: dated.date,
      timecode: dated.settings.timecode?.description)
  }
}

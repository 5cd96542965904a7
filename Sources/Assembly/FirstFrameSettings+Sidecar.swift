import Audio
import Movies
package import RecorderAPI
import Reporting
package import Sidecar

extension FirstFrameSettings.Dated {
  /// The head of the film's sidecar.
  package func head(of description: RecordingDescription) -> SidecarHead {
    SidecarHead(
      description, software: "camrec \(Product.version)", timeBase: settings.timeBase,
      sampleRate: settings.audio?.sampleRate, start: date, timecode: settings.timecode?.description)
  }
}

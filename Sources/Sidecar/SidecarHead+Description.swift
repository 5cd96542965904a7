public import Foundation
public import Frames
import Platform
public import RecorderAPI

extension SidecarHead {
  /// The head of a recording's film.
  ///
  /// - Parameters:
  ///   - software: the program and its version.
  ///   - timeBase: seconds per tick of the film's frame times.
  ///   - sampleRate: of the film's audio, in hertz; `nil` without audio.
  ///   - start: when the first frame was taken.
  ///   - timecode: the first frame's.
  public init(
    _ description: RecordingDescription, software: String, timeBase: Rational, sampleRate: Int?, start: Date,
    timecode: String?
  ) {
    self.init(
      software: software, film: PathText(description.output).name, camera: description.camera,
      width: description.width, height: description.height, pixelFormat: description.pixelFormat,
      frameRate: description.frameRate, timeBase: timeBase, colorIn: description.colorIn,
      colorOut: description.colorOut, lutTitle: description.lut?.title, lutSHA256: description.lut?.sha256,
      look: description.look, bakedOn: description.bakedOn, codec: description.codec,
      microphone: description.microphone, sampleRate: sampleRate, start: start, timecode: timecode,
      identity: description.identity)
  }
}

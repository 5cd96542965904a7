import Cameras
package import Frames
package import MediaFFmpeg
package import Reporting

/// The frames of a clip, one after another.
///
/// Thread: one at a time.
package final class ClipPictures {
  /// A frame; its memory is reused when it goes.
  package final class Picture {
    package let picture: Frame
    package let time: SourceTime

    package init(_ picture: consuming Frame, at time: SourceTime) {
      self.picture = picture
      self.time = time
    }
  }

  package let clip: ClipCamera
  package let path: String
  /// Of the frames' times.
  package let timeBase: Rational
  /// Advances with each frame.
  package var progress: WorkProgress?
  /// Number of frames delivered, and the times of the first and the last one.
  private var count = 0
  private var times: ClosedRange<Int64>?

  /// - Parameter kept: how many frames the caller keeps while it asks for the next.
  /// - Throws: as `ClipCamera.open`.
  package init(path: String, keeping kept: Int = 0) throws(CamrecError) {
    self.path = path
    clip = try ClipCamera.open(path: path, paced: false, frames: 2 + kept, keepsFullChroma: true, keepsTimes: true)
    timeBase = clip.format.timeBase ?? Rational(1)
    try clip.start()
  }

  deinit { clip.stop() }

  /// Frames to come, gaps not counted if the file lists its frames; `nil` if it does not say.
  package var expectedFrames: Int? {
    // Edits leave out frames that are listed.
    clip.listedFrames.map { min($0, clip.expectedFrames ?? $0) } ?? clip.expectedFrames
  }

  /// Seconds per tick.
  package var seconds: Double { timeBase.doubleValue }

  /// - Returns: `nil` at the end.
  /// - Throws: code `input` for a frame that does not decode, or a clip that is cut off.
  package func next() throws(CamrecError) -> Picture? {
    while true {
      switch try clip.next() {
      case .frame(let frame):
        guard let time = frame.sourceTime, case .frame(let picture) = frame.takeImage() else {
          throw CamrecError(.defect, "a clip delivers a frame without its time")
        }
        progress?.advance()
        count += 1
        times = min(times?.lowerBound ?? time.ticks, time.ticks)...max(times?.upperBound ?? time.ticks, time.ticks)
        return Picture(picture, at: time)
      case .damaged:
        throw CamrecError(.input, "a frame of '\(path)' cannot be decoded, \(place)", cause: clip.endWarnings.first)
      case .nothing: continue
      case .ended:
        guard !clip.isCutOff else {
          throw CamrecError(.input, "'\(path)' is cut off", cause: clip.endWarnings.last)
        }
        return nil
      }
    }
  }

  /// Where in the clip the next frame would be.
  private var place: String {
    guard let times else { return "the first one" }
    let time = Double(times.upperBound.subtractingSaturated(times.lowerBound)) * seconds
    return "after frame \(count - 1) (\(HumanText.fixed(time, 3)) s)"
  }
}

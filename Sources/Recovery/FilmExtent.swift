package import Frames
import MovieBoxes
package import Sidecar

/// How far a film's file goes: the frames and the audio in it, as a sidecar is compared with them.
package struct FilmExtent: Sendable {
  /// The frames' times in ticks, rising.
  let pictures: TimeRuns
  /// Ticks a second.
  let timescale: Int64
  /// Ticks by which a frame's time may differ from the sidecar's: not 0 where the container has rounded it.
  let tolerance: Int64
  /// Samples of each channel, silence in place of gaps included; `nil` without audio.
  let soundSamples: Int64?
  /// Where the gaps lie, counted from the first sample.
  let silence: [Range<Int64>]

  package init(
    pictures: TimeRuns, timescale: Int64, tolerance: Int64 = 0, soundSamples: Int64?, silence: [Range<Int64>] = []
  ) {
    self.pictures = pictures
    self.timescale = timescale
    self.tolerance = tolerance
    self.soundSamples = soundSamples
    self.silence = silence
  }

  init(_ salvage: MovieSalvage) {
    var times = TimeRuns()
    salvage.presentationTimes { times.append($0) }
    self.init(
      pictures: times, timescale: Int64(salvage.timescale),
      soundSamples: salvage.soundSamples.map { Int64(clamping: $0) },
      silence: salvage.silence.map { Int64(clamping: $0.lowerBound)..<Int64(clamping: $0.upperBound) })
  }

  /// What the film has, and what it lacks of what its sidecar says was written.
  ///
  /// - Parameter sidecar: its path.
  /// - Throws: code `input` if the sidecar cannot be read.
  package func content(comparedWith sidecar: String) throws(CamrecError) -> SidecarSummary.FilmContent {
    let comparison = try SidecarComparison(self, sidecar: sidecar)
    return SidecarSummary.FilmContent(
      frames: comparison.frames, missing: comparison.missingFrames, unwritten: comparison.unwritten,
      seconds: comparison.seconds, silentSamples: comparison.silentSamples,
      missingSamples: comparison.missingSamples ?? 0)
  }
}

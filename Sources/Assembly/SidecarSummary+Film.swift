import Frames
import MediaFFmpeg
import RecorderRemote
import Recovery
package import Sidecar

extension SidecarSummary {
  /// Looks into the film beside a sidecar that is open, or says that the film ended early; not if the film is being
  /// recorded, is neither a .mov in fragments nor a .mkv, or cannot be read.
  ///
  /// - Parameter seconds: the time that reading a .mkv may take.
  package mutating func lookIntoFilm(within seconds: Double = .infinity) {
    guard isOpen || recovery == nil && end?.failure != nil, let film else { return }
    guard !RecorderDirectory().isRecording(film), let found = try? FilmRecovery(isDry: true).recover(film) else {
      return
    }
    switch found.verdict {
    case .recoverable:
      look(
        into: FilmContent(
          frames: found.frames, missing: found.missing ?? 0, unwritten: found.unwritten ?? 0,
          seconds: found.seconds, silentSamples: found.silentSamples, missingSamples: found.missingSamples ?? 0))
    case .matroska where isOpen:
      guard let extent = try? SidecarSummary.extent(ofMatroska: film, within: seconds),
        let content = try? extent.content(comparedWith: path)
      else { return }
      look(into: content, isInFragments: false)
    default: return
    }
  }

  private static func extent(ofMatroska film: String, within seconds: Double) throws(CamrecError) -> FilmExtent {
    var times = TimeRuns()
    let packets = try FilmPackets(path: film, within: seconds) { times.append($0) }
    // A damaged header may say anything.
    let rate = packets.timeBase.inverse
    guard rate.denominator == 1, rate.numerator > 0 else {
      throw CamrecError(.input, "the times of \(film) are no film's")
    }
    // A time is rounded to a tick, a millisecond.
    return FilmExtent(
      pictures: times, timescale: rate.numerator, tolerance: 1,
      soundSamples: packets.soundSamples, silence: packets.soundGaps)
  }
}

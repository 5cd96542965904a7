import Frames
import RecorderRemote
import Recovery
package import Sidecar

extension SidecarSummary {
  /// Looks into the film beside a sidecar that is open, or says that the film ended early; not if the film is being
  /// recorded, is no .mov in fragments, or cannot be read.
  package mutating func lookIntoFilm() {
    guard isOpen || recovery == nil && end?.failure != nil, let film else { return }
    guard !RecorderDirectory().isRecording(film), let found = try? FilmRecovery(isDry: true).recover(film),
      found.verdict == .recoverable
    else { return }
    look(
      into: FilmContent(
        frames: found.frames, missing: found.missing ?? 0, unwritten: found.unwritten ?? 0,
        seconds: found.seconds, lostSamples: found.silentSamples.addingSaturated(found.missingSamples ?? 0)))
  }
}

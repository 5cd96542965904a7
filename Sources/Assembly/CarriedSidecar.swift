package import Foundation
package import Frames
package import MediaFFmpeg
package import Movies
import Platform
package import Recorder
import RecorderAPI
import RecorderRemote
import Reporting
package import Sidecar
import Synchronization

/// A clip's sidecar, carried over to the film that is baked from the clip.
package struct CarriedSidecar: Sendable {
  private let original: SidecarReader
  private let clip: String
  private let film: String
  private let place: String
  /// The clip's time of the film's first frame, in seconds.
  private let offset: Double
  private let isBeingRecorded: @Sendable () -> Bool
  private let reachesEnd: @Sendable () -> Bool
  private let earlier = EarlierLosses()

  /// Frames that were lost before the bake, once its film has ended; `isAtLeast`: there may be more.
  private final class EarlierLosses: Sendable {
    let told = Mutex<(frames: Int64, isAtLeast: Bool)>((0, false))
  }

  /// - Parameters:
  ///   - film: the film's final name.
  ///   - place: the path where the film is written, with its sidecar beside it.
  /// - Returns: `nil` for a clip without a sidecar.
  /// - Throws: code `input` for a sidecar that cannot be read.
  package init?(_ clip: ClipCamera, film: String, beside place: String) throws(CamrecError) {
    let path = SidecarFile.path(ofFilm: clip.path)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    original = try SidecarReader(path: path)
    self.clip = PathText(clip.path).name
    self.film = PathText(film).name
    self.place = place
    offset = Double(clip.firstTime.nanoseconds) / 1e9
    // A clip that was cut off has lost its last frames, unless they are still to come or to be found.
    let isBeingRecorded = { @Sendable [path = clip.path] in RecorderDirectory().isRecording(path) }
    self.isBeingRecorded = isBeingRecorded
    reachesEnd = { clip.isReadWhole && !isBeingRecorded() }
  }

  /// The recording that the clip is a film of; `nil` if its sidecar does not say.
  package var recording: UUID? { original.head.identity?.recording }

  /// - Parameter head: the head that the bake alone would give the film.
  package func writer(_ head: SidecarHead) throws(CamrecError) -> SidecarWriter {
    let from = original.head
    var head = head
    (head.film, head.bakedFrom, head.bakedFromID) = (film, clip, from.identity?.film)
    (head.camera, head.width, head.height, head.pixelFormat) = (from.camera, from.width, from.height, from.pixelFormat)
    if head.sampleRate != nil { head.microphone = from.microphone }
    head.start = from.start.addingTimeInterval(offset)
    let title = from.lutTitle ?? "untitled"
    let earlier = from.lutSHA256.map { "'\(clip)' was already baked with the LUT '\(title)', sha256 \($0)" }
    let isFirst = head.lutSHA256 == nil
    // Without a LUT of its own, a bake that goes on with the clip's colours adds nothing to what made them.
    if isFirst, head.colorIn == from.colorOut { head.colorIn = from.colorIn }
    if isFirst { (head.lutTitle, head.lutSHA256) = (from.lutTitle, from.lutSHA256) }
    // Where both have a look, a warning names the clip's.
    if head.look == nil, let look = from.look {
      // The film may begin behind the clip's first frame.
      let missing = Int64(saturating: (offset * from.frameRate.framesPerSecond).rounded())
      head.look = look.from(frame: (look.frame ?? 0).addingSaturated(max(0, missing)))
    }
    // If it is true of the new film, that warns itself.
    let earlierLosses = self.earlier, account = original.path
    let writer = try SidecarWriter(
      film: place, head: head, carrying: original, from: offset, omitting: [ColorPlan.fullRange],
      isGrowing: isBeingRecorded, reachesEnd: reachesEnd,
      originalContent: { CarriedSidecar.filmContent(besideSidecar: account) },
      lostBefore: { frames, isAtLeast in earlierLosses.told.withLock { $0 = (frames, isAtLeast) } })
    if let earlier, !isFirst { writer.append(.note(earlier, seconds: 0)) }
    return writer
  }

  /// What the film beside an open sidecar has.
  private static func filmContent(besideSidecar path: String) -> SidecarSummary.FilmContent? {
    guard var summary = try? SidecarSummary(path: path) else { return nil }
    summary.lookIntoFilm()
    return summary.content
  }

  /// By the clip's times; those up to a damaged record.
  package var markers: [ClipChapter] {
    var markers: [ClipChapter] = []
    _ = try? original.records {
      if case .marker(let text, let seconds) = $0 { markers.append(ClipChapter(title: text, seconds: seconds)) }
    }
    return markers
  }

  /// What was lost before the bake, once its film is finished; `nil`: nothing. If the clip was baked itself, its
  /// sidecar does not tell the losses of that bake from those of the recording.
  package var earlierLosses: SessionRemark? {
    var last: SidecarEnd?
    do throws(CamrecError) {
      let account = try SidecarReader(path: SidecarFile.path(ofFilm: place))
      _ = try account.records { if case .end(let end) = $0 { last = end } }
    } catch {
      return nil
    }
    guard let end = last else { return nil }
    let (lost, isAtLeast) = earlier.told.withLock { $0 }
    guard lost > 0 || isAtLeast else { return nil }
    let who = original.head.bakedFrom == nil ? "the recording" : "the recording or an earlier bake"
    let frames = HumanText.count(lost, "frame"), rest = "in parts of the clip's sidecar that cannot be read"
    let sentence =
      if !isAtLeast {
        "had lost \(lost) of \(HumanText.count(end.expected, "frame")) before the bake; 'camrec info' lists them"
      } else if lost > 0 {
        "had lost at least \(frames) before the bake ('camrec info' lists them); more may be \(rest)"
      } else {
        "may have lost frames before the bake: losses may be \(rest)"
      }
    var facts: [String: String] = [:]
    if lost > 0 { facts[SessionRemark.lostBefore] = "\(lost)" }
    if isAtLeast { facts[SessionRemark.isAtLeast] = "true" } else { facts["expected"] = "\(end.expected)" }
    return SessionRemark("\(who) \(sentence)", facts: facts, isWarning: false)
  }
}

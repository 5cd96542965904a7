import Foundation
import Frames
import Movies
import Sidecar

/// Files that are renamed, deleted or replaced while they are being recorded.
extension RecordingSession {
  /// The film was renamed and continues under its new name. Thread: the one that owns the segment; does not wait.
  func follow(_ segment: OpenSegment, to path: String) {
    guard segment.place != .renamed(path) else { return }
    let old = segment.path
    segment.place = .renamed(path)
    segment.path = path
    say(
      SessionRemark(
        "'\(old)' was renamed while it was being recorded; the film continues as '\(path)'",
        facts: ["renamed": path]), of: segment)
    segment.sidecar?.follow(from: old, to: path)
    state.renamed(old, to: path)
    parts.observers.forEach { $0.renamed(from: old, to: path) }
  }

  /// The film's file was deleted or replaced. Thread: the one that owns the segment; does not wait.
  func loses(_ segment: OpenSegment, goesOn: Bool) {
    guard segment.place != .unlinked else { return }
    segment.place = .unlinked
    var sentence = "'\(segment.path)' was deleted or replaced by another file while it was being recorded"
    // A camera that hangs may let that wait.
    if goesOn { sentence += "; the recording continues in a new file with the next frame" }
    if parts.rescue != nil { sentence += "; camrec copies what was recorded" }
    say(SessionRemark(sentence, facts: ["deleted": segment.path], isError: true), of: segment)
  }

  /// The film's place is unknown.
  func misses(_ segment: OpenSegment) {
    guard segment.place != .unknown else { return }
    segment.place = .unknown
    say(
      SessionRemark(
        "'\(segment.path)' is missing, or is not the file being recorded; find the film, and do not move it again "
          + "before the recording ends"), of: segment)
  }

  /// Warns about a file. If another one has followed it, the warning is still about this one: it stands in its sidecar,
  /// or in none if that is complete.
  func say(_ remark: SessionRemark, of segment: OpenSegment) {
    var remark = remark
    if !segment.path.isEmpty { remark.film = segment.path }
    let isSaid = state.remark(remark, isNoted: segment.end == nil)
    guard isSaid, let end = segment.end, let sidecar = segment.sidecar, !sidecar.hasEnd else { return }
    sidecar.append(
      .warning(remark.message, seconds: Double(end.ticks - segment.firstTicks) * timeBase.doubleValue))
  }

  /// Checks the name of a finished file that is still open; makes a copy if the file was deleted. Waits for the disk.
  func settlePlace(of segment: OpenSegment) {
    switch segment.sink.look() {
    case .inPlace: break
    case .renamed(let path): follow(segment, to: path)
    case .unknown: misses(segment)
    case .unlinked:
      loses(segment, goesOn: false)
      copy(segment)
    }
  }

  private func copy(_ segment: OpenSegment) {
    guard let rescue = parts.rescue else { return }
    let lost = segment.path
    do throws(CamrecError) {
      let path = try rescue.copy(segment.sink, of: lost)
      segment.path = path
      segment.place = .renamed(path)
      state.hasRescued()
      state.renamed(lost, to: path)
      parts.observers.forEach { $0.renamed(from: lost, to: path) }
      say(HeldFilm.success(lost, path), of: segment)
    } catch {
      let held = HeldFilm(segment, rescue, because: error)
      say(SessionRemark(held.sentence, facts: ["deleted": lost], isError: true), of: segment)
      segment.held = held
    }
  }

  /// Moves a completely written sidecar beside its film. Waits for the disk.
  func settleSidecar(of segment: OpenSegment) {
    guard let sidecar = segment.sidecar, !sidecar.hasFailed else { return }
    guard !sidecar.isStalled else {
      if case .renamed = segment.place {
        say(
          SessionRemark("the sidecar '\(sidecar.path)' was not renamed with its film: its disk does not answer"),
          of: segment)
      }
      return
    }
    let path: String
    switch segment.place {
    case .renamed(let new): path = new
    case .inPlace where sidecar.isElsewhere: path = segment.path
    case .inPlace, .unlinked, .unknown: return
    }
    do throws(CamrecError) {
      try sidecar.settle(besideFilm: path) { [rescue = parts.rescue] in rescue.flatMap { $0.room(path) } }
    } catch {
      say(SessionRemark("the film '\(path)' has no sidecar: \(error.description)"), of: segment)
    }
  }
}

/// The write thread acts on what the disk's threads have found.
extension FilmWriting {
  /// Called after each item, and while none comes; allocates nothing while every file keeps its name.
  func lookAtPlaces() {
    for file in closing where file.sink.place != file.place { act(on: file) }
    if let current, current.sink.place != current.place { act(on: current) }
  }

  private func act(on file: OpenSegment) {
    switch file.sink.place {
    case .inPlace: file.place = .inPlace
    case .renamed(let path): session.follow(file, to: path)
    case .unknown: session.misses(file)
    case .unlinked:
      let next = file === current ? plan ?? session.parts.continuation : nil
      session.loses(file, goesOn: next != nil)
      guard let next else { return }
      schedule.partNow(behind: max(last.ticks, file.firstTicks), soundEnd: soundEnd)
      if preparation == nil { preparation = SegmentPreparation(next.prepare) }
    }
  }
}

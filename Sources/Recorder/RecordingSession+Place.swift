import Foundation
import Frames
import Movies
import Sidecar

/// Files that somebody renames, deletes or replaces while they are recorded.
extension RecordingSession {
  /// The film has another name now: it goes on under that. The thread that has the segment; waits for nobody.
  func follow(_ segment: OpenSegment, to path: String) {
    guard segment.place != .renamed(path) else { return }
    let old = segment.path
    segment.place = .renamed(path)
    segment.path = path
    state.remark(
      SessionRemark(
        "'\(old)' was renamed while it was being recorded: the film goes on as '\(path)'",
        facts: ["renamed": path]))
    segment.sidecar?.follow(from: old, to: path)
    state.renamed(old, to: path)
    parts.observers.forEach { $0.renamed(from: old, to: path) }
  }

  /// The film has no name any more. The thread that has the segment; waits for nobody.
  func loses(_ segment: OpenSegment, goesOn: Bool) {
    guard segment.place != .unlinked else { return }
    segment.place = .unlinked
    var sentence = "'\(segment.path)' was deleted or replaced by another file while it was being recorded"
    if goesOn { sentence += ": the recording goes on in a new file" }
    if parts.rescue != nil { sentence += "; camrec is copying what was recorded" }
    state.remark(SessionRemark(sentence, facts: ["deleted": segment.path], isError: true))
  }

  /// Nobody can say where the film is.
  func misses(_ segment: OpenSegment) {
    guard segment.place != .unknown else { return }
    segment.place = .unknown
    state.warn(
      "the name '\(segment.path)' leads to no file, or to another one than is being recorded: look where the film is,"
        + " and leave it where it was until the recording has ended")
  }

  /// Looks at the name of a file that is finished and still open; makes a copy where it has none any more. Waits for
  /// the disk.
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
      state.remark(HeldFilm.success(lost, path))
    } catch {
      let held = HeldFilm(segment, rescue, because: error)
      state.remark(SessionRemark(held.sentence, facts: ["deleted": lost], isError: true))
      segment.held = held
    }
  }

  /// Brings the sidecar beside its film, when all of it is written. Waits for the disk.
  func settleSidecar(of segment: OpenSegment) {
    guard let sidecar = segment.sidecar, !sidecar.hasFailed else { return }
    guard !sidecar.isStalled else {
      if case .renamed = segment.place { state.warn("the sidecar '\(sidecar.path)' keeps its name: it does not answer") }
      return
    }
    // Nobody can say where these are.
    let path: String
    switch segment.place {
    case .renamed(let new): path = new
    case .inPlace where sidecar.isElsewhere: path = segment.path
    case .inPlace, .unlinked, .unknown: return
    }
    do throws(CamrecError) {
      try sidecar.settle(besideFilm: path) { [rescue = parts.rescue] in rescue.flatMap { $0.room(path) } }
    } catch {
      state.warn("the film '\(path)' has no sidecar: \(error.description)")
    }
  }
}

/// The write thread looks at what the disk's threads have found.
extension FilmWriting {
  /// Behind each item; allocates nothing while every file has its name.
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

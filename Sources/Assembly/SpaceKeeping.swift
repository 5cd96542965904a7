import Foundation
package import Frames
import Movies
import Platform
package import Recorder
import RecorderAPI
import Reporting
package import Retention
import Synchronization

/// Checks once a second how much room a recorder's disk has: warns when it gets low, has room made, and ends the film
/// while it can still be finished.
///
/// Runs on a thread of its own (`camrec-space`): a disk that does not answer delays nothing else. Thread: any.
package final class SpaceKeeping: Sendable {
  private struct State {
    var space: SpaceGuard
    /// The film that was prepared last: the bytes a second expected of it, and its path.
    var expected: Double?
    var path: String?
    /// The recorder on this disk, from `watch` on.
    var recorder: RecorderService?
    /// When the room was measured last behind the recorder's end.
    var refreshed: MonotonicTime?
  }

  private let full: SpaceGuard.Full
  /// `nil` if no folder's films are managed.
  package let films: FilmKeeping?
  /// Asks how much room there is before a film begins.
  private let rooms = PatientWorker(name: "camrec-room")
  private let state: Mutex<State>
  private let isClosed = Atomic<Bool>(false)
  private let bell: MonotonicSemaphore
  private let thread = Mutex<WorkThread?>(nil)

  private static let interval = 1.0
  /// Seconds that entering the last film may take: longer than another camrec holds the catalogue.
  private static let farewell = 10.0
  /// Seconds that a film goes on after the check for the one that follows it.
  private static let parting = 1.0
  /// Seconds that a check of the disk waits for the films' folder; the room is checked all the same.
  private static let longestWork = 1.0

  package init(marks: [SpaceMark], full: SpaceGuard.Full, films: FilmKeeping?) {
    self.full = full
    self.films = films
    // What happens to a film is entered at once.
    bell = films?.bell ?? MonotonicSemaphore()
    state = Mutex(State(space: SpaceGuard(marks: marks, full: full)))
  }

  /// Sets the path of the film to come.
  package func begin(beside path: String) { state.withLock { $0.path = path } }

  /// Begins to check.
  package func watch(_ recorder: RecorderService) {
    state.withLock { $0.recorder = recorder }
    thread.withLock {
      $0 = WorkThread(name: "camrec-space") { [self] in
        while !isClosed.load(ordering: .acquiring) {
          look(recorder)
          bell.wait(within: SpaceKeeping.interval)
        }
        // The last report is how the disk is left. Twice: what is deleted now counts too, but the films' folder may not
        // answer.
        guard let path = state.withLock({ $0.path }) else { return }
        tell(recorder, freeBytes: FreeSpace.bytes(beside: path))
        guard let films else { return }
        _ = films.perform(beside: path) { $0.end(beside: path) }
        tell(recorder, freeBytes: FreeSpace.bytes(beside: path))
      }
    }
  }

  /// Call when the recorder has ended. Enters its last film in the catalogue, but does not wait for a catalogue that
  /// does not answer. Then the next recorder of this name enters that film.
  ///
  /// - Returns: why the film was not entered, for people; `nil` if it was, as far as camrec knows.
  package func close() -> SessionRemark? {
    isClosed.store(true, ordering: .releasing)
    bell.signal()
    guard let thread = thread.withLock({ $0 }) else { return nil }
    let end = MonotonicTime.now().advanced(by: Int64(SpaceKeeping.farewell * 1e9))
    while !thread.join(within: 0.1) {
      if stalledPath != nil { break }
      guard MonotonicTime.now() < end else { return films.map { SpaceSentences.notDone($0.plan.folder ?? ".") } }
    }
    guard films != nil, let path = stalledPath else { return nil }
    return SpaceSentences.notEntered(path)
  }

  /// Measures the room again, for the reports of a recorder that has ended and waits for its hook. Does nothing within
  /// a second of the last time, or while the disk does not answer.
  package func refresh() {
    let now = MonotonicTime.now()
    let (recorder, path) = state.withLock { state -> (RecorderService?, String?) in
      if let last = state.refreshed, Double(now - last) * 1e-9 < SpaceKeeping.interval { return (nil, nil) }
      state.refreshed = now
      return (state.recorder, state.path)
    }
    guard let recorder, let path, rooms.stalledPath == nil,
      case .some(let free) = rooms.run(about: PathText(path).folderOrDot, { FreeSpace.bytes(beside: path) })
    else { return }
    tell(recorder, freeBytes: free)
  }

  /// Tells a recorder how much room there is, but no time left: it has ended, or the room is unknown.
  private func tell(_ recorder: RecorderService, freeBytes: Int64?) {
    recorder.tell(freeBytes: freeBytes, secondsLeft: nil, deletedFilms: films?.deletedFilms)
  }

  /// The path beside the film that does not answer; `nil` if everything does.
  package var stalledPath: String? { films?.stalledPath ?? rooms.stalledPath }

  /// The bytes a second expected of the film that was prepared last; `nil` if that is not known.
  package var expectation: Double? { state.withLock { $0.expected } }

  /// Expects again what was expected before a film that does not begin.
  package func expect(bytesPerSecond: Double?) {
    state.withLock { $0.expected = bytesPerSecond }
    films?.expect(bytesPerSecond: bytesPerSecond)
  }

  /// Expects a film that may begin later, and asks for no room: `admit` does when it begins.
  ///
  /// - Parameter bytesPerSecond: the rate expected of the film, if known.
  package func expect(_ path: String, bytesPerSecond: Double?) {
    begin(beside: path)
    expect(bytesPerSecond: bytesPerSecond)
  }

  /// Throws if there is no room for a film; first makes room if it may.
  ///
  /// - Parameter bytesPerSecond: the rate expected of the film, if known.
  /// - Throws: code `output`.
  package func admit(_ path: String, bytesPerSecond: Double?) throws(CamrecError) {
    state.withLock { $0.expected = bytesPerSecond }
    try admit(path)
  }

  /// The same, at the rate that was expected last.
  package func admit(_ path: String) throws(CamrecError) {
    let expected = state.withLock { state in
      state.path = path
      return state.expected
    }
    films?.expect(bytesPerSecond: expected)
    try require(SpaceGuard.needed(bytesPerSecond: expected ?? 0), beside: path, bytesPerSecond: expected)
  }

  /// Throws if there would be no room for a film that follows the one being recorded; first makes room if it may.
  ///
  /// Before the first film, nobody knows how much it takes: deleting for less could be useless. Its start checks.
  ///
  /// - Parameter bytesPerSecond: the rate expected of it, if known.
  /// - Throws: code `output`.
  package func check(_ path: String, bytesPerSecond: Double?) throws(CamrecError) {
    let (recorder, expected) = state.withLock { ($0.recorder, $0.expected) }
    guard (bytesPerSecond ?? expected) != nil || recorder?.isRecording == true else { return }
    let needed = SpaceKeeping.needed(
      toFollowAt: bytesPerSecond, after: expected, closingBytes: recorder?.closingBytes ?? 0)
    try require(needed, beside: path, bytesPerSecond: expected)
  }

  /// Bytes that have to be free for a film that follows the one being recorded.
  ///
  /// - Parameters:
  ///   - bytesPerSecond: the rate expected of it; `nil`: that of the film before it.
  ///   - before: the rate expected of the film before it, if known.
  ///   - closingBytes: bytes that finishing the film before it takes.
  package static func needed(toFollowAt bytesPerSecond: Double?, after before: Double?, closingBytes: Int64) -> Int64 {
    // What the film before it still takes is not there for the next one.
    let rest = closingBytes.addingSaturated(Int64(saturating: (before ?? 0) * parting))
    return SpaceGuard.needed(bytesPerSecond: bytesPerSecond ?? before ?? 0).addingSaturated(rest)
  }

  /// - Parameter expected: the rate at which films are made now, if known.
  private func require(
    _ needed: Int64, beside path: String, bytesPerSecond expected: Double?
  ) throws(CamrecError) {
    let rotates = full == .rotate
    // If the system does not say, the film begins.
    let room = rooms.run(about: PathText(path).folderOrDot) { FreeSpace.bytes(beside: path) }
    guard case .some(.some(var free)) = room, free < needed else { return }
    if let films, rotates {
      // Other recorders' films are checked only if that is needed.
      let left = films.perform(beside: path) {
        $0.admit(path, needed: needed, bytesPerSecond: expected, mayDelete: true)
      }
      if case .some(let least) = left {
        guard let least else { return }
        free = least
      }
    }
    throw SpaceSentences.refusal(
      path, free: free, needed: needed, remedy: remedy(lack: needed.subtractingSaturated(free)))
  }

  /// Bytes that a copy may take there; `nil` if unknown. Leaves what the film being recorded needs, or what films need
  /// that are being finished.
  package func roomForCopy(beside path: String) -> Int64? {
    let (recorder, expected) = state.withLock { ($0.recorder, $0.expected) }
    let reserve =
      if let recorder, !recorder.isRecording { recorder.closingBytes } else {
        SpaceGuard.needed(bytesPerSecond: expected ?? 0)
      }
    return FreeSpace.bytes(beside: path).map { max(0, $0.subtractingSaturated(reserve)) }
  }

  /// What may be deleted is known once somebody has looked at the folder: without `rotate`, a refusal at the very start
  /// only says that room is needed.
  ///
  /// - Parameter lack: bytes that have to become free for the next film.
  private func remedy(lack: Int64) -> Sentence {
    SpaceSentences.remedy(
      rotates: full == .rotate, lack: lack, reclaimable: films?.reclaimableBytes ?? 0,
      kept: films?.keptFilms ?? (count: 0, bytes: 0))
  }

  /// Why a film ends now.
  private func end(_ room: SpaceGuard.Room, beside path: String) -> CamrecError {
    let expected = state.withLock { $0.expected }
    // This film takes some of the room until it is finished.
    let needed = SpaceGuard.needed(bytesPerSecond: expected ?? room.bytesPerSecond ?? 0).addingSaturated(room.reserve)
    return SpaceSentences.end(
      room, beside: path, remedy: remedy(lack: needed.subtractingSaturated(room.freeBytes)))
  }

  private func look(_ recorder: RecorderService) {
    let now = recorder.ownState
    guard let path = filmPath(now) else { return }
    let written = SpaceKeeping.writtenBytes(now)
    // After the decision: another recorder may hold the catalogue's lock for a while.
    defer {
      _ = films?.perform(beside: path, within: SpaceKeeping.longestWork) {
        $0.work(beside: path, writtenBytes: written)
      }
    }
    for decision in measure(recorder, now) {
      switch decision {
      case .warn(let mark, let room): recorder.remark(SpaceSentences.warning(mark, room, beside: path))
      case .makeRoom(let target, _):
        _ = films?.perform(beside: path, within: SpaceKeeping.longestWork) { [self] in
          $0.makeRoom(target, beside: path, writtenBytes: written) { !state.withLock { $0.space.hasStopped } }
        }
      case .stop(let room): recorder.endFilm(because: end(room, beside: path))
      }
    }
  }

  private func filmPath(_ now: RecorderState) -> String? { now.film ?? state.withLock { $0.path } }

  private static func writtenBytes(_ now: RecorderState) -> Int64 {
    (now.disk?.bytesWritten ?? 0).addingSaturated(Int64(clamping: now.disk?.waitingBytes ?? 0))
  }

  /// Measures the room, and tells the recorder.
  private func measure(_ recorder: RecorderService, _ now: RecorderState) -> [SpaceGuard.Decision] {
    guard let path = filmPath(now) else { return [] }
    guard let free = FreeSpace.bytes(beside: path) else {
      tell(recorder, freeBytes: nil)
      return []
    }
    let (decisions, room) = state.withLock { state in
      let decisions = state.space.look(
        SpaceGuard.Look(
          time: Double(MonotonicTime.now().nanoseconds) * 1e-9, freeBytes: free,
          reclaimableBytes: films?.reclaimableBytes ?? 0,
          writtenBytes: SpaceKeeping.writtenBytes(now), closingBytes: recorder.closingBytes,
          expectedBytesPerSecond: state.expected, isRecording: now.phase == .recording))
      return (decisions, state.space.room)
    }
    recorder.tell(
      freeBytes: free, secondsLeft: room?.secondsLeft, isMeasured: room.map { !$0.isExpected },
      deletedFilms: films?.deletedFilms)
    return decisions
  }
}

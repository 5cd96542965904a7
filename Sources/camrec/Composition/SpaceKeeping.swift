import Dispatch
import Foundation
import Frames
import Movies
import Recorder
import Retention
import Synchronization

/// Looks once a second how much room the disk of a recorder has, says it where it gets less, has room made, and ends
/// the film while it can still be finished.
///
/// On a thread of its own (`camrec-space`): a disk that does not answer holds up nobody else. Thread: any.
final class SpaceKeeping: Sendable {
  private struct State {
    var space: SpaceGuard
    /// Of the film that was prepared last: bytes a second at most, and its path.
    var expected: Double?
    var path: String?
  }

  private let full: SpaceGuard.Full
  /// `nil` where nothing of a folder is to be looked after.
  let films: FilmKeeping?
  private let state: Mutex<State>
  private let isClosed = Atomic<Bool>(false)
  private let bell: DispatchSemaphore
  private let thread = Mutex<WorkThread?>(nil)

  private static let interval = DispatchTimeInterval.seconds(1)
  /// Seconds that entering the last film may take: longer than another camrec holds the catalogue.
  private static let farewell = 10.0

  init(marks: [SpaceMark], full: SpaceGuard.Full, films: FilmKeeping?) {
    self.full = full
    self.films = films
    // What happens to a film is entered at once.
    bell = films?.bell ?? DispatchSemaphore(value: 0)
    state = Mutex(State(space: SpaceGuard(marks: marks, full: full)))
  }

  /// A film is going to lie there.
  func begin(beside path: String) { state.withLock { $0.path = path } }

  /// Begins to look.
  func watch(_ recorder: RecorderService) {
    thread.withLock {
      $0 = WorkThread(name: "camrec-space") { [self] in
        while !isClosed.load(ordering: .acquiring) {
          look(recorder)
          _ = bell.wait(timeout: .now() + SpaceKeeping.interval)
        }
        if let path = state.withLock({ $0.path }) { films?.service.end(beside: path) }
      }
    }
  }

  /// The recorder has ended: enters its last film, but does not wait for a catalogue that does not answer. The next
  /// recorder of this name enters that film then.
  ///
  /// - Returns: whether it was entered.
  func close() -> Bool {
    isClosed.store(true, ordering: .releasing)
    bell.signal()
    return thread.withLock { $0 }?.join(within: SpaceKeeping.farewell) ?? true
  }

  /// Whether there is room for a film; makes some where it may.
  ///
  /// - Parameter bytesPerSecond: that it takes at most, as far as that is known.
  /// - Throws: code `output`.
  func admit(_ path: String, bytesPerSecond: Double?) throws(CamrecError) {
    state.withLock { $0.expected = bytesPerSecond }
    try admit(path)
  }

  /// The same, at the rate that was expected last.
  func admit(_ path: String) throws(CamrecError) {
    let expected = state.withLock { state in
      state.path = path
      return state.expected
    }
    let needed = SpaceGuard.needed(bytesPerSecond: expected ?? 0), rotates = full == .rotate
    let tooFew =
      if let films {
        films.service.admit(path, needed: needed, bytesPerSecond: expected, mayDelete: rotates)
      } else {
        FreeSpace.bytes(beside: path).flatMap { $0 < needed ? $0 : nil }
      }
    guard let tooFew else { return }
    throw SpaceSentences.refusal(path, free: tooFew, needed: needed, rotates: rotates)
  }

  /// Bytes that may be taken there for a copy while a film is recorded; `nil` where nobody knows.
  func roomForCopy(beside path: String) -> Int64? {
    let reserve = SpaceGuard.needed(bytesPerSecond: state.withLock { $0.expected } ?? 0)
    return FreeSpace.bytes(beside: path).map { max(0, $0.subtractingSaturated(reserve)) }
  }

  private func look(_ recorder: RecorderService) {
    let now = recorder.ownState
    guard let path = now.film ?? state.withLock({ $0.path }) else { return }
    let disk = now.disk
    let written = (disk?.bytesWritten ?? 0).addingSaturated(Int64(clamping: disk?.waitingBytes ?? 0))
    // Behind the decision: the catalogue's lock may be another recorder's for a while.
    defer { films?.service.work(beside: path, writtenBytes: written) }
    guard let free = FreeSpace.bytes(beside: path) else {
      recorder.tell(freeBytes: nil, secondsLeft: nil, deletedFilms: films?.service.deletedFilms)
      return
    }
    let (decisions, room) = state.withLock { state in
      let decisions = state.space.look(
        SpaceGuard.Look(
          time: Double(MonotonicTime.now().nanoseconds) * 1e-9, freeBytes: free,
          reclaimableBytes: films?.service.reclaimableBytes ?? 0,
          writtenBytes: written, closingBytes: recorder.closingBytes,
          expectedBytesPerSecond: state.expected, isRecording: now.phase == .recording))
      return (decisions, state.space.room)
    }
    recorder.tell(
      freeBytes: free, secondsLeft: room?.secondsLeft, isMeasured: room?.isMeasured,
      deletedFilms: films?.service.deletedFilms)
    for decision in decisions {
      switch decision {
      case .warn(let mark, let room): recorder.remark(SpaceSentences.warning(mark, room, beside: path))
      case .makeRoom(let target, _): films?.service.makeRoom(target, beside: path, writtenBytes: written)
      case .stop(let room): recorder.endFilm(because: SpaceSentences.end(room, beside: path, rotates: full == .rotate))
      }
    }
  }
}

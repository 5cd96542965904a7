import ControlCodec
import Foundation
package import Frames
import Platform
import RecorderAPI
import Synchronization

/// The states of a recorder that its watchers are told: numbered, and the same for all of them.
///
/// One thread looks at the recorder for all watchers: at once when its bell rings, otherwise ten times a second.
/// Counters and levels are told ten times a second at most, unless another film begins. Without watchers it looks at
/// nothing.
///
/// Thread: any.
public final class StateFeed: Sendable {
  private struct State {
    var latest: StatePublication?
    /// When watchers were last told of counters.
    var counted: MonotonicTime?
    var watchers: [Int: @Sendable () -> Void] = [:]
    var given = 0
    var isClosed = false
  }

  private let control: any RecorderControl
  private let state = Mutex(State())
  private let bell: MonotonicSemaphore
  private let listener: Int

  /// Nanoseconds between two looks at counters, and between two looks because of the recorder's bell: a remote that
  /// sends command after command must not cost the recorder its frames.
  private static let interval = Int64(ControlProtocol.newsInterval / .nanoseconds(1)), pause: Int64 = 5_000_000

  /// Members that are told along with others: that time goes by is no change.
  static let companions: Set<RecorderState.Member> = [.whiteBalanceAge]

  public init(of control: any RecorderControl) {
    let bell = MonotonicSemaphore()
    self.control = control
    self.bell = bell
    listener = control.changes.add { bell.signal() }
  }

  deinit { control.changes.remove(listener) }

  /// Looks after watchers until the feed is closed. Call once, on a thread of its own.
  public func run() {
    var (beat, rung) = (MonotonicTime.now(), MonotonicTime.now())
    while true {
      let left = beat.advanced(by: StateFeed.interval) - MonotonicTime.now()
      let isRung = bell.wait(within: hasWatchers ? max(0, Double(left) * 1e-9) : .infinity)
      let pause = rung.advanced(by: StateFeed.pause) - MonotonicTime.now()
      if isRung, hasWatchers, pause > 0 { WorkThread.sleep(.nanoseconds(pause)) }
      while bell.wait(within: 0) {}
      if state.withLock({ $0.isClosed }) { return }
      guard hasWatchers else { continue }
      if isRung { rung = .now() }
      look()
      if MonotonicTime.now() - beat >= StateFeed.interval { beat = .now() }
    }
  }

  /// Ends `run`.
  public func close() {
    state.withLock { $0.isClosed = true }
    bell.signal()
  }

  /// Looks at the recorder now. If its state has changed, wakes the watchers.
  package func look(now: MonotonicTime = .now()) { _ = publish(now: now) }

  /// Looks at the recorder now. If its state has changed, that is another publication, and the watchers are woken.
  ///
  /// - Parameter isWhole: takes counters although they were told less than a tenth of a second ago.
  /// - Returns: the latest publication.
  func publish(now: MonotonicTime = .now(), isWhole: Bool = false) -> StatePublication {
    let (publication, woken) = state.withLock { state -> (StatePublication, [@Sendable () -> Void]) in
      var present = control.state
      let counts = isWhole || state.counted.map { now - $0 >= StateFeed.interval } ?? true
      guard let latest = state.latest else {
        let first = StatePublication(present, changed: [], generation: 1)
        (state.latest, state.counted) = (first, now)
        return (first, Array(state.watchers.values))
      }
      if !counts, !present.isOfAnotherFilm(than: latest.state) {
        present.take(RecorderState.counters, of: latest.state)
      }
      let changed = present.members(differingFrom: latest.state), isNew = !changed.isSubset(of: StateFeed.companions)
      guard isNew || isWhole else { return (latest, []) }
      if counts { state.counted = now }
      let publication = StatePublication(
        present, changed: isNew ? changed : latest.changed, generation: latest.generation + (isNew ? 1 : 0))
      state.latest = publication
      return (publication, isNew ? Array(state.watchers.values) : [])
    }
    woken.forEach { $0() }
    return publication
  }

  /// The state that watchers were told last; `nil` before the first look.
  var latest: StatePublication? { state.withLock { $0.latest } }

  /// - Parameter wake: called when there is something to tell; it must not wait.
  /// - Returns: the number with which to remove the watcher.
  func add(_ wake: @escaping @Sendable () -> Void) -> Int {
    defer { bell.signal() }
    return state.withLock { state in
      state.given += 1
      state.watchers[state.given] = wake
      return state.given
    }
  }

  func remove(_ number: Int) { state.withLock { $0.watchers[number] = nil } }

  private var hasWatchers: Bool { state.withLock { !$0.watchers.isEmpty } }
}

extension RecorderState {
  /// Whether its counters belong to another film, or to another part of its making.
  fileprivate func isOfAnotherFilm(than other: RecorderState) -> Bool {
    phase != other.phase || film != other.film || films != other.films || segment != other.segment
  }
}

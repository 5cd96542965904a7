package import Frames
package import RecorderAPI
import Synchronization

/// What one subscriber wants again and again, and what waits for it: the latest only.
///
/// Thread: any; `PictureStudio` fills it, and whoever serves the subscriber takes.
package final class MonitorSubscription: Sendable {
  package enum Wish: Hashable, Sendable {
    case pictures(PictureRequest)
    case measures(MeasuresRequest)
  }

  /// What waits for the subscriber.
  package enum Waiting: Sendable {
    case product(MonitorProduct)
    /// Nothing comes for now, for this reason.
    case nothing(CamrecError)
  }

  private struct State {
    var waiting: Waiting?
    /// Sent, and acknowledged.
    var sent: UInt64 = 0, used: UInt64 = 0
    /// The earliest capture time of what comes next.
    var due: MonotonicTime?
    /// Why nothing comes, as told last.
    var absence: CamrecError?
  }

  package let wish: Wish
  private let state = Mutex(State())

  package init(_ wish: Wish) { self.wish = wish }

  var isGraded: Bool {
    switch wish {
    case .pictures(let request): request.isGraded
    case .measures(let request): request.isGraded
    }
  }

  /// Nanoseconds from one to the next, at least.
  private var interval: Int64 {
    switch wish {
    case .pictures(let request): Int64(1e9 / request.rate)
    case .measures(let request): Int64(1e9 / request.rate)
    }
  }

  // MARK: The studio

  /// Whether a frame is to be made for it: it is due, and the subscriber keeps up.
  package func wants(_ captureTime: MonotonicTime) -> Bool {
    state.withLock { state in
      guard state.sent - state.used < UInt64(MonitorProtocol.mostUnderWay) else { return false }
      // Cameras are not exact: a frame that comes a little early is the one that is due.
      return state.due.map { captureTime.advanced(by: interval / 8) >= $0 } ?? true
    }
  }

  package func offer(_ product: MonitorProduct, _ captureTime: MonotonicTime) {
    state.withLock { state in
      state.waiting = .product(product)
      state.absence = nil
      let next = (state.due ?? captureTime).advanced(by: interval)
      // After a pause it goes on from here, and does not catch up.
      state.due = max(next, captureTime.advanced(by: interval / 2))
    }
  }

  /// - Returns: whether that is news.
  package func offer(nothing error: CamrecError) -> Bool {
    state.withLock { state in
      guard state.absence != error else { return false }
      (state.absence, state.waiting) = (error, .nothing(error))
      return true
    }
  }

  // MARK: Whoever serves the subscriber

  /// Takes what waits, if so much may be under way; a product gets its number.
  package func take() -> (waiting: Waiting, sequence: UInt64)? {
    state.withLock { state in
      guard let waiting = state.waiting else { return nil }
      if case .product = waiting {
        guard state.sent - state.used < UInt64(MonitorProtocol.mostUnderWay) else { return nil }
        state.sent += 1
      }
      state.waiting = nil
      return (waiting, state.sent)
    }
  }

  /// The subscriber has used everything up to this number.
  package func use(upTo sequence: UInt64) {
    state.withLock { $0.used = max($0.used, min(sequence, $0.sent)) }
  }

  /// Sent, and not yet used.
  package var underWay: Int { state.withLock { Int($0.sent - $0.used) } }

  /// Goes on with the numbers of the one that it replaces.
  package func follow(_ other: MonitorSubscription) {
    let (sent, used) = other.state.withLock { ($0.sent, $0.used) }
    state.withLock { ($0.sent, $0.used) = (sent, used) }
  }
}

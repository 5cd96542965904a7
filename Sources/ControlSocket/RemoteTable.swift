package import Frames

/// The remotes of a control server: who has a place, and who makes room for the next one.
///
/// An idle remote keeps nobody out: when every place is taken, the remote that has been idle longest must leave. A
/// watcher that reads what it is told is not idle; if there are only watchers, the oldest must leave. One place is
/// always kept for the owner, so that no other user can keep the owner out.
///
/// A value that uses no sockets and no clock.
package struct RemoteTable {
  /// Whose process the remote is.
  package enum Side: Hashable {
    /// The recorder's user, or root.
    case owner
    case other
  }

  package enum Admission: Hashable {
    case free
    /// The new remote gets the place of this one.
    case evicting(Int32)
    /// All other remotes wait for an answer.
    case refused
  }

  /// What a remote is doing now.
  package enum Note: Hashable {
    /// Whether it has requests under way.
    case busy(Bool)
    case watching(Bool)
    /// Whether it does not read what it is sent.
    case stalled(Bool)
  }

  /// Why a remote had to leave.
  package enum Eviction: Hashable {
    /// It had been idle longest.
    case idle
    /// It had been watching longest.
    case watching
  }

  private struct Remote {
    let side: Side
    var isBusy = false
    var isStalled = false
    /// When its last request ended, it stopped watching or reading, or it connected.
    var idleSince: MonotonicTime
    /// When it began to watch; `nil` if it does not.
    var watchesSince: MonotonicTime?

    init(_ side: Side, _ now: MonotonicTime) {
      self.side = side
      idleSince = now
    }

    var eviction: Eviction { watchesSince == nil || isStalled ? .idle : .watching }

    /// The idle ones first, and the longest first.
    func leaves(before other: Remote) -> Bool {
      switch (eviction, other.eviction) {
      case (.idle, .watching): true
      case (.watching, .idle): false
      case (.idle, .idle): idleSince < other.idleSince
      case (.watching, .watching): (watchesSince ?? idleSince) < (other.watchesSince ?? other.idleSince)
      }
    }
  }

  private let places: Int
  private var remotes: [Int32: Remote] = [:]
  /// Evicted remotes, whose descriptors stay open until their threads are done.
  private var evicted: [Int32: Eviction] = [:]

  package init(places: Int) { self.places = places }

  /// All open descriptors.
  package var descriptors: [Int32] { Array(remotes.keys) + Array(evicted.keys) }

  package mutating func admit(_ remote: Int32, _ side: Side, at now: MonotonicTime) -> Admission {
    let others = remotes.values.count { $0.side == .other }
    let isShort = side == .other && others >= places - 1
    guard isShort || remotes.count >= places else {
      remotes[remote] = Remote(side, now)
      return .free
    }
    let mayLeave = remotes.filter { entry in
      guard !entry.value.isBusy else { return false }
      // Once other users hold all places but the owner's, they make room among themselves.
      if isShort { return entry.value.side == .other }
      return side == .owner || entry.value.side == .other || remotes.count - others > 1
    }
    guard let victim = mayLeave.min(by: { $0.value.leaves(before: $1.value) }) else { return .refused }
    remotes[victim.key] = nil
    evicted[victim.key] = victim.value.eviction
    remotes[remote] = Remote(side, now)
    return .evicting(victim.key)
  }

  /// Notes what a remote is doing from now on.
  package mutating func note(_ remote: Int32, _ note: Note, at now: MonotonicTime) {
    guard var known = remotes[remote] else { return }
    switch note {
    case .busy(let isBusy): known.isBusy = isBusy
    case .stalled(let isStalled): known.isStalled = isStalled
    // Who asks to watch again has been watching all along.
    case .watching(true): known.watchesSince = known.watchesSince ?? now
    case .watching(false): known.watchesSince = nil
    }
    known.idleSince = now
    remotes[remote] = known
  }

  /// Why the remote had to make room; `nil` if it has a place.
  package func eviction(of remote: Int32) -> Eviction? { evicted[remote] }

  /// Removes a remote whose descriptor is closed.
  package mutating func remove(_ remote: Int32) {
    remotes[remote] = nil
    evicted[remote] = nil
  }
}

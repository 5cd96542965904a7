package import Frames

/// The remotes of a control server: who has a place, and who makes room for the next one.
///
/// An idle remote keeps nobody out: when every place is taken, the remote that has been idle longest must leave. One
/// place is always kept for the owner, so that no other user can keep the owner out.
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

  private struct Remote {
    let side: Side
    /// When its last request ended, or when it connected; `nil` during a request.
    var idleSince: MonotonicTime?
  }

  private let places: Int
  private var remotes: [Int32: Remote] = [:]
  /// Evicted remotes, whose descriptors stay open until their threads are done.
  private var evicted: Set<Int32> = []

  package init(places: Int) { self.places = places }

  /// All open descriptors.
  package var descriptors: [Int32] { Array(remotes.keys) + Array(evicted) }

  package mutating func admit(_ remote: Int32, _ side: Side, at now: MonotonicTime) -> Admission {
    let others = remotes.values.count { $0.side == .other }
    let isShort = side == .other && others >= places - 1
    guard isShort || remotes.count >= places else {
      remotes[remote] = Remote(side: side, idleSince: now)
      return .free
    }
    let mayLeave = remotes.filter { entry in
      guard entry.value.idleSince != nil else { return false }
      // Once other users hold all places but the owner's, they make room among themselves.
      if isShort { return entry.value.side == .other }
      return side == .owner || entry.value.side == .other || remotes.count - others > 1
    }
    guard let victim = mayLeave.min(by: { ($0.value.idleSince ?? now) < ($1.value.idleSince ?? now) })?.key else {
      return .refused
    }
    remotes[victim] = nil
    evicted.insert(victim)
    remotes[remote] = Remote(side: side, idleSince: now)
    return .evicting(victim)
  }

  /// Notes that a remote's request has begun, or is done.
  package mutating func note(_ remote: Int32, isBusy: Bool, at now: MonotonicTime) {
    remotes[remote]?.idleSince = isBusy ? nil : now
  }

  package func isEvicted(_ remote: Int32) -> Bool { evicted.contains(remote) }

  /// Removes a remote whose descriptor is closed.
  package mutating func remove(_ remote: Int32) {
    remotes[remote] = nil
    evicted.remove(remote)
  }
}

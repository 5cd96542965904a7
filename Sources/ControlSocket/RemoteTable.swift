package import Frames

/// The remotes of a control server: who has a place, and who makes room for the next.
///
/// A remote that stays connected and asks nothing keeps nobody out: when every place is taken, the one that has asked
/// nothing for the longest time goes. One place is always the owner's, so that no other user can keep the owner out.
///
/// A value without sockets and clocks of its own.
package struct RemoteTable {
  /// Whose process a remote is.
  package enum Side: Hashable {
    /// The recorder's user, or root.
    case owner
    case other
  }

  package enum Admission: Hashable {
    case free
    /// It has a place, and this remote loses its own.
    case evicting(Int32)
    /// All the others have requests under way.
    case refused
  }

  private struct Remote {
    let side: Side
    /// When it asked last, or connected; `nil` while a request of its is under way.
    var idleSince: MonotonicTime?
  }

  private let places: Int
  private var remotes: [Int32: Remote] = [:]
  /// Their descriptors are open until their threads are done.
  private var evicted: Set<Int32> = []

  package init(places: Int) { self.places = places }

  /// Every descriptor that is open.
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
      // Others make room among themselves, once they have all but the owner's place.
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

  /// A request of a remote is under way, or done.
  package mutating func note(_ remote: Int32, isBusy: Bool, at now: MonotonicTime) {
    remotes[remote]?.idleSince = isBusy ? nil : now
  }

  package func isEvicted(_ remote: Int32) -> Bool { evicted.contains(remote) }

  /// Its descriptor is closed.
  package mutating func remove(_ remote: Int32) {
    remotes[remote] = nil
    evicted.remove(remote)
  }
}

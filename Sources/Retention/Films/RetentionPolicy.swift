import Frames

/// Why a film is deleted.
public enum DeletionReason: String, Hashable, Sendable, Codable, CaseIterable {
  /// It is older than any is to be.
  case age
  /// There are more than there are to be, by number or by bytes.
  case count, size
  /// Less is free than is to be.
  case free
  /// The recording needs the room.
  case room
}

/// Which films the limits on age, number and size count.
public enum RetentionScope: String, Hashable, Sendable, CaseIterable {
  /// A recorder's own.
  case recorder
  /// All that recorders have made in the folder.
  case folder
}

/// How many films are kept: `nil` sets no limit. Films that are marked kept, and films that wait for a hook, do not
/// count.
public struct RetentionLimits: Hashable, Sendable {
  /// Seconds.
  public var age: Double?
  public var count: Int?
  public var bytes: Int64?
  /// Bytes that stay free on the disk.
  public var freeBytes: Int64?
  /// Of age, count and bytes. The free space is the whole disk's.
  public var scope: RetentionScope

  public init(
    age: Double? = nil, count: Int? = nil, bytes: Int64? = nil, freeBytes: Int64? = nil,
    scope: RetentionScope = .recorder
  ) {
    self.age = age
    self.count = count
    self.bytes = bytes
    self.freeBytes = freeBytes
    self.scope = scope
  }

  public var isEmpty: Bool { age == nil && count == nil && bytes == nil && freeBytes == nil }
}

/// Decides which films go.
///
/// Whatever the limits say: the newest finished film of every recorder stays; and a limit that deleting cannot meet
/// deletes nothing.
public enum RetentionPolicy {
  /// Why a film may not go now.
  public enum Protection: Hashable, Sendable {
    case kept
    /// A hook has still to handle it.
    case awaitsHook
    /// It has a second name (hard link): without this one nothing would be freed.
    case linked
    /// It is not what was finished: written by somebody, replaced, or moved.
    case foreign
    /// Somebody uses it; or it is another recorder's, of which nothing is known where there are no locks.
    case unavailable
  }

  public struct Film: Hashable, Sendable {
    public var id: String
    /// Who has made it.
    public var recorder: String
    public var bytes: Int64
    /// Seconds.
    public var age: Double
    public var protection: Protection?
    /// It is known when its recording began. Else it is never taken for the newest beside one of which that is known.
    public var hasBegun: Bool

    public init(
      id: String, recorder: String, bytes: Int64, age: Double, protection: Protection? = nil, hasBegun: Bool = true
    ) {
      self.hasBegun = hasBegun
      self.id = id
      self.recorder = recorder
      self.bytes = bytes
      self.age = age
      self.protection = protection
    }
  }

  public struct Deletion: Hashable, Sendable {
    public var id: String
    public var reason: DeletionReason
  }

  /// What a recorder looks at.
  public struct Situation: Hashable, Sendable {
    /// Oldest first.
    public var films: [Film]
    public var limits: RetentionLimits
    /// Whose limits they are.
    public var recorder: String
    /// Bytes that are free now; `nil`: not known, and nothing goes for lack of room.
    public var free: Int64?
    /// Bytes that a recording needs beyond that.
    public var needed: Int64

    public init(
      films: [Film], limits: RetentionLimits, recorder: String, free: Int64?, needed: Int64 = 0
    ) {
      self.films = films
      self.limits = limits
      self.recorder = recorder
      self.free = free
      self.needed = needed
    }
  }

  /// A limit that cannot be met.
  public enum Unmeetable: Hashable, Sendable {
    /// So much is free, and so much more films may be deleted.
    case free(free: Int64, deletable: Int64)
    /// The films that stay in any case are larger.
    case size(staying: Int64)
  }

  /// Films that may go when there is too little room. The newest film of each recorder never does.
  public static func deletable(among films: [Film]) -> [Film] {
    let newest = newest(among: films)
    return films.filter { $0.protection == nil && !newest.contains($0.id) }
  }

  /// The newest that is there of each recorder, by id.
  static func newest(among films: [Film]) -> Set<String> {
    var newest: [String: String] = [:]
    for isKnown in [false, true] {
      for film in films where film.hasBegun == isKnown && film.protection != .foreign { newest[film.recorder] = film.id }
    }
    return Set(newest.values)
  }

  /// Limits that deleting does not meet, whatever goes: nothing is deleted for them.
  public static func unmeetable(_ situation: Situation) -> [Unmeetable] {
    var all: [Unmeetable] = []
    if let least = situation.limits.freeBytes, let free = situation.free, free < least {
      let deletable = bytes(deletable(among: situation.films))
      if free.addingSaturated(deletable) < least { all.append(.free(free: free, deletable: deletable)) }
    }
    if let most = situation.limits.bytes {
      let newest = newest(among: situation.films)
      let staying = bytes(counted(situation).filter { newest.contains($0.id) })
      if staying > most { all.append(.size(staying: staying)) }
    }
    return all
  }

  /// - Returns: what is to be deleted, in that order.
  public static func deletions(_ situation: Situation) -> [Deletion] {
    var limits = situation.limits
    for unmeetable in unmeetable(situation) {
      switch unmeetable {
      case .free: limits.freeBytes = nil
      case .size: limits.bytes = nil
      }
    }
    let counted = counted(situation), isCounted = Set(counted.map(\.id))
    var count = counted.count, bytes = bytes(counted), freed: Int64 = 0
    var deletions: [Deletion] = []
    for film in deletable(among: situation.films) {
      let isOwn = isCounted.contains(film.id)
      let reason: DeletionReason? =
        if isOwn, let age = limits.age, film.age > age {
          .age
        } else if isOwn, let most = limits.count, count > most {
          .count
        } else if isOwn, let most = limits.bytes, bytes > most {
          .size
        } else if let least = limits.freeBytes, let free = situation.free, free.addingSaturated(freed) < least {
          .free
        } else if situation.free != nil, freed < situation.needed {
          .room
        } else {
          nil
        }
      guard let reason else { continue }
      deletions.append(Deletion(id: film.id, reason: reason))
      if isOwn {
        count -= 1
        bytes = bytes.subtractingSaturated(max(0, film.bytes))
      }
      freed = freed.addingSaturated(max(0, film.bytes))
    }
    return deletions
  }

  /// What the limits on age, number and size count.
  private static func counted(_ situation: Situation) -> [Film] {
    situation.films.filter {
      [nil, .unavailable].contains($0.protection)
        && (situation.limits.scope == .folder || $0.recorder == situation.recorder)
    }
  }

  static func bytes(_ films: some Sequence<Film>) -> Int64 {
    films.reduce(0) { $0.addingSaturated(max(0, $1.bytes)) }
  }
}

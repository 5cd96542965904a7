import Frames

/// Why a film is deleted.
public enum DeletionReason: String, Hashable, Sendable, Codable, CaseIterable {
  /// It is older than the limit on age.
  case age
  /// There are more films, or more bytes of film, than the limit.
  case count, size
  /// Less of the disk is free than the limit.
  case free
  /// The recording needs the room.
  case room
}

/// Which films the limits on age, number and size count.
public enum RetentionScope: String, Hashable, Sendable, CaseIterable {
  /// A recorder's own films.
  case recorder
  /// All films that recorders have made in the folder.
  case folder
}

/// How many films to keep; `nil` sets no limit. Films that are marked kept, and films that wait for a hook, do not
/// count.
public struct RetentionLimits: Hashable, Sendable {
  /// Seconds.
  public var age: Double?
  public var count: Int?
  public var bytes: Int64?
  /// Bytes that stay free on the disk.
  public var freeBytes: Int64?
  /// The films that age, count and bytes apply to. Free space is the whole disk's.
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

/// Decides which films to delete.
///
/// Whatever the limits say, the newest finished film of every recorder stays, and a limit that deleting cannot meet
/// deletes nothing.
public enum RetentionPolicy {
  /// Why a film may not be deleted now.
  public enum Protection: Hashable, Sendable {
    case kept
    /// A hook has yet to handle it.
    case awaitsHook
    /// It has a second name (hard link), so that deleting this one would free nothing.
    case linked
    /// It is not the file that was finished: somebody has written, replaced or moved it.
    case foreign
    /// It is in use; or it is another recorder's, and without locks nobody knows whether it is.
    case unavailable
  }

  public struct Film: Hashable, Sendable {
    public var id: String
    /// The recorder that made it.
    public var recorder: String
    public var bytes: Int64
    /// Seconds.
    public var age: Double
    public var protection: Protection?
    /// Whether it is known when its recording began. If not, a film for which it is known counts as newer.
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

  /// What a recorder decides by.
  public struct Situation: Hashable, Sendable {
    /// Oldest first.
    public var films: [Film]
    public var limits: RetentionLimits
    /// Whose limits they are.
    public var recorder: String
    /// Bytes that are free now; `nil` if unknown: then nothing is deleted for lack of room.
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
    /// Bytes that are free, and bytes of films that may be deleted; together they are too few.
    case free(free: Int64, deletable: Int64)
    /// Bytes of the films that stay in any case; they exceed the limit.
    case size(staying: Int64)
  }

  /// Films that may be deleted when there is too little room. The newest film of each recorder never is.
  public static func deletable(among films: [Film]) -> [Film] {
    let newest = newest(among: films)
    return films.filter { $0.protection == nil && !newest.contains($0.id) }
  }

  /// The ids of each recorder's newest film.
  package static func newest(among films: [Film]) -> Set<String> {
    var newest: [String: String] = [:]
    for isKnown in [false, true] {
      for film in films where film.hasBegun == isKnown && film.protection != .foreign {
        newest[film.recorder] = film.id
      }
    }
    return Set(newest.values)
  }

  /// Limits that deleting cannot meet, whatever goes; nothing is deleted for them.
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

  /// - Returns: what to delete, in that order.
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

  /// The films that the limits on age, number and size count.
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

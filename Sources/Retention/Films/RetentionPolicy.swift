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

/// How many films are kept: what is `nil` is no limit. Films that are marked kept do not count.
public struct RetentionLimits: Hashable, Sendable {
  /// Seconds.
  public var age: Double?
  public var count: Int?
  public var bytes: Int64?
  /// Bytes that stay free on the disk.
  public var freeBytes: Int64?

  public init(age: Double? = nil, count: Int? = nil, bytes: Int64? = nil, freeBytes: Int64? = nil) {
    self.age = age
    self.count = count
    self.bytes = bytes
    self.freeBytes = freeBytes
  }

  public var isEmpty: Bool { self == RetentionLimits() }
}

/// Decides which films go.
public enum RetentionPolicy {
  /// Why a film may not go now.
  public enum Protection: Hashable, Sendable {
    case kept
    /// A hook has still to handle it.
    case awaitsHook
    /// It has a second name (hard link): without this one nothing would be freed.
    case linked
    /// It is not what was finished: written by somebody, replaced, moved, or in use.
    case foreign
  }

  public struct Film: Hashable, Sendable {
    public var id: String
    public var bytes: Int64
    /// Seconds.
    public var age: Double
    public var protection: Protection?

    public init(id: String, bytes: Int64, age: Double, protection: Protection? = nil) {
      self.id = id
      self.bytes = bytes
      self.age = age
      self.protection = protection
    }
  }

  public struct Deletion: Hashable, Sendable {
    public var id: String
    public var reason: DeletionReason
  }

  /// - Parameters:
  ///   - films: oldest first.
  ///   - free: bytes that are free now.
  ///   - needed: bytes that a recording needs beyond that.
  /// - Returns: what is to be deleted, in that order.
  public static func deletions(
    among films: [Film], limits: RetentionLimits, free: Int64, needed: Int64 = 0
  ) -> [Deletion] {
    // What is not ours, or is kept, is none of the limits' business.
    let counted = films.filter { ![.kept, .linked, .foreign].contains($0.protection) }
    var count = counted.count
    var bytes = counted.reduce(Int64(0)) { $0.addingReportingOverflow($1.bytes).partialValue }
    var freed: Int64 = 0
    var deletions: [Deletion] = []
    for film in counted where film.protection == nil {
      let reason: DeletionReason? =
        if let age = limits.age, film.age > age {
          .age
        } else if let most = limits.count, count > most {
          .count
        } else if let most = limits.bytes, bytes > most {
          .size
        } else if let least = limits.freeBytes, free + freed < least {
          .free
        } else if freed < needed {
          .room
        } else {
          nil
        }
      guard let reason else { continue }
      deletions.append(Deletion(id: film.id, reason: reason))
      count -= 1
      bytes -= film.bytes
      freed += film.bytes
    }
    return deletions
  }
}

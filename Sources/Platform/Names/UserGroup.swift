import Glibc

/// The groups of this machine.
public enum UserGroup {
  /// The number of the group with this name.
  ///
  /// - Returns: `nil` if there is none. Any thread.
  public static func number(named name: String) -> UInt32? {
    var entry = group(), found: UnsafeMutablePointer<group>?
    var room = [CChar](repeating: 0, count: 1 << 16), result = ERANGE
    // A group of many members takes more room.
    while result == ERANGE || result == EINTR, room.count <= 1 << 24 {
      result = getgrnam_r(name, &entry, &room, room.count, &found)
      if result == ERANGE { room = [CChar](repeating: 0, count: 4 * room.count) }
    }
    guard result == 0, let found else { return nil }
    return found.pointee.gr_gid
  }
}

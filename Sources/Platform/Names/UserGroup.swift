import Glibc

/// The groups of this machine.
public enum UserGroup {
  /// The number of the group with this name.
  ///
  /// - Returns: `nil` if there is none. Any thread.
  public static func number(named name: String) -> UInt32? {
    var entry = group(), found: UnsafeMutablePointer<group>?
    var room = [CChar](repeating: 0, count: 1 << 16)
    guard getgrnam_r(name, &entry, &room, room.count, &found) == 0, let found else { return nil }
    return found.pointee.gr_gid
  }
}

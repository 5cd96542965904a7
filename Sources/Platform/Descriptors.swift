import CPlatform
import Glibc

/// Descriptors that no child inherits, from the moment they exist. Any thread.
public enum Descriptors {
  /// A pipe: its reading and its writing end.
  ///
  /// - Returns: `nil`, with `errno` set, if there is none to be had.
  public static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    return CSystemCalls_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// The next connection of a listening socket: a descriptor, or -1 and `errno`.
  static func accept(_ listener: Int32) -> Int32 { CSystemCalls_accept(listener) }

  /// Has a child close every descriptor from `first` on, after the actions that were added before. This process's
  /// descriptors stay as they are.
  ///
  /// - Parameter actions: a `posix_spawn_file_actions_t`, which the caller owns.
  /// - Returns: 0, or the system's error number.
  public static func closeInChild(from first: Int32, _ actions: UnsafeMutableRawPointer) -> Int32 {
    CSystemCalls_close_from(actions, first)
  }
}

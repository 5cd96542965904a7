import CPlatform
import Glibc

/// Gives a file its final name. Only `replace` replaces what has it. Any thread.
public enum NewName {
  public struct Failure: Error, Hashable {
    /// `EEXIST`: the name is taken. `EOPNOTSUPP`: the file system can only rename over what may be there.
    public let number: Int32
  }

  /// Renames in one step (`RENAME_NOREPLACE`), or with a second link if the file system has no such step.
  ///
  /// - Throws: the system's error; `from` then keeps its name.
  public static func give(_ name: String, to file: String) throws(Failure) {
    if CSystemCalls_rename_new(file, name) == 0 { return }
    let number = errno
    // NFS and older FUSE return EINVAL; kernels and filters without the call return ENOSYS.
    guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(number) else { throw Failure(number: number) }
    guard link(file, name) == 0 else {
      let number = errno
      throw Failure(number: [EPERM, ENOSYS, EMLINK].contains(number) ? EOPNOTSUPP : number)
    }
    // The film has its name; if the other name cannot be removed, it does no harm.
    unlink(file)
  }

  /// Renames over the file that has the name, if one has it.
  ///
  /// - Parameter lock: that file's, from `FilmLock(replacing:)`; `nil` if there was none. Held until `file` has the
  ///   name.
  /// - Throws: the system's error; both then keep their names.
  package static func replace(_ name: String, with file: String, holding lock: FilmLock?) throws(Failure) {
    defer { withExtendedLifetime(lock) {} }
    do throws(SystemCallError) { try SystemCall.perform("rename") { rename(file, name) } } catch {
      throw Failure(number: error.number)
    }
  }

  /// Exchanges the names of two files in one step (`RENAME_EXCHANGE`).
  ///
  /// - Throws: the system's error; both then keep their names. `EINVAL`, `ENOSYS`: the file system has no such step.
  public static func exchange(_ one: String, _ other: String) throws(Failure) {
    guard CSystemCalls_exchange(one, other) == 0 else { throw Failure(number: errno) }
  }
}

public import Glibc
import Synchronization

/// The process's umask, which all tests of a run share: one at a time changes it.
public enum FileCreationMask {
  private static let lock = Mutex(())

  /// Runs `body` under a mask, and puts the one before back.
  public static func with<Result>(_ mask: mode_t, _ body: () throws -> Result) rethrows -> Result {
    try lock.withLock { _ in
      let before = umask(mask)
      defer { umask(before) }
      return try body()
    }
  }
}

import Foundation
public import Frames

/// The lock of a film's file (flock(2)). A process holds it while it records, recovers, replaces or truncates a film,
/// so that no two do so at once. It is released when the process ends, even if killed.
///
/// Thread: any.
public final class FilmLock: Sendable {
  /// The file system's answer to a lock.
  public enum Answer: Hashable, Sendable {
    case taken
    /// Somebody else has it.
    case inUse
    /// The file system has no locks, as on some networks.
    case noLocks
  }

  /// A film that is being recorded changes every second; after this many seconds without a change, nobody records it.
  public static let stillness = 10.0

  private let descriptor: Int32

  /// Tries to take a file's lock, without waiting. It is held until the file is closed.
  ///
  /// - Parameter isShared: true for a process that only reads.
  public static func take(_ descriptor: Int32, isShared: Bool = false) -> Answer {
    switch number(locking: descriptor, isShared: isShared) {
    case 0: .taken
    case EWOULDBLOCK: .inUse
    default: .noLocks
    }
  }

  /// The same, with the system's own answer.
  ///
  /// - Returns: 0, or the error number: `EWOULDBLOCK` if somebody else has the lock.
  public static func number(locking descriptor: Int32, isShared: Bool = false) -> Int32 {
    while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  /// Makes sure that the file may be replaced or truncated, and holds its lock from then on. Without locks, the file
  /// must not have changed for ten seconds.
  ///
  /// - Parameters:
  ///   - descriptor: stays the caller's.
  ///   - path: for the message.
  ///   - setting: the one that chooses another name, for the message; `nil` if there is none.
  ///   - isFilm: as `init`.
  /// - Throws: code `output`: the file is in use, or may be.
  public static func takeToReplace(
    _ descriptor: Int32, path: String, setting: SettingName? = .output, isFilm: Bool = true
  ) throws(CamrecError) {
    let remedy = remedy(setting)
    switch take(descriptor, isShared: !isFilm) {
    case .taken: return
    case .noLocks where !isFilm: return
    case .inUse:
      throw CamrecError(
        .output, about: setting, "'\(path)' is being recorded or recovered right now; \(sentence: remedy)",
        reason: .inUse)
    case .noLocks:
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_size == 0 || status.secondsSinceChange >= stillness else {
        throw CamrecError(
          .output, about: setting,
          "'\(path)' was written less than \(Int(stillness)) s ago, and its file system has no locks to show whether"
            + " it is still being recorded; \(sentence: remedy), or wait", reason: .inUse)
      }
    }
  }

  private static func remedy(_ setting: SettingName?) -> Sentence {
    guard let setting else { return "choose another name" }
    return "choose another \(setting: setting)"
  }

  /// Locks the file at `path` until this object ends, so that it may be replaced.
  ///
  /// - Parameter isFilm: false for one of camrec's small files, which others may replace at the same time and which is
  ///   known by its content where there are no locks.
  /// - Returns: `nil` if there is no ordinary file at `path`.
  /// - Throws: as `takeToReplace`, or if the file cannot be opened to find out.
  public init?(
    replacing path: String, setting: SettingName? = .output, isFilm: Bool = true
  ) throws(CamrecError) {
    for _ in 0..<FilmLock.mostAttempts {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw CamrecError(
          .output, "'\(path)' cannot be opened to see whether it is being recorded; not overwritten",
          cause: SystemError.words(for: errno))
      }
      var own = stat(), there = stat()
      guard unsafe fstat(descriptor, &own) == 0, own.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        return nil
      }
      do throws(CamrecError) {
        try FilmLock.takeToReplace(descriptor, path: path, setting: setting, isFilm: isFilm)
      } catch {
        close(descriptor)
        throw error
      }
      // Another file may have been given this name before the lock was taken.
      guard unsafe stat(path, &there) == 0, own.st_dev == there.st_dev, own.st_ino == there.st_ino else {
        close(descriptor)
        continue
      }
      self.descriptor = descriptor
      return
    }
    throw CamrecError(
      .output, about: setting,
      "the file number of '\(path)' keeps changing, so camrec cannot tell whether it is being recorded; "
        + "\(sentence: FilmLock.remedy(setting))")
  }

  /// Others may replace the file this many times while its lock is taken. On some file systems the file's number
  /// changes at every look.
  private static let mostAttempts = 100

  deinit { close(descriptor) }
}

extension stat {
  /// By the wall clock; 0 for a time in the future.
  fileprivate var secondsSinceChange: Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    let seconds = Double(now.tv_sec) - Double(st_mtim.tv_sec) + Double(now.tv_nsec - st_mtim.tv_nsec) / 1e9
    return max(0, seconds)
  }
}

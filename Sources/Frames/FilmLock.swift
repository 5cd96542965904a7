import Foundation

/// The lock of a film's file (flock(2)): whoever records, recovers, replaces or truncates a film holds it, so that no
/// two do so at once. A kill lets go of it.
///
/// Thread: any.
public final class FilmLock: Sendable {
  /// What the file system says to a lock.
  public enum Answer: Hashable, Sendable {
    case taken
    /// Somebody else has it.
    case inUse
    /// There are none, as on some network systems.
    case noLocks
  }

  /// A film that is being recorded changes every second; one that has stood still for so long is nobody's any more.
  public static let stillness = 10.0

  private let descriptor: Int32

  /// Asks for a file's lock, and does not wait. It is held until the file is closed.
  ///
  /// - Parameter isShared: for who only reads.
  public static func take(_ descriptor: Int32, isShared: Bool = false) -> Answer {
    if flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return .taken }
    return errno == EWOULDBLOCK ? .inUse : .noLocks
  }

  /// Makes sure that the file may be replaced or truncated, and holds its lock from then on. Where there are no locks,
  /// it has to have stood still for ten seconds.
  ///
  /// - Parameters:
  ///   - descriptor: stays the caller's.
  ///   - path: for the sentence.
  ///   - option: what chooses another name, for the sentence; `nil` where no option does.
  ///   - isFilm: as `init`.
  /// - Throws: code `output`: it is in use, or may be.
  public static func takeToReplace(
    _ descriptor: Int32, path: String, option: String? = "--output", isFilm: Bool = true
  ) throws(CamrecError) {
    let remedy = "choose another \(option ?? "name")"
    switch take(descriptor, isShared: !isFilm) {
    case .taken: return
    case .noLocks where !isFilm: return
    case .inUse:
      throw CamrecError(.output, "'\(path)' is being recorded or recovered right now; \(remedy)")
    case .noLocks:
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_size == 0 || status.secondsSinceChange >= stillness else {
        throw CamrecError(
          .output,
          "'\(path)' was written within \(Int(stillness)) s, and its file system has no locks that would show whether"
            + " it is still being recorded; \(remedy), or wait")
      }
    }
  }

  /// Locks the file at `path` until this object ends, so that it may be replaced.
  ///
  /// - Parameter isFilm: false: what comes into its place is a small file of camrec's, which others may replace at the
  ///   same time, and which is known by its content where there are no locks.
  /// - Returns: `nil` where nothing is there, or no ordinary file.
  /// - Throws: as `takeToReplace`, or where the file cannot be opened and so nobody knows.
  public init?(replacing path: String, option: String? = "--output", isFilm: Bool = true) throws(CamrecError) {
    for _ in 0..<FilmLock.mostAttempts {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw CamrecError(
          .output, "'\(path)' cannot be opened to see whether it is being recorded, and is not replaced",
          cause: SystemError.words(for: errno))
      }
      var own = stat(), there = stat()
      guard unsafe fstat(descriptor, &own) == 0, own.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        return nil
      }
      do throws(CamrecError) {
        try FilmLock.takeToReplace(descriptor, path: path, option: option, isFilm: isFilm)
      } catch {
        close(descriptor)
        throw error
      }
      // Somebody else's file may have come to this name before the lock was had.
      guard unsafe stat(path, &there) == 0, own.st_dev == there.st_dev, own.st_ino == there.st_ino else {
        close(descriptor)
        continue
      }
      self.descriptor = descriptor
      return
    }
    throw CamrecError(
      .output,
      "'\(path)' has another file number each time, and so nobody can say whether it is being recorded; choose another"
        + " \(option ?? "name")")
  }

  /// Others may change the file as often while its lock is asked for; some file systems give it a new number each time.
  private static let mostAttempts = 100

  deinit { close(descriptor) }
}

extension stat {
  /// By the clock of files; 0 for a time to come.
  fileprivate var secondsSinceChange: Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    let seconds = Double(now.tv_sec) - Double(st_mtim.tv_sec) + Double(now.tv_nsec - st_mtim.tv_nsec) / 1e9
    return max(0, seconds)
  }
}

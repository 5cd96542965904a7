import Foundation
public import Frames

/// The lock of a folder (flock(2)), for work on its files that no two processes may do at once. It is released when
/// this object ends, and when the process ends, even if killed.
///
/// Thread: any.
public final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Milliseconds to wait for the lock, and between two tries: others hold it for as long as they create a file.
  private static let patience = 2000, pause = 10

  /// Locks the folder in which `path` lies. Waits for up to two seconds.
  ///
  /// - Returns: `nil` if the folder cannot be opened or its file system has no locks.
  /// - Throws: code `output` if somebody keeps holding the lock.
  public init?(folderOf path: String) throws(CamrecError) {
    let descriptor = unsafe open(PathText(path).folderOrDot, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    for _ in 0..<(FolderLock.patience / FolderLock.pause) {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        self.descriptor = descriptor
        return
      }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        close(descriptor)
        return nil
      }
      WorkThread.sleep(.milliseconds(FolderLock.pause))
    }
    close(descriptor)
    throw CamrecError(.output, "the folder of '\(path)' is locked by another program")
  }

  /// Whether a folder's file system is known to have no locks: other programs then cannot see that a film is being
  /// recorded there. False for a folder that cannot be opened.
  public static func isMissing(in folder: String) -> Bool {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // Network file systems that can lock files may not lock folders, and return EBADF.
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && [ENOLCK, EOPNOTSUPP, ENOSYS].contains(errno)
  }

  deinit { close(descriptor) }
}

import Foundation
import Platform

/// Files and folders of the real system.
public final class SystemFolder: FolderPort {
  public init() {}

  public func openFolder(_ path: String) throws(FolderFailure) -> Int32 {
    try descriptor(unsafe Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  public func open(_ name: String, in folder: Int32, _ access: FolderAccess) throws(FolderFailure) -> Int32 {
    let flags =
      switch access {
      case .read: O_RDONLY | O_NONBLOCK
      case .write: O_WRONLY | O_NONBLOCK
      case .append: O_RDWR | O_APPEND | O_NONBLOCK
      case .update: O_RDWR | O_NONBLOCK
      case .create: O_WRONLY | O_CREAT | O_EXCL
      }
    do throws(FolderFailure) { return try open(name, in: folder, flags) } catch {
      // Creating a file holds the folder's lock in the kernel. A catalogue that exists but does not answer would keep
      // everybody out of the folder.
      guard error.number == ENOENT, access == .write || access == .append else { throw error }
      return try open(name, in: folder, flags | O_CREAT)
    }
  }

  private func open(_ name: String, in folder: Int32, _ flags: Int32) throws(FolderFailure) -> Int32 {
    try descriptor(unsafe openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o640))
  }

  public func close(_ file: Int32) { _ = Foundation.close(file) }

  public func status(of file: Int32) throws(FolderFailure) -> FileStatus {
    var status = stat()
    try check(unsafe fstat(file, &status))
    return SystemFolder.status(status)
  }

  public func status(of name: String, in folder: Int32) throws(FolderFailure) -> FileStatus {
    var status = stat()
    try check(unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW))
    return SystemFolder.status(status)
  }

  public func status(path: String) throws(FolderFailure) -> FileStatus {
    var status = stat()
    try check(unsafe stat(path, &status))
    return SystemFolder.status(status)
  }

  public func names(in folder: Int32) throws(FolderFailure) -> [String] {
    // A descriptor of its own: closing the stream closes it, and a duplicate would share its position in the folder.
    let file = try descriptor(unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    guard let stream = unsafe fdopendir(file) else {
      let number = errno
      close(file)
      throw FolderFailure(number)
    }
    defer { unsafe _ = closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw FolderFailure(errno) }
    return names
  }

  public func read(_ file: Int32, at offset: Int64, count: Int) throws(FolderFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(file, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FolderFailure(errno) }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  public func write(_ bytes: Span<UInt8>, to file: Int32) throws(FolderFailure) -> Int {
    while true {
      let written = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(file, $0.baseAddress, $0.count) }
      if written >= 0 { return written }
      if errno != EINTR { throw FolderFailure(errno) }
    }
  }

  public func synchronize(_ file: Int32) throws(FolderFailure) {
    while fsync(file) != 0 {
      guard errno == EINTR else { throw FolderFailure(errno) }
    }
  }

  public func lock(_ file: Int32) throws(FolderFailure) {
    let number = FilmLock.number(locking: file)
    guard number == 0 else { throw FolderFailure(number) }
  }

  public func rename(_ name: String, to new: String, in folder: Int32) throws(FolderFailure) {
    try check(unsafe renameat(folder, name, folder, new))
  }

  public func link(_ name: String, to new: String, in folder: Int32) throws(FolderFailure) {
    try check(unsafe linkat(folder, name, folder, new, 0))
  }

  public func unlink(_ name: String, in folder: Int32) throws(FolderFailure) {
    try check(unsafe unlinkat(folder, name, 0))
  }

  private func check(_ result: Int32) throws(FolderFailure) {
    guard result == 0 else { throw FolderFailure(errno) }
  }

  private func descriptor(_ result: Int32) throws(FolderFailure) -> Int32 {
    guard result >= 0 else { throw FolderFailure(errno) }
    return result
  }

  private static func status(_ status: stat) -> FileStatus {
    FileStatus(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isOrdinary: status.st_mode & S_IFMT == S_IFREG,
      bytes: Int64(status.st_size), links: UInt64(status.st_nlink), owner: status.st_uid,
      isWritableByOthers: status.st_mode & (S_IWGRP | S_IWOTH) != 0)
  }
}

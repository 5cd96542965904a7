import Foundation
import Platform

/// Files and folders of the real system.
public final class SystemFolder: FolderPort {
  public init() {}

  public func openFolder(_ path: String) throws(FolderFailure) -> Int32 {
    do throws(SystemCallError) { return try OpenFile.open(path, O_RDONLY | O_DIRECTORY) } catch {
      throw FolderFailure(error)
    }
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
    do throws(SystemCallError) { return try OpenFile.open(name, in: folder, flags | O_NOFOLLOW, mode: 0o640) } catch {
      throw FolderFailure(error)
    }
  }

  public func close(_ file: Int32) { _ = Foundation.close(file) }

  public func status(of file: Int32) throws(FolderFailure) -> FileStatus {
    var status = stat()
    try perform("fstat") { unsafe fstat(file, &status) }
    return SystemFolder.status(status)
  }

  public func status(of name: String, in folder: Int32) throws(FolderFailure) -> FileStatus {
    var status = stat()
    try perform("fstatat") { unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) }
    return SystemFolder.status(status)
  }

  public func status(path: String) throws(FolderFailure) -> FileStatus {
    var status = stat()
    try perform("stat") { unsafe stat(path, &status) }
    return SystemFolder.status(status)
  }

  public func names(in folder: Int32) throws(FolderFailure) -> [String] {
    do throws(SystemCallError) { return try FolderNames.read(folder) } catch { throw FolderFailure(error) }
  }

  public func read(_ file: Int32, at offset: Int64, count: Int) throws(FolderFailure) -> [UInt8] {
    do throws(SystemCallError) {
      return try OpenFile.read(file, at: offset, count: count)
    } catch {
      throw FolderFailure(error)
    }
  }

  public func write(_ bytes: Span<UInt8>, to file: Int32) throws(FolderFailure) -> Int {
    do throws(SystemCallError) {
      return try unsafe bytes.withUnsafeBytes { (room) throws(SystemCallError) -> Int in
        try SystemCall.perform("write") { unsafe Foundation.write(file, room.baseAddress, room.count) }
      }
    } catch {
      throw FolderFailure(error)
    }
  }

  public func synchronize(_ file: Int32) throws(FolderFailure) {
    try perform("fsync") { fsync(file) }
  }

  public func lock(_ file: Int32) throws(FolderFailure) {
    let number = FilmLock.number(locking: file)
    guard number == 0 else { throw FolderFailure(number) }
  }

  public func rename(_ name: String, to new: String, in folder: Int32) throws(FolderFailure) {
    try perform("renameat") { unsafe renameat(folder, name, folder, new) }
  }

  public func link(_ name: String, to new: String, in folder: Int32) throws(FolderFailure) {
    try perform("linkat") { unsafe linkat(folder, name, folder, new, 0) }
  }

  public func unlink(_ name: String, in folder: Int32) throws(FolderFailure) {
    try perform("unlinkat") { unsafe unlinkat(folder, name, 0) }
  }

  private func perform(_ name: StaticString, _ call: () -> Int32) throws(FolderFailure) {
    do throws(SystemCallError) { try SystemCall.perform(name, call) } catch { throw FolderFailure(error) }
  }

  private static func status(_ status: stat) -> FileStatus {
    FileStatus(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), isOrdinary: status.st_mode & S_IFMT == S_IFREG,
      bytes: Int64(status.st_size), links: UInt64(status.st_nlink), owner: status.st_uid,
      isWritableByOthers: status.st_mode & (S_IWGRP | S_IWOTH) != 0)
  }
}

extension FolderFailure {
  fileprivate init(_ refusal: SystemCallError) { self.init(refusal.number) }
}

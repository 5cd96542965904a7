import Foundation
import Retention
import Synchronization

/// The system's own files, where a test may refuse any call before it is made.
final class RefusingFolder: FolderPort {
  enum Call: Hashable, Sendable {
    case openFolder, open, create, status, names, read, write, synchronize, lock, rename, link, unlink

    /// Something on the disk may be another after it.
    var changes: Bool { [.open, .create, .write, .rename, .link, .unlink].contains(self) }
  }

  private let system = SystemFolder()
  /// The error's number; `nil`: the call is made.
  private let refusal: @Sendable (Call) -> Int32?

  init(_ refusal: @escaping @Sendable (Call) -> Int32?) { self.refusal = refusal }

  /// As if the process had ended before a call: of those that change something on the disk the first `calls` are made,
  /// and no call after them.
  static func killed(after calls: Int) -> RefusingFolder {
    let made = Mutex(0)
    return RefusingFolder { call in
      made.withLock { made in
        if call.changes { made += 1 }
        return made > calls ? EIO : nil
      }
    }
  }

  private func ask(_ call: Call) throws(FolderFailure) {
    if let number = refusal(call) { throw FolderFailure(number) }
  }

  func openFolder(_ path: String) throws(FolderFailure) -> Int32 {
    try ask(.openFolder)
    return try system.openFolder(path)
  }

  func open(_ name: String, in folder: Int32, _ access: FolderAccess) throws(FolderFailure) -> Int32 {
    try ask(access == .create ? .create : .open)
    return try system.open(name, in: folder, access)
  }

  func close(_ file: Int32) { system.close(file) }

  func status(of file: Int32) throws(FolderFailure) -> FileStatus {
    try ask(.status)
    return try system.status(of: file)
  }

  func status(of name: String, in folder: Int32) throws(FolderFailure) -> FileStatus {
    try ask(.status)
    return try system.status(of: name, in: folder)
  }

  func status(path: String) throws(FolderFailure) -> FileStatus {
    try ask(.status)
    return try system.status(path: path)
  }

  func names(in folder: Int32) throws(FolderFailure) -> [String] {
    try ask(.names)
    return try system.names(in: folder)
  }

  func read(_ file: Int32, at offset: Int64, count: Int) throws(FolderFailure) -> [UInt8] {
    try ask(.read)
    return try system.read(file, at: offset, count: count)
  }

  func write(_ bytes: Span<UInt8>, to file: Int32) throws(FolderFailure) -> Int {
    try ask(.write)
    return try system.write(bytes, to: file)
  }

  func synchronize(_ file: Int32) throws(FolderFailure) {
    try ask(.synchronize)
    try system.synchronize(file)
  }

  func lock(_ file: Int32) throws(FolderFailure) {
    try ask(.lock)
    try system.lock(file)
  }

  func rename(_ name: String, to new: String, in folder: Int32) throws(FolderFailure) {
    try ask(.rename)
    try system.rename(name, to: new, in: folder)
  }

  func link(_ name: String, to new: String, in folder: Int32) throws(FolderFailure) {
    try ask(.link)
    try system.link(name, to: new, in: folder)
  }

  func unlink(_ name: String, in folder: Int32) throws(FolderFailure) {
    try ask(.unlink)
    try system.unlink(name, in: folder)
  }
}

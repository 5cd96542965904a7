import Foundation

/// What is asked of the system about one open file. Tests put faults that no disk has on demand behind it.
///
/// Thread: any; calls that write do not overlap.
package protocol FilePort: AnyObject, Sendable {
  /// As `pwrite`: how many of `bytes` were written, from the first on. 0 is a full disk.
  func write(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int
  /// As many bytes from `offset` on as there are, up to `count`.
  func read(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8]
  func truncate(to size: Int64) throws(FileFailure)
  /// Waits until all that was written is on the medium, and the file's length with it, as `fdatasync`.
  func synchronize() throws(FileFailure)
  /// Waits until the file's name is on the medium.
  func synchronizeFolder() throws(FileFailure)

  /// The file's name, as it was found last.
  var path: String { get }
  /// Compares the name with the open file, by device and number. A new name is `path` from then on.
  func look() -> FilePlace
  /// Gives the file another name, and replaces nothing.
  func rename(to path: String) throws(FileFailure)
  /// Gives the file the name of the one at `path`, which gets this one's.
  ///
  /// - Throws: `EWOULDBLOCK` where somebody exchanges one of them right now.
  func exchange(with path: String) throws(FileFailure)
  /// Makes a new file of all bytes, on the medium with its name. Where that fails, nothing of it is left.
  ///
  /// - Parameter room: bytes that the copy may still take on the disk, asked again and again; `nil` where nobody knows.
  func copy(to path: String, room: () -> Int64?) throws(FileFailure)
  /// By which every program of this user can open the file while it is open here: `/proc/PID/fd/N`.
  var descriptorPath: String? { get }
}

/// For files without a name.
extension FilePort {
  package var path: String { "" }
  package func look() -> FilePlace { .inPlace }
  package func rename(to path: String) throws(FileFailure) { throw FileFailure("rename", ENOSYS) }
  package func exchange(with path: String) throws(FileFailure) { throw FileFailure("renameat2", ENOSYS) }
  package func copy(to path: String, room: () -> Int64?) throws(FileFailure) {
    throw FileFailure("copy_file_range", ENOSYS)
  }
  package var descriptorPath: String? { nil }
}

/// What the system refused.
package struct FileFailure: Error, Sendable {
  /// The system's function.
  package let call: StaticString
  package let number: Int32

  package init(_ call: StaticString, _ number: Int32) {
    self.call = call
    self.number = number
  }

  /// Whether bytes that had been taken before may be lost: the kernel gives up what it cannot write and marks it as
  /// clean, so that asking again would succeed without them (Rebello et al., "Can Applications Recover from fsync
  /// Failures?", USENIX ATC 2020).
  package var losesWhatWasTaken: Bool { call.description == FileFailure.synchronization.description }

  package static let synchronization: StaticString = "fdatasync"
}

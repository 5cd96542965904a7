import Foundation
package import Platform

/// What camrec asks of the system for one open file. Tests put faults behind it that no disk has on demand.
///
/// Thread: any; calls that write do not overlap.
package protocol FilePort: AnyObject, Sendable {
  /// As `pwrite`: how many of `bytes` were written, from the first on. 0 means that the disk is full.
  func write(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int
  /// As many bytes from `offset` on as there are, up to `count`.
  func read(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8]
  func truncate(to size: Int64) throws(FileFailure)
  /// Waits until all that was written is on the medium, and the file's length with it, as `fdatasync`.
  func synchronize() throws(FileFailure)
  /// Waits until the file's name is on the medium.
  func synchronizeFolder() throws(FileFailure)

  /// The file's name, as last found.
  var path: String { get }
  /// Compares the name with the open file, by device and number. If the file was renamed, `path` is the new name from
  /// then on.
  func look() -> FilePlace
  /// Renames the file; replaces nothing.
  func rename(to path: String) throws(FileFailure)
  /// Exchanges the file's name with that of the file at `path`.
  ///
  /// - Throws: `EWOULDBLOCK` while somebody else exchanges one of the two.
  func exchange(with path: String) throws(FileFailure)
  /// Copies all bytes to a new file, and puts them and its name on the medium. If that fails, nothing of the copy is
  /// left.
  ///
  /// - Parameter room: bytes that the copy may still use on the disk, asked repeatedly; `nil` if unknown.
  func copy(to path: String, room: () -> Int64?) throws(FileFailure)
  /// The path by which any program of this user can open the file while it is open here: `/proc/PID/fd/N`.
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
  /// The system function.
  package let call: StaticString
  package let number: Int32

  package init(_ call: StaticString, _ number: Int32) {
    self.call = call
    self.number = number
  }

  package init(_ refusal: SystemCallError) { self.init(refusal.call, refusal.number) }

  /// Whether bytes that the system had taken may be lost: the kernel discards what it cannot write and marks it as
  /// clean, so a second call would succeed without them (Rebello et al., "Can Applications Recover from fsync
  /// Failures?", USENIX ATC 2020).
  package var losesWhatWasTaken: Bool { call.description == FileFailure.synchronization.description }

  package static let synchronization: StaticString = "fdatasync"
}

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

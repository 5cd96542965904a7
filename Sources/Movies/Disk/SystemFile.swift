package import Foundation
import Frames

/// A file of the system's, open for reading and writing. Closed with the object.
package final class SystemFile: FilePort {
  private let descriptor: Int32
  private let folder: String

  /// Mode of files that are made, less the umask: who belongs to the group may read, and nobody else.
  package static let mode: mode_t = 0o640

  /// - Parameters:
  ///   - descriptor: is this object's from here on.
  ///   - path: the file's own name.
  package init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    folder = PathText(path).folder
  }

  deinit { close(descriptor) }

  package func write(_ bytes: RawSpan, at offset: Int64) throws(FileFailure) -> Int {
    while true {
      let written = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
      if written >= 0 { return written }
      if errno != EINTR { throw FileFailure("pwrite", errno) }
    }
  }

  package func read(at offset: Int64, count: Int) throws(FileFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw FileFailure("pread", errno) }
      guard got > 0 else { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  package func truncate(to size: Int64) throws(FileFailure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileFailure("ftruncate", errno) }
  }

  package func synchronize() throws(FileFailure) {
    while fdatasync(descriptor) != 0 {
      guard errno == EINTR else { throw FileFailure(FileFailure.synchronization, errno) }
    }
  }

  package func synchronizeFolder() throws(FileFailure) {
    do throws(FolderSync.Failure) {
      try FolderSync.synchronize(folder)
    } catch {
      throw FileFailure(error.call, error.number)
    }
  }
}

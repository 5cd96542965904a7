import Foundation
import Frames
import Platform

/// An existing sidecar, open to be appended to. Thread: one at a time.
struct SidecarOutput: ~Copyable {
  private let descriptor: Int32

  /// Opens an existing sidecar to append to it.
  ///
  /// - Throws: code `output`.
  init(appendingTo path: String) throws(CamrecError) {
    do throws(SystemCallError) { descriptor = try OpenFile.open(path, O_RDWR | O_APPEND) } catch {
      throw CamrecError(.output, "cannot append to '\(path)'", cause: error.words)
    }
  }

  deinit { close(descriptor) }

  /// Ends a line that was cut off.
  borrowing func beginLine() throws(SystemCallError) {
    var status = stat(), last: UInt8 = 0
    guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0,
      unsafe pread(descriptor, &last, 1, status.st_size - 1) == 1, last != UInt8(ascii: "\n")
    else { return }
    try append([UInt8(ascii: "\n")])
  }

  /// Waits until everything is on the medium.
  borrowing func synchronize() throws(SystemCallError) {
    let file = descriptor
    try SystemCall.perform("fsync") { fsync(file) }
  }

  /// Appends all of `bytes`. Allocates nothing.
  borrowing func append(_ bytes: borrowing [UInt8]) throws(SystemCallError) {
    try OpenFile.append(bytes, to: descriptor)
  }
}

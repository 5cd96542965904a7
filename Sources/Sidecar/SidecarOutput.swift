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
    descriptor = unsafe open(path, O_RDWR | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CamrecError(.output, "cannot append to '\(path)'", cause: SystemError.words(for: errno))
    }
  }

  deinit { close(descriptor) }

  /// Ends a line that was cut off.
  borrowing func beginLine() throws(WriteFailure) {
    var status = stat(), last: UInt8 = 0
    guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0,
      unsafe pread(descriptor, &last, 1, status.st_size - 1) == 1, last != UInt8(ascii: "\n")
    else { return }
    try append([UInt8(ascii: "\n")])
  }

  /// Waits until everything is on the medium.
  borrowing func synchronize() throws(WriteFailure) {
    guard fsync(descriptor) == 0 else { throw WriteFailure(number: errno) }
  }

  /// Appends all of `bytes`. Allocates nothing.
  ///
  /// - Throws: the system's error number.
  borrowing func append(_ bytes: borrowing [UInt8]) throws(WriteFailure) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { rest in
        unsafe write(descriptor, rest.baseAddress?.advanced(by: done), rest.count - done)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw WriteFailure(number: written < 0 ? errno : ENOSPC) }
      done += written
    }
  }

  struct WriteFailure: Error {
    let number: Int32
  }
}

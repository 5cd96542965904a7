import Foundation
import Frames

/// A file that only grows. Thread: one at a time.
struct SidecarOutput: ~Copyable {
  private let descriptor: Int32

  /// Creates `path`. A sidecar that lies there belonged to a film of the same name, which is gone or being replaced: it
  /// is replaced as well. Any other file of that name stays.
  ///
  /// - Throws: code `output`.
  init(path: String) throws(CamrecError) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
    var descriptor = unsafe open(path, flags | O_EXCL, 0o666)
    if descriptor < 0, errno == EEXIST {
      guard SidecarFile.isSidecar(path) else {
        throw CamrecError(.output, "'\(path)' exists and is no sidecar; move it away")
      }
      descriptor = unsafe open(path, flags | O_TRUNC, 0o666)
    }
    guard descriptor >= 0 else {
      throw CamrecError(.output, "'\(path)' cannot be created", cause: SystemError.words(for: errno))
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

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

import Foundation
import Frames

/// A regular file that is open for reading.
struct SidecarInput: ~Copyable {
  let path: String
  /// Bytes, when it was opened.
  let size: Int64
  private let descriptor: Int32

  /// - Throws: code `input` for what cannot be opened and for what is no regular file. Never waits (for a pipe, say).
  init(path: String) throws(CamrecError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw CamrecError(.input, "'\(path)' does not exist; check the path")
      case EACCES: throw CamrecError(.input, "'\(path)' may not be read; check its permissions")
      default: throw CamrecError(.input, "'\(path)' cannot be opened", cause: SystemError.words(for: errno))
      }
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw CamrecError(.input, "'\(path)' is a directory or a device, and neither a film nor a sidecar")
    }
    self.path = path
    self.size = Int64(status.st_size)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Fills `buffer` from `offset` on as far as one read goes; returns the bytes read, 0 at the end.
  borrowing func read(into buffer: inout [UInt8], at offset: Int) throws(CamrecError) -> Int {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { room in
        unsafe Foundation.read(descriptor, room.baseAddress?.advanced(by: offset), room.count - offset)
      }
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw CamrecError(.input, "reading '\(path)' failed", cause: SystemError.words(for: errno))
      }
    }
  }
}
